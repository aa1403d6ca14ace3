import type { TerminalPort } from '../src/index.ts'
import type { VirtualTerminal } from './virtual-terminal.ts'

/** A port that writes to a virtual terminal, or holds everything back as a terminal does that was stopped with Ctrl-S. */
export class VirtualPort implements TerminalPort {
  readonly writes: string[] = []
  isStopped = false
  private waiting: (() => void)[] = []
  readonly terminal: VirtualTerminal

  constructor(terminal: VirtualTerminal) {
    this.terminal = terminal
  }

  get columns(): number {
    return this.terminal.columns
  }

  get rows(): number {
    return this.terminal.rows
  }

  write(text: string, done: () => void = () => {}): boolean {
    this.writes.push(text)
    const take = () => {
      this.terminal.write(text)
      done()
    }
    if (this.isStopped) this.waiting.push(take)
    else take()
    return !this.isStopped
  }

  /** The terminal takes everything that was held back. */
  release(): void {
    this.isStopped = false
    for (const take of this.waiting.splice(0)) take()
  }
}
