import { LogError } from '@maru/protocol'
import type { Engine } from '../engine.ts'
import { storableText } from '../message-row.ts'
import type { Access, Person } from './access.ts'

/** A person as a row gives them. */
export const PERSON = 'a.id, a.name, a.created_at as "createdAt"'

const LONGEST_NAME = 100
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether something can be the number of a person or a key; the database would call anything else an error. */
export function isNumber(id: string): boolean {
  return UUID.test(id)
}

type People = Pick<Access, 'people' | 'addPerson' | 'findPerson' | 'setPassword' | 'removePerson'>

/** `onRemoved` hears whose sessions are gone, after they are. */
export function createPeople(engine: Engine, onRemoved: (owner: string, sessions: string[]) => void): People {
  return {
    people: () =>
      engine.asOwner((db) => db.query<Person>(`select ${PERSON} from maru.account a order by created_at, name`, [])),

    async addPerson(name) {
      const wanted = storableText(name)
      if (!isName(wanted))
        throw new LogError('rejected', `a name has 1 to ${LONGEST_NAME} letters and no space around it`)
      const [added] = await engine.asOwner((db) =>
        db.query<Person>(
          `insert into maru.account as a (name) values ($1) on conflict do nothing returning ${PERSON}`,
          [wanted],
        ),
      )
      if (!added) throw new LogError('exists', `there is a person ${wanted} already`)
      return added
    },

    async findPerson(name) {
      const [found] = await engine.asOwner((db) =>
        db.query<Person & { hash: string | null }>(
          `select ${PERSON}, p.hash from maru.account a left join maru.password p on p.owner = a.id where a.name = $1`,
          [storableText(name)],
        ),
      )
      if (!found) return undefined
      const { hash, ...person } = found
      return { ...person, ...(hash !== null && { passwordHash: hash }) }
    },

    async setPassword(owner, passwordHash, except) {
      if (!isNumber(owner)) throw nobody(owner)
      return engine.asOwner(async (db) => {
        if (passwordHash === undefined) await db.query('delete from maru.password where owner = $1', [owner])
        else {
          await db.query(
            `insert into maru.password (owner, hash) select id, $2 from maru.account where id = $1
             on conflict (owner) do update set hash = excluded.hash, changed_at = clock_timestamp()`,
            [owner, passwordHash],
          )
        }
        const found = await db.query('select from maru.account where id = $1', [owner])
        if (found.length === 0) throw nobody(owner)
        const ended = await db.query<{ id: string }>(
          `update maru.key set revoked_at = clock_timestamp()
           where owner = $1 and kind = 'cookie' and revoked_at is null and id is distinct from $2::uuid returning id`,
          [owner, except ?? null],
        )
        return ended.map(({ id }) => id)
      })
    },

    async removePerson(owner) {
      if (!isNumber(owner)) return
      const sessions = await engine.asOwner(async (db) => {
        // Locked, so that no session begins that nobody would hear the end of.
        await db.query('select from maru.account where id = $1 for update', [owner])
        const named = await db.query<{ id: string }>(
          'select id from maru.conversation where owner = $1 and id is not null order by no',
          [owner],
        )
        // The rest goes with the account, each from its own key.
        await db.query('delete from maru.allowance where subject = $1', [owner])
        await db.query('delete from maru.account where id = $1', [owner])
        engine.noteErasing()
        return named.map(({ id }) => id)
      })
      onRemoved(owner, sessions)
    },
  }
}

// No signs that a terminal or a log would take for something else.
function isName(name: string): boolean {
  return name !== '' && name === name.trim() && name.length <= LONGEST_NAME && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)
}

function nobody(owner: string): LogError {
  return new LogError('missing', `there is no person ${owner}`)
}
