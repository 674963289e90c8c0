import { BoundedCache, type CacheBounds } from '@burgee/kit/bounded-cache'
import type { CacheSize } from '@burgee/kit/series/cache-series'
import { isRunEnvironment } from './run-environment.ts'

/** Part of the limits that test runs get in addition. */
const RUN_SHARE = 4

/**
 * Cache of values by query, with separate limits for test runs. Many test runs can have queries at the same time, and
 * would otherwise evict the values of environments.
 */
export class EnvironmentCaches<V> {
  readonly limitBytes: number
  /** Maximum number of values in both caches together. */
  readonly limitEntries: number
  readonly #environments: BoundedCache<V>
  readonly #runs: BoundedCache<V>

  /** Creates the caches. Test runs get a quarter of the limits in addition. */
  constructor({ entries, bytes = Number.POSITIVE_INFINITY }: CacheBounds) {
    const ofRuns = { entries: Math.ceil(entries / RUN_SHARE), bytes: bytes / RUN_SHARE }
    this.#environments = new BoundedCache({ entries, bytes })
    this.#runs = new BoundedCache(ofRuns)
    this.limitBytes = bytes + ofRuns.bytes
    this.limitEntries = entries + ofRuns.entries
  }

  /** Returns the cache for queries of an environment. */
  of(environment: string): BoundedCache<V> {
    return isRunEnvironment(environment) ? this.#runs : this.#environments
  }

  /** Returns the size of both caches together. */
  getSize(): CacheSize {
    return {
      entries: this.#environments.size + this.#runs.size,
      bytes: this.#environments.bytes + this.#runs.bytes,
      limitBytes: this.limitBytes,
    }
  }

  /** Returns all values. */
  values(): V[] {
    return [...this.#environments.values(), ...this.#runs.values()]
  }
}
