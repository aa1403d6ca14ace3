import type { Invocation } from '../command.ts'
import { openHistoryFor } from '../history/open-history-for.ts'
import { type Keeper, NOTES_SHOWN } from './keeper.ts'
import { newToken } from './new-token.ts'
import { hashOf } from './read-password.ts'

/** This process opens the history itself. The sessions in files have nothing to do with who may come in. */
export async function openOwnKeeper(invocation: Invocation): Promise<{ keeper: Keeper; close(): Promise<void> }> {
  const { history, own, close } = await openHistoryFor(invocation, { hasMirror: false })
  const { access } = history
  const note = (action: string, detail: string) => access.note({ owner: own.owner, action, door: 'terminal', detail })
  const keeper: Keeper = {
    me: own.owner,
    async people() {
      const people = await access.people()
      return Promise.all(
        people.map(async (person) => {
          const found = await access.findPerson(person.name)
          return { ...person, hasPassword: found?.passwordHash !== undefined }
        }),
      )
    },
    find: (name) => access.findPerson(name),
    async add(name, password) {
      const hash = password === undefined ? undefined : await hashOf(password)
      const person = await access.addPerson(name)
      if (hash !== undefined) await access.setPassword(person.id, hash)
      await note('user-add', person.name)
      return person
    },
    async setPassword({ id, name }, password) {
      await access.setPassword(id, await hashOf(password))
      await note('user-password', name)
    },
    async count({ id }) {
      const theirs = await history.openOwner(id)
      const { conversations } = await theirs.conversations.usage()
      await theirs.log.close()
      return conversations
    },
    async remove({ id, name }) {
      await access.removePerson(id)
      await note('user-remove', name)
    },
    keys: (person) => access.keys(person?.id),
    async addToken({ person, label, scopes, expiresAt }) {
      const owner = person?.id ?? own.owner
      const { token, hash } = newToken()
      const key = await access.addKey({
        ...{ kind: 'token', owner, hash, label, scopes },
        ...(expiresAt !== undefined && { expiresAt }),
      })
      await note('key-made', `${key.id} ${key.scopes.join(' ')}`)
      return { token, key }
    },
    async revoke({ id }) {
      if (!(await access.revokeKey(id))) return false
      await note('key-revoked', id)
      return true
    },
    notes: (person) => access.audit({ limit: NOTES_SHOWN, ...(person && { owner: person.id }) }),
  }
  return { keeper, close }
}
