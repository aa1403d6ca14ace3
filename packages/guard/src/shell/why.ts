/** Why a command is more than read-only. `{program}` and `{what}` are filled in; the codes are for translations. */
export const WHY = {
  'unknown-program': '{program} is not a program that is known to change nothing',
  option: 'nothing is known of {what} in a call of {program}',
  'project-script': '{program} runs code of the project: {what}',
  'runs-code': '{program} runs code: {what}',
  changes: '{program} changes {what}',
  writes: '{program} writes {what}',
  redirection: 'output goes to {what}',
  destroys: '{program} destroys what cannot be brought back: {what}',
  publishes: '{program} changes what others see: {what}',
  database: '{program} speaks to a database: {what}',
  network: '{program} reaches into the network: {what}',
  process: '{program} touches other processes: {what}',
  desktop: '{program} opens or changes something beside the terminal: {what}',
  dynamic: '{what} is known only when it runs',
  environment: '{program} prints variables of the environment: {what}',
  secret: '{program} reads {what}, which may hold secrets',
  'secret-file': '{what} may hold secrets',
  outside: '{what} is outside the workspace',
  elsewhere: '{program} works in another directory: {what}',
  variable: 'the variable {what} may change what programs do',
  syntax: 'the line cannot be parsed: {what}',
  'odd-characters': 'the line holds characters that do not show: {what}',
  limit: 'the line is too {what} to be understood',
  construct: 'nothing is known of {what}',
  shell: 'the line is written for {what}; only bash is understood',
  'hostile-variable': 'the variable {what} makes programs run other code',
  'runs-program': '{what} makes {program} run another program; run that one openly instead',
  hidden: '{program} hides what is run: {what}; write it openly instead',
  'remote-code': '{program} runs code that comes from elsewhere: {what}',
  exfiltration: '{program} sends away {what}',
  credentials: '{program} prints credentials: {what}',
  persistence: '{program} makes code run later: {what}',
  protected: '{what} says what runs or what may run; change it with a file tool, which shows the change',
  privilege: '{program} asks for more privilege: {what}',
  catastrophe: '{program} could destroy {what}',
} as const

export type WhyCode = keyof typeof WHY

/** A reason: its code, the program it is about, and what exactly. */
export interface Why {
  readonly code: WhyCode
  readonly program: string
  readonly what: string
}

/** A reason in plain words. */
export function tellWhy({ code, program, what }: { code: string; program: string; what: string }): string {
  const words = Object.hasOwn(WHY, code) ? WHY[code as WhyCode] : code
  // What is filled in is not looked at again: it may hold anything.
  return words.replace(/\{(program|what)\}/g, (_, name) => (name === 'program' ? program : what))
}
