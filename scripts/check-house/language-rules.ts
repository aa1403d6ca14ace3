import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { House, Problem } from './house.ts'
import { readMessages, type WrittenMessage } from './read-messages.ts'
import { readShown } from './read-shown.ts'

const CATALOGUE = 'packages/i18n/src/catalogue'

/** Packages whose source speaks to people. */
const SPEAKING = ['cli', 'terminal']

/** The same in both languages: names, units, frames that hold what others say. */
const SAME_IN_BOTH: ReadonlySet<string> = new Set([
  'doctor.node.ok',
  'door.api',
  'language.tag',
  'replay.decided',
  'replay.foreign',
  'sessions.yes-no',
])

/** English that no person is shown as ours: where it stands, how it begins if only that is meant, and why it is there. */
const NOT_SHOWN: readonly { path: string; text?: string; why: string }[] = [
  { path: 'packages/cli/bin/', why: 'said where there is no program yet that knows a language' },
  { path: 'packages/cli/src/completions/', why: 'scripts for shells' },
  { path: 'packages/cli/src/demo/sample-repository.ts', why: 'code' },
  { path: 'packages/cli/src/session/nested-instructions.ts', why: 'for the model' },
  { path: 'packages/cli/src/session/policy.ts', text: 'a rule in your config.json', why: 'for the model' },
  { path: 'packages/cli/src/session/prepare-deps.ts', text: 'You are Maru.', why: 'for the model' },
  { path: 'packages/cli/src/sessions/settle-session.ts', text: 'This call was laid aside', why: 'for the model' },
  {
    path: 'packages/cli/src/sessions/settle-session.ts',
    text: 'this turn was laid aside',
    why: 'told again by its code',
  },
  { path: 'packages/terminal/src/highlight/', why: 'words of programming languages' },
]

/** Whatever people are told is in the catalogue, in both languages. */
export function checkLanguages(root: string, house: House): Problem[] {
  return [...checkCatalogue(root), ...checkShown(root, house)]
}

function checkCatalogue(root: string): Problem[] {
  if (!existsSync(join(root, CATALOGUE))) return []
  const list = readFileSync(join(root, `${CATALOGUE}.ts`), 'utf8')
  return readdirSync(join(root, CATALOGUE)).flatMap((file) => {
    const path = `${CATALOGUE}/${file}`
    const { name, messages } = readMessages(path, readFileSync(join(root, path), 'utf8'))
    const isListed = name !== undefined && new RegExp(`\\b${name}\\b`).test(list.slice(list.indexOf('subjects')))
    const todo = `name it in ${CATALOGUE}.ts, or nobody can say what is in it`
    const problems = messages.flatMap((message) => checkMessage(message, path))
    return isListed ? problems : [{ where: path, what: 'is no part of the catalogue', todo }, ...problems]
  })
}

function checkMessage({ key, en, ko, line }: WrittenMessage, path: string): Problem[] {
  const where = `${path}:${line}`
  const missing = [en ? '' : 'English', ko ? '' : 'Korean'].filter((language) => language !== '')
  if (missing.length > 0) {
    return [{ where, what: `"${key}" has no ${missing.join(' and no ')}`, todo: 'write it in both languages' }]
  }
  const problems: Problem[] = []
  if (isHangul(en) && !SAME_IN_BOTH.has(key)) {
    problems.push({ where, what: `"${key}" has Hangul in its English`, todo: 'write it in English' })
  }
  const isLeftOver = /[a-z]/i.test(withoutPlaceholders(en)) && !isHangul(ko) && !SAME_IN_BOTH.has(key)
  if (isLeftOver) {
    const todo = 'write it in Korean, or name it in SAME_IN_BOTH if it is a name or a unit'
    problems.push({ where, what: `"${key}" has no Hangul in its Korean`, todo })
  }
  return problems
}

function isHangul(text = ''): boolean {
  return /\p{Script=Hangul}/u.test(text)
}

function withoutPlaceholders(text = ''): string {
  return text.replace(/\{[^}]*\}/g, '')
}

function checkShown(root: string, { files }: House): Problem[] {
  const speaking = files.filter(
    ({ owner, role }) => role === 'source' && owner !== undefined && SPEAKING.includes(owner),
  )
  return speaking.flatMap(({ path }) => {
    const known = NOT_SHOWN.filter((each) => path.startsWith(each.path))
    const shown = readShown(path, readFileSync(join(root, path), 'utf8'))
    const left = shown.filter(({ text }) => !known.some((each) => text.startsWith(each.text ?? '')))
    return left.map(({ line, text }) => ({
      where: `${path}:${line}`,
      what: `says "${text}" outside the catalogue`,
      todo: `put it into ${CATALOGUE} in both languages, or into NOT_SHOWN if no person sees it`,
    }))
  })
}
