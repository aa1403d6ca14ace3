import type { Judgement } from './judgement.ts'
import type { CommandPlace } from './place.ts'

/** Judges a shell line. The parser and the tables are loaded with the first one: a start does not pay for them. */
export async function judgeCommand(line: string, place: CommandPlace): Promise<Judgement> {
  return (await loadJudge()).judgeLine(line, place)
}

/** Judges a program and its arguments that are run without a shell. */
export async function judgeArgv(program: string, argv: readonly string[], place: CommandPlace): Promise<Judgement> {
  return (await loadJudge()).judgeArguments(program, argv, place)
}

/** The judge itself, for those who judge many lines. */
export function loadJudge() {
  return import('./judge.ts')
}
