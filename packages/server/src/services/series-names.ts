import { within } from '@burgee/kit/within'
import type { Reader } from '../store/database.ts'
import { privateProjects } from '../store/projects/private-projects.ts'
import { environmentNames, projectIds } from '../store/projects/projects.ts'
import { liveProjectsOf } from '../store/usage/usage-names.ts'
import type { CountedFlag, Visibility } from './named-counter.ts'

/** Which names that were counted are gone, or belong to private projects, for readers without credentials. */
export interface SeriesNames {
  /** Looks the names up in the database. After a failure all of them are unknown until the next look. */
  refresh(flags: readonly string[]): Promise<void>
  /** Who may read the name of a flag and of the project that it was counted in, and whether they are gone. */
  readonly visibilityOf: (counted: CountedFlag) => Visibility
  /** Names of all environments; undefined while that is unknown. */
  readonly environments: () => ReadonlySet<string> | undefined
}

/** Maximum time that a reader waits for the database. */
const MAX_WAIT_MS = 2000

interface Known {
  /** Projects by id. */
  readonly projects: ReadonlySet<string>
  readonly privateProjects: ReadonlySet<string>
  readonly environments: ReadonlySet<string>
  /** Projects of the flags that were looked up and are not archived. */
  readonly liveFlags: ReadonlyMap<string, string>
  /** All flags that were looked up; the empty name is that of no flag. */
  readonly lookedUp: ReadonlySet<string>
}

/** Reads nothing until `refresh`. */
export function createSeriesNames(reader: () => Reader): SeriesNames {
  let known: Known | undefined
  return {
    async refresh(flags) {
      try {
        known = await within(MAX_WAIT_MS, lookUp(reader(), flags))
      } catch {
        // the log has the reason already; without an answer no name is shown
        known = undefined
      }
    },
    visibilityOf: (counted) => (known === undefined ? 'unknown' : visibilityIn(known, counted)),
    environments: () => known?.environments,
  }
}

function visibilityIn(known: Known, { flag, project, environment }: CountedFlag): Visibility {
  if (!known.lookedUp.has(flag)) return 'unknown'
  if (flag !== '' && known.liveFlags.get(flag) !== project) return 'gone'
  if (project !== '' && !known.projects.has(project)) return 'gone'
  if (environment !== '' && !known.environments.has(environment)) return 'gone'
  return known.privateProjects.has(project) ? 'private' : 'public'
}

async function lookUp(reader: Reader, flags: readonly string[]): Promise<Known> {
  return {
    projects: new Set(await projectIds(reader)),
    privateProjects: new Set(await privateProjects(reader)),
    environments: new Set(await environmentNames(reader)),
    liveFlags: await liveProjectsOf(reader, flags),
    lookedUp: new Set(['', ...flags]),
  }
}
