import type { Diagnostic } from '@maru/protocol'
import type { OnOutput } from '../command/read-output.ts'

/** Listens to what a command says, for words that the sandbox may be the cause of. */
export interface HintReader {
  readonly onOutput: OnOutput
  found(): Diagnostic[]
}

const KEPT = 8_192

/** Passes output on and remembers the end of it, where errors stand. */
export function readHints(onOutput: OnOutput): HintReader {
  const tails = { stdout: '', stderr: '' }
  return {
    onOutput(stream, bytes) {
      tails[stream] = (tails[stream] + Buffer.from(bytes.subarray(-KEPT)).toString('latin1')).slice(-KEPT)
      return onOutput(stream, bytes)
    },
    found: () => sandboxHints(`${tails.stderr}\n${tails.stdout}`),
  }
}

const CAUSES: { pattern: RegExp; diagnostic: Diagnostic }[] = [
  {
    pattern: /read-only file system|EROFS|device or resource busy|EBUSY/i,
    diagnostic: {
      code: 'sandbox',
      message: 'The sandbox lets a command write only in the workspace and in /tmp, and not to protected files.',
      hint: 'Write there instead, change a protected file with a file tool, or ask the user to run it.',
    },
  },
  {
    pattern:
      /could not resolve host|name or service not known|temporary failure in name resolution|network is unreachable|\b(EAI_AGAIN|ENOTFOUND|ENETUNREACH)\b|dial tcp: lookup|failed to lookup address|no route to host/i,
    diagnostic: {
      code: 'sandbox',
      message: 'The sandbox gives this command no network, but for servers that commands of this session run.',
      hint: 'Do without, or tell the user which host is needed and why; do not try another way.',
    },
  },
  {
    pattern: /operation not permitted|\bEPERM\b|no new privileges|must be run as root|are you root\?/i,
    diagnostic: {
      code: 'sandbox',
      message: 'In the sandbox a command has no more rights than it needs: no sudo, no mounts, no other processes.',
      hint: 'Find a way without them, or ask the user to run it.',
    },
  },
]

/** What the sandbox may have to do with an output like this: hints for the model, not findings. */
export function sandboxHints(text: string): Diagnostic[] {
  return CAUSES.filter(({ pattern }) => pattern.test(text)).map(({ diagnostic }) => diagnostic)
}
