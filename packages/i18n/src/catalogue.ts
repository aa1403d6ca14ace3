import { cli } from './catalogue/cli.ts'
import { command } from './catalogue/command.ts'
import { config } from './catalogue/config.ts'
import { context } from './catalogue/context.ts'
import { demo } from './catalogue/demo.ts'
import { doctor } from './catalogue/doctor.ts'
import { help } from './catalogue/help.ts'
import { name } from './catalogue/name.ts'
import { policy } from './catalogue/policy.ts'
import { policyRows } from './catalogue/policy-rows.ts'
import { replay } from './catalogue/replay.ts'
import { session } from './catalogue/session.ts'
import type { Message } from './message.ts'

const subjects = [cli, command, config, context, demo, doctor, help, name, policy, policyRows, replay, session] as const

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
