/** What the process says to its caller; scripts rely on these numbers. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  limit: 4,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
