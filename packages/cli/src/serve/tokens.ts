import { randomBytes } from 'node:crypto'
import { type Access, sha256 } from '@maru/store'

/** Keys that are good as long as this server runs. */
export interface PassingTokens {
  create(label: 'json' | 'local'): Promise<string>
  revoke(): Promise<void>
}

/** Those of a server of the same home that was killed are taken back first. */
export async function openPassingTokens(access: Access, owner: string, home: string): Promise<PassingTokens> {
  const labelOf = (use: string) => `maru serve ${use} ${home}`
  const labels = new Set(['json', 'local'].map(labelOf))
  for (const { id, label } of await access.keys(owner)) if (labels.has(label)) await access.revokeKey(id)
  const made: string[] = []
  return {
    async create(use) {
      const token = `maru_${randomBytes(32).toString('base64url')}`
      const { id } = await access.addKey({
        kind: 'token',
        owner,
        hash: sha256(token),
        label: labelOf(use),
        scopes: ['read', 'write', 'run', 'admin'],
      })
      made.push(id)
      return token
    },
    async revoke() {
      for (const id of made.splice(0)) await access.revokeKey(id)
    },
  }
}
