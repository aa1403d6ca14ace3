import type { Engine } from '../engine.ts'
import { storableText } from '../message-row.ts'
import type { Access, AuditNote } from './access.ts'
import { isNumber } from './people.ts'

// So many notes are kept: whoever knocks without end must not fill the disk.
const KEPT = 100_000
const LONGEST = 1_000
const LIMIT = 100
const MOST = 1_000

export function createAudit(engine: Engine): Pick<Access, 'note' | 'audit'> {
  return {
    async note({ owner, action, door, address, detail }) {
      const texts = [action, door, address, detail].map((text) =>
        text === undefined ? null : storableText(text.slice(0, LONGEST)),
      )
      // Of somebody who was removed meanwhile, it is a note about nobody.
      await engine.asOwner((db) =>
        db.query(
          `with added as (insert into maru.audit (owner, action, door, address, detail)
             values ((select id from maru.account where id = $1::uuid), $2, $3, $4, $5) returning no)
           delete from maru.audit where no <= (select no from added) - ${KEPT}`,
          [owner !== undefined && isNumber(owner) ? owner : null, ...texts],
        ),
      )
    },

    async audit({ owner, limit = LIMIT } = {}) {
      if (owner !== undefined && !isNumber(owner)) return []
      const rows = await engine.asOwner((db) =>
        db.query<{ [Name in keyof AuditNote]-?: AuditNote[Name] | null }>(
          `select n.at, a.name as user, n.action, n.door, n.address, n.detail
           from maru.audit n left join maru.account a on a.id = n.owner
           where $1::uuid is null or n.owner = $1 order by n.no desc limit $2`,
          [owner ?? null, Math.min(Math.max(1, Math.trunc(limit) || LIMIT), MOST)],
        ),
      )
      return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as never)
    },
  }
}
