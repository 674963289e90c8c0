import type { TouchedInstance } from '../../store/usage/usage.ts'
import { type NameBounds, NameBudget } from './name-budget.ts'
import { type Sighting, Sightings } from './sightings.ts'
import { isName, type Reporter } from './usage-counts.ts'

/** Instances that reported, by their key, and when. */
export type ReportingSeen = ReadonlyMap<string, Sighting<TouchedInstance>>

/** Gathers which instances report usage, to the minute; of each reporter no more than its bounds let in. */
export class ReportingInstances {
  readonly #names: NameBudget
  readonly #seen = new Sightings<string, TouchedInstance>()

  constructor(bounds: NameBounds) {
    this.#names = new NameBudget(bounds)
  }

  /** How many wait to be written. */
  get size(): number {
    return this.#seen.size
  }

  /** Notes a report of an instance. */
  note(reporter: Reporter, { appName, instanceId }: Omit<TouchedInstance, 'environment'>, now: number): void {
    if (!isName(appName) || !isName(instanceId)) return
    const instance = { appName, instanceId, environment: reporter.environment }
    const key = instanceKey(instance)
    if (this.#names.admits(reporter, key, now)) this.#seen.note(key, now, () => instance)
  }

  /** Hands over what waits. */
  take(): ReportingSeen {
    return this.#seen.take()
  }

  /** Takes back what could not be written. */
  keep(taken: ReportingSeen): void {
    this.#seen.keep(taken)
  }
}

/** What an instance is told apart by. */
export function instanceKey({ appName, instanceId, environment }: TouchedInstance): string {
  return JSON.stringify([appName, instanceId, environment])
}
