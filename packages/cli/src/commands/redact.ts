import { createMasking } from '@maru/guard'
import { defineCommand, type Invocation } from '../command.ts'
import { EXIT } from '../exit-code.ts'

/** `maru redact`: stdin to stdout with secrets masked, line by line as they come. */
export const redact = defineCommand({
  usage: ['redact'],
  details: 'redact.details',
  options: {},
  positionals: [],
  async run(invocation) {
    const { stdin, stdout, signal } = invocation
    const masker = (await openMasker(invocation)).stream()
    // One sign per byte: what is no UTF-8 comes out as it came in.
    for await (const chunk of stdin) {
      if (signal.aborted) return EXIT.interrupted
      const masked = masker.push(asLatin1(chunk))
      if (masked !== '') await stdout.write(Buffer.from(masked, 'latin1'))
    }
    await stdout.write(Buffer.from(masker.end(), 'latin1'))
    return EXIT.done
  },
})

function asLatin1(chunk: Uint8Array | string): string {
  if (typeof chunk === 'string') return Buffer.from(chunk).toString('latin1')
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1')
}

async function openMasker({ env, config }: Invocation) {
  const { settings } = await config()
  const { passingDigest } = await import('../session/mask-key.ts')
  const values = Object.values(settings.keys).filter((key) => typeof key === 'string')
  const source = { digest: passingDigest(), environment: env, values, isContactSecret: true }
  return createMasking(async () => source).load()
}
