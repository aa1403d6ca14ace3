import { createMasking } from '@maru/guard'
import type { Invocation } from '../command.ts'

/** Takes secrets out of what comes in, by the same masks as everywhere on this machine. */
export async function openImportMask({ config, env, home }: Invocation): Promise<(text: string) => string> {
  const { settings } = await config()
  const values = Object.values(settings.keys).filter((key) => typeof key === 'string')
  const { keyedDigest } = await import('../session/mask-key.ts')
  const masker = await createMasking(async () => ({ digest: keyedDigest(home), environment: env, values })).load()
  return (text) => masker.mask(text)
}
