import { access } from './catalogue/access.ts'
import { agent } from './catalogue/agent.ts'
import { cli } from './catalogue/cli.ts'
import { command } from './catalogue/command.ts'
import { completions } from './catalogue/completions.ts'
import { config } from './catalogue/config.ts'
import { context } from './catalogue/context.ts'
import { demo } from './catalogue/demo.ts'
import { doctor } from './catalogue/doctor.ts'
import { failure } from './catalogue/failure.ts'
import { firstRun } from './catalogue/first-run.ts'
import { help } from './catalogue/help.ts'
import { history } from './catalogue/history.ts'
import { man } from './catalogue/man.ts'
import { name } from './catalogue/name.ts'
import { page } from './catalogue/page.ts'
import { policy } from './catalogue/policy.ts'
import { policyRows } from './catalogue/policy-rows.ts'
import { problem } from './catalogue/problem.ts'
import { refusal } from './catalogue/refusal.ts'
import { remote } from './catalogue/remote.ts'
import { replay } from './catalogue/replay.ts'
import { screen } from './catalogue/screen.ts'
import { serve } from './catalogue/serve.ts'
import { session } from './catalogue/session.ts'
import { sessions } from './catalogue/sessions.ts'
import { thing } from './catalogue/thing.ts'
import { tool } from './catalogue/tool.ts'
import type { Message } from './message.ts'

/** One file per subject. */
export const subjects = [
  access,
  agent,
  cli,
  command,
  completions,
  config,
  context,
  demo,
  doctor,
  failure,
  firstRun,
  help,
  history,
  man,
  name,
  page,
  policy,
  policyRows,
  problem,
  refusal,
  remote,
  replay,
  screen,
  serve,
  session,
  sessions,
  thing,
  tool,
] as const

type MessagesOf<Subject> = Subject extends { messages(): infer Messages } ? Messages : never
type Both<Subjects> = Subjects extends readonly [infer First, ...infer Rest] ? MessagesOf<First> & Both<Rest> : unknown

/** Every message, by a key that begins with a word of its subject. One file per subject, both languages side by side. */
export type Catalogue = Both<typeof subjects>

/** A message. Only the subjects in which it may be are made for it: most commands need few of them. */
export function findMessage(key: keyof Catalogue): Message {
  const message = look(key)
  if (!message) throw new Error(`there is no message ${key}`)
  return message
}

/** Whether there is such a message. */
export function isMessageKey(key: string): key is keyof Catalogue {
  return look(key) !== undefined
}

/** All of them. */
export function allMessages(): Catalogue {
  return Object.assign({}, ...subjects.map((subject) => subject.messages())) as Catalogue
}

function look(key: string): Message | undefined {
  const word = key.slice(0, key.indexOf('.'))
  for (const { words, messages } of subjects) {
    const table: Readonly<Record<string, Message>> = words.includes(word) ? messages() : {}
    if (Object.hasOwn(table, key)) return table[key]
  }
  return undefined
}
