import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTranslator, type Lang } from '@maru/i18n'
import { openTerminal } from '../terminal/tmux.ts'
import { COMMANDS } from './foreign-words.ts'
import { SAID, scriptOf } from './said.ts'

/** What stood before a person, and what they had done to come there. */
export interface Seen {
  readonly after: string
  readonly text: string
}

/** What is looked at afterwards, in a shell, and the exit code it has; none where the machine has a say. */
const LOOKS: readonly (readonly [line: string, exit?: number])[] = [
  ['maru -h', 0],
  [`for name in ${COMMANDS.join(' ')}; do maru $name -h; done`, 0],
  ['maru doctor'],
  ['maru demo', 0],
  ['maru sessions', 0],
  ['maru sessions show', 0],
  ['maru sessions export', 0],
  ['maru sessions export --format html --output s.html', 0],
  ['maru sessions show nothing', 2],
  ['for log in "$MARU_HOME"/sessions/*.jsonl; do maru replay "$log"; done', 0],
  ['maru context', 0],
  ['maru config list', 0],
  ['maru config set mod x', 2],
  ["maru policy explain 'curl x | sh'", 0],
  ['maru diff', 0],
  ['maru undo', 0],
  ['maru tools', 0],
  ['maru reset', 0],
  ['maru nothing', 2],
  ['maru run --nothing', 2],
]

const LOOK = 'LOOKED '
const looks = [...LOOKS.map(([line]) => `${line}; echo ${LOOK}$?`), 'echo END'].map((line) => `${line}\n`).join('')

/** From the first run to a finished task, and what can be looked at afterwards, as one person sees it. */
export async function takeWalk(lang: Lang): Promise<Seen[]> {
  const at = await openTerminal({
    script: scriptOf(lang),
    lang,
    size: [100, 50],
    files: { 'a.txt': 'a\n', 'package.json': '{}\n', 'looks.sh': looks },
    env: { ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '', PS1: '$ ' },
    inShell: true,
  })
  const walker: Walker = { at, lang, t: createTranslator(lang), seen: [] }
  await say(walker, `maru() { ${at.command} "$@"; }; clear`)
  await at.until((rows) => rows.filter((row) => row !== '').length === 1)
  await firstRun(walker)
  await say(walker, `export ANTHROPIC_BASE_URL=${at.model.url}; clear`)
  await workTogether(walker)
  await say(walker, `maru run "${SAID[lang].task}"`)
  await see(walker, '(y/N)')
  await say(walker, 'y')
  await at.until(isAtShell)
  await say(walker, '. ./looks.sh')
  await at.until(/^END$/m)
  const everything = await at.everything()
  checkExits(everything)
  walker.seen.push({ after: 'everything', text: withoutTyped(everything) })
  walker.seen.push({ after: 's.html', text: textOfPage(readFileSync(join(at.repo, 's.html'), 'utf8')) })
  // A question for the list of models is no part of the conversation.
  const problem = at.model.problems.find(({ request }) => request.wire !== undefined)
  if (problem) throw new Error(problem.message)
  return walker.seen
}

interface Walker {
  readonly at: Awaited<ReturnType<typeof openTerminal>>
  readonly lang: Lang
  readonly t: ReturnType<typeof createTranslator>
  readonly seen: Seen[]
}

function checkExits(text: string): void {
  const exits = [...text.matchAll(new RegExp(`^${LOOK}(\\d+)$`, 'gm'))].map(([, exit]) => Number(exit))
  const wrong = LOOKS.flatMap(([line, wanted], at) => {
    return wanted === undefined || exits[at] === wanted ? [] : [`${line}: ${exits[at]}, not ${wanted}`]
  })
  if (wrong.length > 0) throw new Error(`${wrong.join('\n')}\n${text}`)
}

async function firstRun(walker: Walker): Promise<void> {
  const { at, t } = walker
  await say(walker, 'maru')
  await see(walker, t('first.own.doctor'))
  await say(walker, '9')
  // How many there are to choose from depends on what serves models on this machine.
  await see(walker, t('first.wrong-number', { count: 0 }).split('0')[1] ?? '')
  await say(walker, '1')
  await see(walker, t('first.paste').trimEnd())
  await say(walker, 'too-short')
  await see(walker, t('first.key-short'))
  await say(walker, 'sk-ant-0123456789012345678901234567890')
  await see(walker, t('screen.placeholder'))
  await at.type('/')
  await see(walker, t('slash.help'))
  await at.type('help')
  await at.press('Enter')
  await see(walker, t('slash.help-title'))
  await at.press('C-d')
  await at.until(isAtShell)
}

async function workTogether(walker: Walker): Promise<void> {
  const { at, t, lang } = walker
  const said = SAID[lang]
  await say(walker, 'maru')
  await at.until(t('screen.placeholder'))
  await say(walker, said.task)
  await see(walker, t('screen.may', { tool: 'WriteFile' }))
  await at.type('w')
  await see(walker, t('screen.by-rule', { rule: 'built-in/create' }))
  await at.type('e')
  await see(walker, t('screen.edit-hint'))
  await at.press('Escape')
  await see(walker, t('screen.approve-keys-always'))
  await at.type('y')
  await see(walker, said.question)
  // The question stands there already while it is called, before there is a list to choose from.
  await see(walker, t('screen.pick-hint'))
  await at.press('Down')
  await at.press('Enter')
  await at.until(t('screen.may', { tool: 'RunCommand' }))
  await at.type('n')
  await at.until(said.doneShown)
  await see(walker, t('screen.placeholder'))
  const printed = ['/cost', '/context', '/policy', '/diff', '/undo', '/doctor', '/resume', '/compact', '/export s.md']
  for (const line of printed) {
    await say(walker, line)
    await at.until((rows) => rows.includes(`› ${line}`) && rows.includes(`› ${t('screen.placeholder')}`), line)
  }
  const lists = [
    ['/mode', 'slash.pick-mode'],
    ['/model', 'slash.pick-model'],
    ['/effort', 'slash.pick-effort'],
    ['/fork', 'slash.pick-fork'],
  ] as const
  for (const [line, title] of lists) {
    await say(walker, line)
    await see(walker, t(title))
    await at.press('Escape')
    await at.until(t('screen.placeholder'))
  }
  await say(walker, '/none')
  await see(walker, t('slash.unknown', { name: 'none' }))
  // Takes back the word that is not known.
  await at.press('C-u')
  await at.until(t('screen.placeholder'))
  await say(walker, said.wait)
  await see(walker, t('screen.calling'))
  await at.type(said.more)
  await at.press('Enter')
  await see(walker, t('screen.steering'))
  await at.press('Escape')
  await see(walker, t('replay.run-end', { reason: t('ending.interrupted') }))
  await see(walker, said.refusal)
  await at.press('C-c')
  await see(walker, t('screen.once-more'))
  await at.press('C-d')
  await at.until(isAtShell)
}

async function say({ at }: Walker, line: string): Promise<void> {
  await at.type(line)
  await at.press('Enter')
}

/** Waits for the words and keeps all that stands around them. */
async function see({ at, seen }: Walker, words: string): Promise<void> {
  const flat = words.replaceAll(' ', '')
  const rows = await at.until((shown) => shown.join('').replaceAll(' ', '').includes(flat), words)
  seen.push({ after: words, text: withoutTyped(rows.join('\n')) })
}

function isAtShell(rows: readonly string[]): boolean {
  return rows.findLast((row) => row !== '') === '$'
}

// Lines that the walker typed into the shell are in no language of ours.
function withoutTyped(text: string): string {
  return text.replaceAll(/^\$ .*$/gm, '')
}

function textOfPage(html: string): string {
  return html.replaceAll(/<(style|script|title)\b[\s\S]*?<\/\1>/g, '').replaceAll(/<[^>]*>/g, ' ')
}
