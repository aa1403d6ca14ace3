import { createMasking, type Masking, mayHoldSecret } from '@maru/guard'
import type { Environment } from '../environment.ts'

/** The masker of a session, and how the parts of it that cannot wait use it. */
export interface SessionMasking extends Masking {
  /** A value of the configuration that is secret wherever it stands. */
  know(value: string): void
  /** What a person says, without the secrets in it. */
  admit(text: string): Promise<string>
  /** For the log, which cannot wait: without values that are known by now. */
  maskStored(text: string): string
}

export function createSessionMasking({ home, env }: { home: string; env: Environment }): SessionMasking {
  const values: string[] = []
  const masking = createMasking(async () => {
    const { keyedDigest } = await import('./mask-key.ts')
    return { digest: keyedDigest(home), environment: env, values }
  })
  return {
    load: masking.load,
    get loaded() {
      return masking.loaded
    },
    know(value) {
      values.push(value)
      // One that is at work already learns it as it does from a file that holds nothing but secrets.
      masking.loaded?.maskSecretFile(`KEY=${value}\n`, '.env')
    },
    async admit(text) {
      if (!masking.loaded && !mayHoldSecret(text) && !holdsOwn(text, env)) return text
      return (await masking.load()).mask(text, 'person')
    },
    maskStored: (text) => masking.loaded?.maskKnown(text) ?? text,
  }
}

// Names are asked before values: there are many, and hardly one counts.
function holdsOwn(text: string, env: Environment): boolean {
  return Object.entries(env).some(
    ([name, value]) =>
      value !== undefined && value.length >= 8 && /key|token|secret|pass|auth|cred/i.test(name) && text.includes(value),
  )
}
