import type { FlagQuery } from '@burgee/serving/sdk/downloads'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { Latencies } from './latencies.ts'

/** Change that affects SDKs, with the times that its delivery to connections took. */
export interface RecentChange {
  readonly id: number
  readonly atMs: number
  /** Environment whose flags have changed; '' means all environments. */
  readonly environment: string
  /** Project of the changed flag; null if the change does not belong to a single project. */
  readonly project: string | null
  readonly featureName: string | null
  readonly latencies: Latencies
}

/** Parts of a query that determine whether a change affects the queried flags. */
export type ChangeScope = Pick<FlagQuery, 'environment' | 'projects' | 'namePrefix'>

const MAX_CHANGES = 256

/** Log of the latest changes that affect SDKs. Contains only changes since the start of this process. */
export class RecentChanges {
  #changes: RecentChange[] = []
  /** Results of `findLastId`, keyed by scope object: connections with equal scopes share the same object. */
  #lastIds = new WeakMap<ChangeScope, number>()

  /** Changes in ascending order of their ids. */
  get all(): readonly RecentChange[] {
    return this.#changes
  }

  add(events: readonly StoredEvent[]): void {
    for (const { id, createdAt, reach, project, featureName } of events) {
      if (reach === null) continue
      const latencies = new Latencies()
      this.#changes.push({ id, atMs: Date.parse(createdAt), environment: reach, project, featureName, latencies })
    }
    this.#lastIds = new WeakMap()
    if (this.#changes.length > MAX_CHANGES) this.#changes = this.#changes.slice(-MAX_CHANGES)
  }

  /** Clears the log, because ids have a new meaning after a restore. */
  reset(): void {
    this.#changes = []
    this.#lastIds = new WeakMap()
  }

  find(id: number): RecentChange | undefined {
    return this.#changes.find((change) => change.id === id)
  }

  /** Returns the changes that affect a scope and have ids in `(from, to]`. */
  listBetween(scope: ChangeScope, from: number, to: number): RecentChange[] {
    return this.#changes.filter((change) => change.id > from && change.id <= to && touches(change, scope))
  }

  /** Returns the id of the last change that affects the flags of a scope; 0 if the log contains none. */
  findLastId(scope: ChangeScope): number {
    const known = this.#lastIds.get(scope)
    if (known !== undefined) return known
    const id = this.#changes.findLast((change) => touches(change, scope))?.id ?? 0
    this.#lastIds.set(scope, id)
    return id
  }
}

function touches({ environment, project, featureName }: RecentChange, scope: ChangeScope): boolean {
  return (
    (environment === '' || environment === scope.environment) &&
    (project === null || isInProjects(project, scope.projects)) &&
    (featureName === null || featureName.startsWith(scope.namePrefix ?? ''))
  )
}

/** Returns true if a scope covers a project. */
export function isInProjects(project: string, projects: readonly string[]): boolean {
  return projects.includes('*') || projects.includes(project)
}
