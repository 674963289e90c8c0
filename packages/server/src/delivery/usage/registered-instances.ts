import type { RegisteredInstance } from '@burgee/storage/queries/usage/usage'
import { isName, type Reporter } from './buffered-counts.ts'
import { NameWindow, type NameWindowBounds } from './name-window.ts'
import { getInstanceKey } from './reporting-instances.ts'

/** Instance as reported by the SDK itself. */
export type ReportedInstance = Omit<RegisteredInstance, 'environment' | 'projects' | 'isPublic'>

const MAX_INSTANCES = 20_000
const MAX_STRATEGIES = 100

/**
 * Buffer for registered instances, with a maximum number per reporter. Several registrations of the same instance are
 * merged.
 */
export class RegisteredInstances {
  readonly #names: NameWindow
  #instances = new Map<string, RegisteredInstance>()

  constructor(bounds: NameWindowBounds) {
    this.#names = new NameWindow(bounds)
  }

  /** Number of instances waiting to be written. */
  get size(): number {
    return this.#instances.size
  }

  /**
   * Records an instance. Returns false if the instance is dropped, because a name is invalid or there are too many
   * instances.
   */
  record(reporter: Reporter, seen: ReportedInstance, now: number): boolean {
    if (![seen.appName, seen.instanceId, seen.sdkVersion ?? ''].every(isName)) return false
    const { environment, isPublic } = reporter
    const key = getInstanceKey({ ...seen, environment })
    if (!this.#names.admits(reporter, key, now)) return false
    if (this.#instances.size >= MAX_INSTANCES && !this.#instances.has(key)) return false
    const named = seen.strategies.filter(isName).slice(0, MAX_STRATEGIES)
    const before = this.#instances.get(key)
    this.#instances.set(key, {
      ...seen,
      // a report contains fewer fields than a registration, so keep the earlier values
      strategies: named.length > 0 ? named : (before?.strategies ?? []),
      sdkVersion: seen.sdkVersion ?? before?.sdkVersion ?? null,
      address: seen.address ?? before?.address ?? null,
      environment,
      projects: [...new Set([...(before?.projects ?? []), ...reporter.projects])],
      // a report with a secret token takes precedence over one with a public token, regardless of order
      isPublic: isPublic && before?.isPublic !== false,
    })
    return true
  }

  /** Returns the buffered instances and empties the buffer. */
  take(): readonly RegisteredInstance[] {
    const taken = [...this.#instances.values()]
    this.#instances = new Map()
    return taken
  }

  /**
   * Puts instances that could not be written back into the buffer. Instances recorded in the meantime take precedence.
   */
  putBack(taken: readonly RegisteredInstance[]): void {
    const before = taken.map((seen) => [getInstanceKey(seen), seen] as const)
    this.#instances = new Map([...before, ...this.#instances])
  }
}
