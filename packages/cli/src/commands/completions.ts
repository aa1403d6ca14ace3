import { type CommandEntry, defineCommand } from '../command.ts'
import { describeProgram } from '../completions/describe-program.ts'
import { EXIT } from '../exit-code.ts'

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

/** `maru completions SHELL`: a script made from the tables that the program itself reads. */
export function createCompletions(commands: { readonly [name: string]: CommandEntry }) {
  return defineCommand({
    usage: ['completions bash|zsh|fish|powershell'],
    details: 'completions.details',
    options: {},
    positionals: [{ name: 'SHELL', choices: SHELLS }],
    async run({ json, positionals, stdout, t }) {
      const shell = SHELLS.find((name) => name === positionals[0]) ?? 'bash'
      const write = await writerFor(shell)
      const script = write(await describeProgram(commands, t))
      if (json) await stdout.line(JSON.stringify({ shell, script }))
      else await stdout.write(script)
      return EXIT.done
    },
  })
}

async function writerFor(shell: (typeof SHELLS)[number]) {
  switch (shell) {
    case 'bash':
      return (await import('../completions/bash.ts')).bashCompletions
    case 'zsh':
      return (await import('../completions/zsh.ts')).zshCompletions
    case 'fish':
      return (await import('../completions/fish.ts')).fishCompletions
    case 'powershell':
      return (await import('../completions/powershell.ts')).powershellCompletions
    default:
      return shell satisfies never
  }
}
