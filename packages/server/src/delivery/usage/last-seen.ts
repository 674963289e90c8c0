import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { UsageCount } from '@burgee/storage/queries/usage/usage'

/** Flag names, keyed by environment. */
export type FlagsByEnvironment = ReadonlyMap<string, ReadonlySet<string>>

const EVERY_MS = 60_000
const MAX_ENTRIES = 100_000

/** Cache of the flags that were marked as seen within the last minute. The cache avoids a write for every report. */
export class LastSeenCache {
  readonly #noted = new BoundedCache<number>({ entries: MAX_ENTRIES })

  /** Returns those of the counted flags that have not been marked within the last minute. */
  listDue(counts: readonly Pick<UsageCount, 'environment' | 'featureName'>[], now: number): FlagsByEnvironment {
    const due = new Map<string, Set<string>>()
    for (const { environment, featureName } of counts) {
      const age = now - (this.#noted.peek(getKey(environment, featureName)) ?? Number.NEGATIVE_INFINITY)
      if (age >= 0 && age < EVERY_MS) continue
      const names = due.get(environment) ?? new Set()
      due.set(environment, names.add(featureName))
    }
    return due
  }

  /** Records that the given flags have been marked as seen. */
  record(written: FlagsByEnvironment, now: number): void {
    for (const [environment, names] of written) {
      for (const name of names) this.#noted.set(getKey(environment, name), now)
    }
  }
}

function getKey(environment: string, featureName: string): string {
  return `${environment}\n${featureName}`
}
