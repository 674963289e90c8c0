import { withTimeout } from '@burgee/kit/with-timeout'
import type { Reader } from '@burgee/storage/database'
import { listPrivateProjects } from '@burgee/storage/queries/projects/private-projects'
import { listEnvironmentNames, listProjectIds } from '@burgee/storage/queries/projects/projects'
import { readLiveProjects } from '@burgee/storage/queries/usage/usage-names'
import type { CountedFlag, Visibility } from './named-counter.ts'

/** Determines which of the counted names are deleted or belong to private projects, because metrics are public. */
export interface SeriesNames {
  /** Looks up the names in the database. After a failure, all names are unknown until the next lookup. */
  refresh(flags: readonly string[]): Promise<void>
  /** Returns the visibility of the names for which a value was counted. */
  readonly getVisibility: (counted: CountedFlag) => Visibility
  /** Returns the names of all environments; undefined while they are unknown. */
  readonly environments: () => ReadonlySet<string> | undefined
}

/** Maximum time that a request for metrics waits for the database. */
const MAX_WAIT_MS = 2000

interface NameLookup {
  /** Ids of all projects. */
  readonly projects: ReadonlySet<string>
  readonly privateProjects: ReadonlySet<string>
  readonly environments: ReadonlySet<string>
  /** Project of each flag that was looked up and is not archived. */
  readonly liveFlags: ReadonlyMap<string, string>
  /** Names of all flags that were looked up. The empty name stands for no flag. */
  readonly lookedUp: ReadonlySet<string>
}

/** Creates the lookup; reads nothing before `refresh`. */
export function createSeriesNames(reader: () => Reader): SeriesNames {
  let known: NameLookup | undefined
  return {
    async refresh(flags) {
      try {
        known = await withTimeout(MAX_WAIT_MS, loadNames(reader(), flags))
      } catch {
        // the database code has already logged the error; while the visibility is unknown, no name is exposed
        known = undefined
      }
    },
    getVisibility: (counted) => (known === undefined ? 'unknown' : resolveVisibility(known, counted)),
    environments: () => known?.environments,
  }
}

function resolveVisibility(known: NameLookup, { flag, project, environment }: CountedFlag): Visibility {
  if (!known.lookedUp.has(flag)) return 'unknown'
  if (flag !== '' && known.liveFlags.get(flag) !== project) return 'gone'
  if (project !== '' && !known.projects.has(project)) return 'gone'
  if (environment !== '' && !known.environments.has(environment)) return 'gone'
  return known.privateProjects.has(project) ? 'private' : 'public'
}

async function loadNames(reader: Reader, flags: readonly string[]): Promise<NameLookup> {
  return {
    projects: new Set(await listProjectIds(reader)),
    privateProjects: new Set(await listPrivateProjects(reader)),
    environments: new Set(await listEnvironmentNames(reader)),
    liveFlags: await readLiveProjects(reader, flags),
    lookedUp: new Set(['', ...flags]),
  }
}
