import type { SeriesRegistry } from './series.ts'

/**
 * Current size of a cache, and its maximum size in bytes. A cache exceeds the maximum only if it contains a single
 * value.
 */
export interface CacheSize {
  readonly entries: number
  readonly bytes: number
  readonly limitBytes: number
}

/** Metrics about caches that have a maximum size in bytes. */
export class CacheSeries {
  readonly #caches = new Map<string, () => CacheSize>()

  constructor(registry: SeriesRegistry) {
    const read = (value: (size: CacheSize) => number) => () =>
      [...this.#caches].map(([cache, size]) => [{ cache }, value(size())] as const)
    registry.gauges(
      'burgee_cache_bytes',
      'Memory of caches, by cache.',
      read(({ bytes }) => bytes),
      'sum',
    )
    registry.gauges(
      'burgee_cache_entries',
      'Entries of caches, by cache.',
      read(({ entries }) => entries),
      'sum',
    )
    registry.gauges(
      'burgee_cache_limit_bytes',
      'Maximum of burgee_cache_bytes.',
      read((size) => size.limitBytes),
      'sum',
    )
  }

  /** Adds a cache; `cache` becomes the value of the label `cache`. */
  watch(cache: string, size: () => CacheSize): void {
    this.#caches.set(cache, size)
  }
}
