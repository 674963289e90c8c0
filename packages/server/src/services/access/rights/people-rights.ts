import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { Grant } from '@burgee/protocol/grant'
import { assignmentsOf } from '../../../store/access/assignments.ts'
import type { UserRow } from '../../../store/access/users.ts'
import type { Reader } from '../../../store/database.ts'
import type { World } from '../../world.ts'
import { grantsOf, type Roles, readRoles } from './grants.ts'

/** Cached rights of users. */
export interface PeopleRights {
  /** Returns the grants of a user from all of the user's roles. Rejects on database errors. */
  of(user: Pick<UserRow, 'id' | 'root_role'>): Promise<readonly Grant[]>
}

interface Answers {
  /** Grants by user and root role. */
  readonly grants: BoundedCache<readonly Grant[]>
  roles: Promise<Roles> | undefined
  /** Queries in flight. */
  readonly asked: Map<string, Promise<readonly Grant[]>>
}

const MOST = { entries: 10_000, bytes: 32 * 1024 * 1024 }
const BYTES_OF_A_GRANT = 80

/** Prefixes of event types after which rights may differ. */
const ABOUT_RIGHTS = ['role-', 'group-', 'project-', 'environment-', 'user-', 'service-account-', 'instance-']

/**
 * Creates the cache, which is cleared when anything changes that rights depend on. A change of rights applies once it
 * is published, before the change request is answered; other nodes follow as soon as they receive it. Concurrent
 * lookups of the same user share one query.
 */
export function createPeopleRights({ db, broadcast }: Pick<World, 'db' | 'broadcast'>): PeopleRights {
  let answers = noAnswers()
  const forget = () => {
    answers = noAnswers()
  }
  broadcast.subscribe((events) => {
    if (events.some(({ type }) => ABOUT_RIGHTS.some((beginning) => type.startsWith(beginning)))) forget()
  }, forget)
  const ask = async (user: Pick<UserRow, 'id' | 'root_role'>, key: string, into: Answers) => {
    try {
      into.roles ??= db.view(readRoles)
      const roles = await into.roles.catch((error: unknown) => {
        into.roles = undefined
        throw error
      })
      const grants = grantsOf(user.root_role, await assignmentsOf(db.reader, user.id), roles)
      into.grants.set(key, grants)
      into.grants.resize(key, grants, grants.length * BYTES_OF_A_GRANT)
      return grants
    } finally {
      into.asked.delete(key)
    }
  }
  return {
    async of(user) {
      // capture the maps before the query: a change during the query replaces the maps, and so discards the result
      const current = answers
      const key = `${user.id} ${user.root_role}`
      const known = current.grants.get(key)
      if (known !== undefined) return known
      const asking = current.asked.get(key) ?? ask(user, key, current)
      current.asked.set(key, asking)
      return asking
    },
  }
}

/** Reads the grants of a user without the cache, in the transaction of a change or in a consistent read. */
export async function rightsOf(reader: Reader, user: Pick<UserRow, 'id' | 'root_role'>): Promise<readonly Grant[]> {
  return grantsOf(user.root_role, await assignmentsOf(reader, user.id), await readRoles(reader))
}

function noAnswers(): Answers {
  return { grants: new BoundedCache(MOST), roles: undefined, asked: new Map() }
}
