import type { TouchedInstance } from '@burgee/storage/queries/usage/usage'
import { isName, type Reporter } from './buffered-counts.ts'
import { NameWindow, type NameWindowBounds } from './name-window.ts'
import { type Sighting, Sightings } from './sightings.ts'

/** Instances that have sent reports, keyed by instance, with the time of the latest report. */
export type InstanceSightings = ReadonlyMap<string, Sighting<TouchedInstance>>

/** Buffer for instances that report usage, with a resolution of one minute and a maximum number per reporter. */
export class ReportingInstances {
  readonly #names: NameWindow
  readonly #seen = new Sightings<string, TouchedInstance>()

  constructor(bounds: NameWindowBounds) {
    this.#names = new NameWindow(bounds)
  }

  /** Number of instances waiting to be written. */
  get size(): number {
    return this.#seen.size
  }

  /** Records a report of an instance. */
  record(reporter: Reporter, { appName, instanceId }: Omit<TouchedInstance, 'environment'>, now: number): void {
    if (!isName(appName) || !isName(instanceId)) return
    const instance = { appName, instanceId, environment: reporter.environment }
    const key = getInstanceKey(instance)
    if (this.#names.admits(reporter, key, now)) this.#seen.record(key, now, () => instance)
  }

  /** Returns the buffered instances and empties the buffer. */
  take(): InstanceSightings {
    return this.#seen.take()
  }

  /** Puts instances that could not be written back into the buffer. */
  putBack(taken: InstanceSightings): void {
    this.#seen.putBack(taken)
  }
}

/** Returns the key that identifies an instance. */
export function getInstanceKey({ appName, instanceId, environment }: TouchedInstance): string {
  return JSON.stringify([appName, instanceId, environment])
}
