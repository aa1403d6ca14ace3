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
import { policy } from './catalogue/policy.ts'
import { policyRows } from './catalogue/policy-rows.ts'
import { problem } from './catalogue/problem.ts'
import { replay } from './catalogue/replay.ts'
import { screen } from './catalogue/screen.ts'
import { session } from './catalogue/session.ts'
import { sessions } from './catalogue/sessions.ts'
import { thing } from './catalogue/thing.ts'
import { tool } from './catalogue/tool.ts'
import type { Message } from './message.ts'

const subjects = [
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
  policy,
  policyRows,
  problem,
  replay,
  screen,
  session,
  sessions,
  thing,
  tool,
] as const

type Both<Subjects> = Subjects extends readonly [infer First, ...infer Rest] ? First & Both<Rest> : unknown

/** Every message, by a key that begins with its subject. One file per subject, both languages side by side. */
export type Catalogue = Both<typeof subjects>

/** A message, looked up where it is: putting all of them together would take longer than most commands need. */
export function findMessage(key: keyof Catalogue): Message {
  for (const subject of subjects) if (key in subject) return (subject as Record<string, Message>)[key] as Message
  throw new Error(`there is no message ${key}`)
}

/** Whether there is such a message. */
export function isMessageKey(key: string): key is keyof Catalogue {
  return subjects.some((subject) => Object.hasOwn(subject, key))
}

/** All of them. */
export function allMessages(): Catalogue {
  return Object.assign({}, ...subjects) as Catalogue
}
