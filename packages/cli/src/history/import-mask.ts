import { createMasking } from '@maru/guard'
import type { Invocation } from '../command.ts'

/** Takes secrets out of what comes in, by the same masks as everywhere on this machine. */
export async function openImportMask({ config, env, home }: Invocation): Promise<(text: string) => string> {
  const { settings } = await config()
  const values = Object.values(settings.keys).filter((key) => typeof key === 'string')
  const { keyedDigest } = await import('../session/mask-key.ts')
  const masker = await createMasking(async () => ({ digest: keyedDigest(home), environment: env, values })).load()
  return remembering((text) => masker.mask(text))
}

// Units of text. What is stored was looked at a moment before, to count what is sensitive.
const REMEMBERED = 4_000_000

function remembering(mask: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  let units = 0
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const masked = mask(text)
    units += text.length
    if (units > REMEMBERED) {
      known.clear()
      units = text.length
    }
    known.set(text, masked)
    return masked
  }
}
