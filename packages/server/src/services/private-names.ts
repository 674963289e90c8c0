import { within } from '@burgee/kit/within'
import type { Reader } from '../store/database.ts'
import { namesWithHistoryIn } from '../store/features/hidden-names.ts'
import { privateProjects } from '../store/projects/private-projects.ts'
import { projectsOf } from '../store/usage/usage-names.ts'
import type { CountedFlag, Visibility } from './named-counter.ts'

/** Which names that were counted belong to private projects, for readers without credentials. */
export interface PrivateNames {
  /** Looks the names up in the database. After a failure all of them are unknown until the next look. */
  refresh(flags: readonly string[]): Promise<void>
  /** Who may read the name of a flag and of the project that it was counted in. */
  readonly visibilityOf: (counted: CountedFlag) => Visibility
}

/** Maximum time that a reader waits for the database. */
const MAX_WAIT_MS = 2000

interface Known {
  /** Private projects. */
  readonly projects: ReadonlySet<string>
  /** Flags that are, or were, in private projects. */
  readonly flags: ReadonlySet<string>
  /** All flags that were looked up; the empty name is that of no flag. */
  readonly lookedUp: ReadonlySet<string>
}

const NOTHING_KNOWN: Known = { projects: new Set(), flags: new Set(), lookedUp: new Set() }

/** Reads nothing until `refresh`. */
export function createPrivateNames(reader: () => Reader): PrivateNames {
  let known = NOTHING_KNOWN
  return {
    async refresh(flags) {
      try {
        known = await within(MAX_WAIT_MS, lookUp(reader(), flags))
      } catch {
        // the log has the reason already; without an answer no name is shown
        known = NOTHING_KNOWN
      }
    },
    visibilityOf: ({ flag, project }) => {
      if (!known.lookedUp.has(flag)) return 'unknown'
      return known.projects.has(project) || known.flags.has(flag) ? 'private' : 'public'
    },
  }
}

async function lookUp(reader: Reader, flags: readonly string[]): Promise<Known> {
  const lookedUp = new Set(['', ...flags])
  const secret = await privateProjects(reader)
  if (secret.length === 0) return { projects: new Set(), flags: new Set(), lookedUp }
  const projects = new Set(secret)
  const current = await projectsOf(reader, flags)
  const ofPrivate = flags.filter((flag) => projects.has(current.get(flag) ?? ''))
  const deleted = flags.filter((flag) => !current.has(flag))
  const wasPrivate = await namesWithHistoryIn(reader, secret, deleted)
  return { projects, flags: new Set([...ofPrivate, ...wasPrivate]), lookedUp }
}
