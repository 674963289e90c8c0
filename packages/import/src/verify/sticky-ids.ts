import { finishHash, startHash } from '@burgee/engine/rules/hash'
import type { BucketBound, Rule } from './sampled-rules.ts'

const POOL = 1500
const PERCENT = 100
/** Maximum number of cached lists of buckets. The rules of one flag use the same few hashes on both sides. */
const MAX_CACHED_BUCKETS = 16

/** Pool of ids, with the bucket of each id. */
export class StickyIds {
  /** All ids of the pool, which depend only on the seed. */
  readonly all: readonly string[]
  readonly #bucketCache = new Map<string, Uint32Array>()

  constructor(seed: number) {
    this.all = Array.from({ length: POOL }, (_, index) => `id-${seed}-${index}`)
  }

  /**
   * Returns, for each bound of a rule, the ids in the nearest buckets below and above the bound. For bounds of
   * variants, considers only ids within the rollout percentage, because no other id gets a variant.
   */
  around({ bounds }: Pick<Rule, 'bounds'>): string[] {
    const limits = bounds.filter(({ buckets }) => buckets === PERCENT)
    const chosen = new Set<string>(this.all.slice(0, 1))
    for (const bound of bounds) {
      const others = limits
        .filter(({ hashSeed }) => hashSeed !== bound.hashSeed)
        .map((limit) => ({ buckets: this.#getBuckets(limit), last: limit.bound }))
      for (const index of findNearest(this.#getBuckets(bound), bound.bound, others)) chosen.add(this.all[index] ?? '')
    }
    return [...chosen]
  }

  /** Returns the bucket of each id. Buckets start at 1. */
  #getBuckets({ groupId, hashSeed, buckets }: BucketBound): Uint32Array {
    const key = JSON.stringify([groupId, hashSeed, buckets])
    const known = this.#bucketCache.get(key)
    if (known !== undefined) return known
    const prefix = startHash(`${groupId}:`, hashSeed)
    const placed = Uint32Array.from(this.all, (id) => (finishHash(prefix, id) % buckets) + 1)
    if (this.#bucketCache.size >= MAX_CACHED_BUCKETS) this.#bucketCache.clear()
    this.#bucketCache.set(key, placed)
    return placed
  }
}

interface Limit {
  readonly buckets: Uint32Array
  readonly last: number
}

/**
 * Returns up to two indexes: the highest bucket that is at most `bound`, and the lowest bucket above `bound`. Skips ids
 * that are beyond at least one of the limits.
 */
function findNearest(buckets: Uint32Array, bound: number, limits: readonly Limit[]): number[] {
  let [below, above] = [-1, -1]
  for (const [index, bucket] of buckets.entries()) {
    if (limits.some((limit) => (limit.buckets[index] ?? 0) > limit.last)) continue
    if (bucket <= bound && (below < 0 || bucket > (buckets[below] ?? 0))) below = index
    if (bucket > bound && (above < 0 || bucket < (buckets[above] ?? 0))) above = index
  }
  return [below, above].filter((index) => index >= 0)
}
