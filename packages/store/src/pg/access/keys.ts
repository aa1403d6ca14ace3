import { LogError } from '@maru/protocol'
import { type Engine, toTime } from '../engine.ts'
import { storableText } from '../message-row.ts'
import type { Access, Key, Person, Scope } from './access.ts'
import { isNumber, PERSON } from './people.ts'

const SCOPES: readonly Scope[] = ['read', 'write', 'run', 'admin']
const HASH = /^[0-9a-f]{64}$/
const LONGEST_LABEL = 200

const COLUMNS = `k.id as "keyId", k.kind, k.label, k.scopes, k.created_at as "keyAt", k.expires_at as "expiresAt",
  k.used_at as "usedAt", ${PERSON}`

interface KeyRow extends Person {
  keyId: string
  kind: Key['kind']
  label: string
  scopes: Scope[]
  keyAt: number
  expiresAt: number | null
  usedAt: number | null
}

/**
 * The statement on the path of each request. It also writes down that the key was used, at most once a minute: whoever
 * waits for the row finds it written by then.
 */
export const FIND_KEY = `
  with used as (
    update maru.key set used_at = clock_timestamp() where hash = $1 and revoked_at is null
      and (expires_at is null or expires_at > clock_timestamp())
      and (used_at is null or used_at < clock_timestamp() - interval '1 min')
  )
  select ${COLUMNS} from maru.key k join maru.account a on a.id = k.owner
  where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())`

type Keys = Pick<Access, 'addKey' | 'findKey' | 'keys' | 'revokeKey' | 'renewKey' | 'addOneTime' | 'takeOneTime'>

export function createKeys(engine: Engine): Keys {
  return {
    async addKey({ kind, owner, hash, label, scopes, expiresAt }) {
      expectHash(hash)
      if (scopes.length === 0 || !scopes.every((scope) => SCOPES.includes(scope))) {
        throw new LogError('rejected', `a key is for some of ${SCOPES.join(', ')}`)
      }
      const [row] = await engine.asOwner(async (db) => {
        await db.query(FORGET_KEYS, [])
        return db.query<KeyRow>(
          `with k as (insert into maru.key (kind, owner, hash, label, scopes, expires_at)
             select $1, id, $3, $4, $5::text[], $6 from maru.account where id = $2 on conflict do nothing returning *)
           select ${COLUMNS} from k join maru.account a on a.id = k.owner`,
          [
            kind,
            isNumber(owner) ? owner : null,
            hash,
            storableText(label.slice(0, LONGEST_LABEL)),
            SCOPES.filter((scope) => scopes.includes(scope)),
            expiresAt === undefined ? null : toTime(expiresAt),
          ],
        )
      })
      if (!row) throw new LogError('rejected', `there is no person ${owner}, or such a key is there already`)
      return keyOf(row)
    },

    async findKey(hash) {
      if (!HASH.test(hash)) return undefined
      const [row] = await engine.asOwner((db) => db.query<KeyRow>(FIND_KEY, [hash]))
      return row && keyOf(row)
    },

    async keys(owner) {
      if (owner !== undefined && !isNumber(owner)) return []
      const rows = await engine.asOwner((db) =>
        db.query<KeyRow>(
          `select ${COLUMNS} from maru.key k join maru.account a on a.id = k.owner
           where k.revoked_at is null and ($1::uuid is null or k.owner = $1) order by k.created_at, k.id`,
          [owner ?? null],
        ),
      )
      return rows.map(keyOf)
    },

    async revokeKey(id) {
      if (!isNumber(id)) return false
      const sql = `update maru.key set revoked_at = clock_timestamp() where id = $1 and revoked_at is null returning id`
      return (await engine.asOwner((db) => db.query(sql, [id]))).length > 0
    },

    async renewKey(id, { hash, expiresAt }) {
      expectHash(hash)
      if (!isNumber(id)) return false
      const renewed = await engine.asOwner((db) =>
        db.query(
          `update maru.key set hash = $2, expires_at = coalesce($3, expires_at) where id = $1 and revoked_at is null
             and (expires_at is null or expires_at > clock_timestamp()) returning id`,
          [id, hash, expiresAt === undefined ? null : toTime(expiresAt)],
        ),
      )
      return renewed.length > 0
    },

    async addOneTime({ kind, owner, hash, expiresAt }) {
      expectHash(hash)
      const added = await engine.asOwner(async (db) => {
        await db.query('delete from maru.one_time where expires_at < clock_timestamp()', [])
        // The same short code twice is the newer one's.
        return db.query(
          `insert into maru.one_time (kind, owner, hash, expires_at) select $1, id, $3, $4 from maru.account where id = $2
           on conflict (kind, hash) do update set owner = excluded.owner, expires_at = excluded.expires_at returning kind`,
          [kind, isNumber(owner) ? owner : null, hash, toTime(expiresAt)],
        )
      })
      if (added.length === 0) throw new LogError('missing', `there is no person ${owner}`)
    },

    async takeOneTime(kind, hash) {
      if (!HASH.test(hash)) return undefined
      // Whoever deletes the row has it; the others wait, and find nothing.
      const [row] = await engine.asOwner((db) =>
        db.query<Person & { isGood: boolean }>(
          `with t as (delete from maru.one_time where kind = $1 and hash = $2 returning owner, expires_at)
           select ${PERSON}, t.expires_at > clock_timestamp() as "isGood" from t join maru.account a on a.id = t.owner`,
          [kind, hash],
        ),
      )
      if (!row) return undefined
      const { isGood, ...person } = row
      return isGood ? person : undefined
    },
  }
}

// What has been over for a month is of no use even to whoever looks at the list.
const FORGET_KEYS = `delete from maru.key where least(revoked_at, expires_at) < clock_timestamp() - interval '30 days'`

function expectHash(hash: string): void {
  if (!HASH.test(hash)) throw new LogError('rejected', 'a secret is stored as its SHA-256, in hexadecimal digits')
}

function keyOf({ keyId, kind, label, scopes, keyAt, expiresAt, usedAt, ...person }: KeyRow): Key {
  return {
    id: keyId,
    kind,
    person,
    label,
    scopes,
    createdAt: keyAt,
    ...(expiresAt !== null && { expiresAt }),
    ...(usedAt !== null && { lastUsedAt: usedAt }),
  }
}
