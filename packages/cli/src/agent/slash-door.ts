import type { Invocation } from '../command.ts'
import type { AgentDoor } from './door.ts'
import { runSlash } from './slash/run-slash.ts'

interface Place {
  /** What speaks through the door. */
  readonly invocation: Invocation
  readonly door: AgentDoor
}

/** Does what was typed behind a slash, as soon as there is a session to do it to; false if there is no such thing. */
export async function runSlashAt(text: string, { invocation, door }: Place): Promise<boolean> {
  const conversation = await door.ready
  const { show, pick, setLanguage, leave } = door
  return runSlash(text, { conversation, invocation, show, pick, setLanguage, quit: leave })
}
