/** Milliseconds of a clock that only goes forward. The global `performance` would load modules of its own first. */
export function clock(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
