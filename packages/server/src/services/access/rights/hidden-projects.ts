import { BoundedCache } from '@burgee/kit/bounded-cache'
import { invalid } from '@burgee/kit/input/refusals'
import type { Grant } from '@burgee/protocol/grant'
import { isGranted } from '@burgee/protocol/grant'
import { type Assignment, assignmentsOf } from '../../../store/access/assignments.ts'
import type { Reader } from '../../../store/database.ts'
import { privateProjects } from '../../../store/projects/private-projects.ts'
import type { World } from '../../world.ts'

/** What of the rest whoever asks may not see. */
export interface Seen {
  readonly hidden?: readonly string[] | undefined
}

/** Which projects somebody may not know of, without a question to the database each time. */
export interface HiddenProjects {
  /**
   * Ids, in order, of private projects in which a person has no role, by themselves or by a group, and of those that
   * were removed; none for who may do everything. Throws what the database throws.
   */
  from(userId: number, grants: readonly Grant[]): Promise<readonly string[]>
}

interface Answers {
  secret: Promise<readonly string[]> | undefined
  /** By person. */
  readonly hidden: BoundedCache<readonly string[]>
}

const NONE: readonly string[] = []
const MOST = { entries: 10_000 }
/** Beginnings of types of events after which a project may be another one's. */
const ABOUT_MEMBERS = ['project-', 'group-', 'role-', 'user-', 'service-account-', 'instance-']

/** Keeps answers until something happens that they follow from, here or on another node. */
export function createHiddenProjects({ db, broadcast }: Pick<World, 'db' | 'broadcast'>): HiddenProjects {
  let answers = noAnswers()
  const forget = () => {
    answers = noAnswers()
  }
  broadcast.subscribe((events) => {
    if (events.some(({ type }) => isAboutMembers(type))) forget()
  }, forget)
  return {
    async from(userId, grants) {
      if (isGranted(grants, 'ADMIN', {})) return NONE
      // answered into the maps of before the question: a change during it has thrown those away
      const current = answers
      current.secret ??= privateProjects(db.reader).catch((error: unknown) => {
        current.secret = undefined
        throw error
      })
      const secret = await current.secret
      if (secret.length === 0) return NONE
      const known = current.hidden.get(String(userId))
      if (known !== undefined) return known
      const hidden = await withoutOwn(db.reader, secret, userId)
      current.hidden.set(String(userId), hidden)
      return hidden
    },
  }
}

/** The same from the database as it is now. */
export async function hiddenNow(reader: Reader, userId: number, grants: readonly Grant[]): Promise<readonly string[]> {
  if (isGranted(grants, 'ADMIN', {})) return NONE
  return withoutOwn(reader, await privateProjects(reader), userId)
}

async function withoutOwn(reader: Reader, secret: readonly string[], userId: number): Promise<string[]> {
  return secret.length === 0 ? [] : hiddenFrom(secret, await assignmentsOf(reader, userId))
}

/** Those of the private projects in which somebody with these roles, who may not do everything, has none. */
export function hiddenFrom(secret: readonly string[], assignments: readonly Pick<Assignment, 'project'>[]): string[] {
  const own = new Set(assignments.map(({ project }) => project))
  return secret.filter((project) => !own.has(project))
}

/** Whether somebody may see other projects after an event than before it. */
export function isAboutMembers(type: string): boolean {
  return ABOUT_MEMBERS.some((beginning) => type.startsWith(beginning))
}

/** What of these belongs to none of the hidden projects. */
export function visible<T>(
  hidden: readonly string[] = NONE,
  rows: readonly T[],
  projectOf: (row: T) => string | null,
): T[] {
  return rows.filter((row) => {
    const project = projectOf(row)
    return project === null || !hidden.includes(project)
  })
}

/** What a refusal calls something of a project: by its name where whoever is refused may see it. */
export function namedFor(hidden: readonly string[] = NONE, project: string | null, name: string): string {
  return project !== null && hidden.includes(project) ? 'a private project' : name
}

/** What is named for others to see must not be hidden from who names it. Throws ValidationError. */
export function refuseNamingHidden(hidden: readonly string[] = NONE, projects: readonly string[]): void {
  const named = projects.find((project) => hidden.includes(project))
  if (named !== undefined) throw invalid(`There is no project "${named}".`, 'body/projects')
}

function noAnswers(): Answers {
  return { secret: undefined, hidden: new BoundedCache(MOST) }
}
