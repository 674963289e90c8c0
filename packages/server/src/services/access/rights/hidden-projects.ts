import { BoundedCache } from '@burgee/kit/bounded-cache'
import { invalid } from '@burgee/kit/input/refusals'
import type { Grant } from '@burgee/protocol/grant'
import { isGranted } from '@burgee/protocol/grant'
import { assignmentsOf } from '../../../store/access/assignments.ts'
import type { Reader } from '../../../store/database.ts'
import type { World } from '../../world.ts'

/** Which projects somebody may not know of, without a question to the database each time. */
export interface HiddenProjects {
  /**
   * Ids, in order, of private projects in which a person has no role, by themselves or by a group; none for who may do
   * everything. Throws what the database throws.
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
      const own = new Set((await assignmentsOf(db.reader, userId)).map(({ project }) => project))
      const hidden = secret.filter((project) => !own.has(project))
      current.hidden.set(String(userId), hidden)
      return hidden
    },
  }
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

/** What is named for others to see must not be hidden from who names it. Throws ValidationError. */
export function refuseNamingHidden(hidden: readonly string[] = NONE, projects: readonly string[]): void {
  const named = projects.find((project) => hidden.includes(project))
  if (named !== undefined) throw invalid(`There is no project "${named}".`, 'body/projects')
}

/** Ids of the projects that only their members see, in order. */
export async function privateProjects(reader: Reader): Promise<string[]> {
  const rows = await reader.selectFrom('projects').select('id').where('mode', '=', 'private').orderBy('id').execute()
  return rows.map((row) => row.id)
}

function noAnswers(): Answers {
  return { secret: undefined, hidden: new BoundedCache(MOST) }
}
