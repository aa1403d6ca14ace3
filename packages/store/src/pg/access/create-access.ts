import type { Engine } from '../engine.ts'
import { storableText } from '../message-row.ts'
import type { Access } from './access.ts'
import { createAudit } from './audit.ts'
import { createKeys } from './keys.ts'
import { createPeople } from './people.ts'

/** Who may come in, as the database knows it. `onRemoved` hears whose sessions are gone, after they are. */
export function createAccess(
  engine: Engine,
  onRemoved: (owner: string, sessions: string[]) => void = () => undefined,
): Access {
  return {
    ...createPeople(engine, onRemoved),
    ...createKeys(engine),
    ...createAudit(engine),

    async take(subject, kind, { amount = 1, capacity, perMinute }) {
      const [row] = await engine.asOwner((db) =>
        db.query<{ wait: number }>('select maru.allow($1, $2, $3::float8, $4::float8, $5::float8) as wait', [
          storableText(subject),
          storableText(kind),
          amount,
          capacity,
          perMinute / 60,
        ]),
      )
      return row?.wait ?? 0
    },
  }
}
