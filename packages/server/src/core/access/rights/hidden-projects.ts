import { BoundedCache } from '@burgee/kit/bounded-cache'
import { invalid } from '@burgee/kit/input/refusals'
import type { Grant } from '@burgee/protocol/grant'
import { isGranted } from '@burgee/protocol/grant'
import type { Reader } from '@burgee/storage/database'
import { type Assignment, listAssignments } from '@burgee/storage/queries/access/assignments'
import { listPrivateProjects } from '@burgee/storage/queries/projects/private-projects'
import type { World } from '../../world.ts'

/** Projects hidden from the caller of a request. */
export interface CallerVisibility {
  readonly hidden?: readonly string[] | undefined
}

/** Cache of the projects that are hidden from each user. */
export interface HiddenProjects {
  /**
   * Returns the sorted ids of the private projects in which a user has no role, neither directly nor through a group.
   * Includes removed projects. Returns an empty list for admins. Rejects on database errors.
   */
  from(userId: number, grants: readonly Grant[]): Promise<readonly string[]>
}

interface VisibilityCache {
  secret: Promise<readonly string[]> | undefined
  /** Hidden projects, keyed by user. */
  readonly hidden: BoundedCache<readonly string[]>
}

const NONE: readonly string[] = []
const CACHE_BOUNDS = { entries: 10_000 }
/** Prefixes of event types after which projects may become visible to or hidden from users. */
const MEMBERSHIP_EVENT_PREFIXES = ['project-', 'group-', 'role-', 'user-', 'service-account-', 'instance-']

/** Creates the cache. Every event that can affect this clears the cache, including events from other nodes. */
export function createHiddenProjects({ db, broadcast }: Pick<World, 'db' | 'broadcast'>): HiddenProjects {
  let answers = createVisibilityCache()
  const forget = () => {
    answers = createVisibilityCache()
  }
  broadcast.subscribe((events) => {
    if (events.some(({ type }) => isMembershipEvent(type))) forget()
  }, forget)
  return {
    async from(userId, grants) {
      if (isGranted(grants, 'ADMIN', {})) return NONE
      // capture the cache before the query: a change during the query replaces the cache, so the result is discarded
      const current = answers
      current.secret ??= listPrivateProjects(db.reader).catch((error: unknown) => {
        current.secret = undefined
        throw error
      })
      const secret = await current.secret
      if (secret.length === 0) return NONE
      const known = current.hidden.get(String(userId))
      if (known !== undefined) return known
      const hidden = await listProjectsWithoutRole(db.reader, secret, userId)
      current.hidden.set(String(userId), hidden)
      return hidden
    },
  }
}

/** Reads a user's hidden projects from the database, without the cache. */
export async function readHiddenProjects(
  reader: Reader,
  userId: number,
  grants: readonly Grant[],
): Promise<readonly string[]> {
  if (isGranted(grants, 'ADMIN', {})) return NONE
  return listProjectsWithoutRole(reader, await listPrivateProjects(reader), userId)
}

async function listProjectsWithoutRole(reader: Reader, secret: readonly string[], userId: number): Promise<string[]> {
  return secret.length === 0 ? [] : getHiddenFrom(secret, await listAssignments(reader, userId))
}

/** Returns the private projects in which a user has no role. The user must not be an admin. */
export function getHiddenFrom(
  secret: readonly string[],
  assignments: readonly Pick<Assignment, 'project'>[],
): string[] {
  const own = new Set(assignments.map(({ project }) => project))
  return secret.filter((project) => !own.has(project))
}

/** Returns true if events of a type can change which projects a user can see. */
export function isMembershipEvent(type: string): boolean {
  return MEMBERSHIP_EVENT_PREFIXES.some((beginning) => type.startsWith(beginning))
}

/** Returns the rows whose project is not hidden. */
export function filterVisible<T>(
  hidden: readonly string[] = NONE,
  rows: readonly T[],
  projectOf: (row: T) => string | null,
): T[] {
  return rows.filter((row) => {
    const project = projectOf(row)
    return project === null || !hidden.includes(project)
  })
}

/**
 * Returns the name that an error message uses for an item of a project. If the project is hidden from the caller,
 * returns a generic name.
 */
export function getNameFor(hidden: readonly string[] = NONE, project: string | null, name: string): string {
  return project !== null && hidden.includes(project) ? 'a private project' : name
}

/**
 * Throws ValidationError if a body names a project that is hidden from the caller. The error is the same as for an
 * unknown project.
 */
export function rejectHiddenProjects(hidden: readonly string[] = NONE, projects: readonly string[]): void {
  const named = projects.find((project) => hidden.includes(project))
  if (named !== undefined) throw invalid(`There is no project "${named}".`, 'body/projects')
}

function createVisibilityCache(): VisibilityCache {
  return { secret: undefined, hidden: new BoundedCache(CACHE_BOUNDS) }
}
