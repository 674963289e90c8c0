import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { Grant } from '@burgee/protocol/grant'
import type { Reader } from '@burgee/storage/database'
import { listAssignments } from '@burgee/storage/queries/access/assignments'
import type { UserRow } from '@burgee/storage/queries/access/users'
import type { World } from '../../world.ts'
import { type Roles, readRoles, resolveGrants } from './grants.ts'

/** Cached rights of users. */
export interface PeopleRights {
  /** Returns the grants of a user from all of the user's roles. Rejects on database errors. */
  getGrants(user: Pick<UserRow, 'id' | 'root_role'>): Promise<readonly Grant[]>
}

interface RightsCache {
  /** Grants, keyed by user and root role. */
  readonly grants: BoundedCache<readonly Grant[]>
  roles: Promise<Roles> | undefined
  /** Queries in flight. */
  readonly inFlight: Map<string, Promise<readonly Grant[]>>
}

const CACHE_BOUNDS = { entries: 10_000, bytes: 32 * 1024 * 1024 }
const GRANT_BYTES = 80

/** Prefixes of event types that may change rights. */
const RIGHTS_EVENT_PREFIXES = ['role-', 'group-', 'project-', 'environment-', 'user-', 'service-account-', 'instance-']

/**
 * Creates the cache. Every event that can change rights clears the cache. On this node, changed rights apply before the
 * reply to the request that changed them. Other nodes apply changed rights as soon as they receive the event.
 * Concurrent lookups of the same user share one query.
 */
export function createPeopleRights({ db, broadcast }: Pick<World, 'db' | 'broadcast'>): PeopleRights {
  let answers = createRightsCache()
  const forget = () => {
    answers = createRightsCache()
  }
  broadcast.subscribe((events) => {
    if (events.some(({ type }) => RIGHTS_EVENT_PREFIXES.some((beginning) => type.startsWith(beginning)))) forget()
  }, forget)
  const ask = async (user: Pick<UserRow, 'id' | 'root_role'>, key: string, into: RightsCache) => {
    try {
      into.roles ??= db.view(readRoles)
      const roles = await into.roles.catch((error: unknown) => {
        into.roles = undefined
        throw error
      })
      const grants = resolveGrants(user.root_role, await listAssignments(db.reader, user.id), roles)
      into.grants.set(key, grants)
      into.grants.resize(key, grants, grants.length * GRANT_BYTES)
      return grants
    } finally {
      into.inFlight.delete(key)
    }
  }
  return {
    async getGrants(user) {
      // capture the maps before the query: a change during the query replaces the maps, so the result is discarded
      const current = answers
      const key = `${user.id} ${user.root_role}`
      const known = current.grants.get(key)
      if (known !== undefined) return known
      const asking = current.inFlight.get(key) ?? ask(user, key, current)
      current.inFlight.set(key, asking)
      return asking
    },
  }
}

/**
 * Reads the grants of a user from the database, without the cache, within the transaction of a change or a consistent
 * read.
 */
export async function readGrants(reader: Reader, user: Pick<UserRow, 'id' | 'root_role'>): Promise<readonly Grant[]> {
  return resolveGrants(user.root_role, await listAssignments(reader, user.id), await readRoles(reader))
}

function createRightsCache(): RightsCache {
  return { grants: new BoundedCache(CACHE_BOUNDS), roles: undefined, inFlight: new Map() }
}
