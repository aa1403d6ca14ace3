import { randomBytes } from 'node:crypto'

/** What a hash costs: 19 MiB and two passes, as OWASP asks of argon2id. */
const COST = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 } as const
const SALT_BYTES = 16

// What a hash may ask of us, wherever it came from: one of a strange file must not take all the memory there is.
const MOST_MEMORY = 262_144
const MOST_PASSES = 10
const MOST_LANES = 8

/** A password as it is stored: argon2id in its encoded form, which says its own cost. */
export async function hashPassword(password: string): Promise<string> {
  const { argon2id } = await import('hash-wasm')
  return argon2id({ ...COST, password: lettersOf(password), salt: randomBytes(SALT_BYTES), outputType: 'encoded' })
}

/**
 * Whether it is that password. Without a hash (nobody of that name, or somebody without a password) it takes as long and is
 * false, so that nobody learns by the clock who exists.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const { argon2Verify } = await import('hash-wasm')
  const isMatch = await argon2Verify({ password: lettersOf(password), hash: isAffordable(hash) ? hash : NOBODYS })
  return isMatch && isAffordable(hash)
}

// Of a password that nobody has: it only has to cost as much.
const NOBODYS = '$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5IGhhcyB0aGlzMA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

function isAffordable(hash: string | undefined): hash is string {
  const [, memory, passes, lanes] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$[\w+/]{11,}\$[\w+/]{16,}$/.exec(hash ?? '') ?? []
  return Number(memory) <= MOST_MEMORY && Number(passes) <= MOST_PASSES && Number(lanes) <= MOST_LANES
}

// The same letters, typed in pieces on another machine, are the same password. An empty one the library refuses.
function lettersOf(password: string): string {
  const letters = password.normalize('NFC')
  return letters === '' ? '\0' : letters
}
