import { FlagCounts, type ToggleCounts } from '@burgee/serving/usage/flag-counts'
import { askedNamesOwner, type NameOwner, NameRoom, type OwnedNames } from '@burgee/serving/usage/name-room'

/** Counts of a stretch of time, as it goes upstream. Times are ISO 8601. */
export interface MetricsPayload {
  readonly start: string
  readonly stop: string
  readonly toggles: Readonly<Record<string, ToggleCounts>>
}

/** The most different names (toggles and variants) that are kept, so that invented names cannot fill the memory. */
const MOST_NAMES = 50_000
const ASKED_NAMES = askedNamesOwner('all')
/** Longer than any name that the service accepts. */
const LONGEST_NAME = 500

/**
 * Collects counts until they are taken. Adding costs the same whatever the count; names are data, whatever they are
 * (`__proto__` too). Counts of new names beyond the limit, and of names that are too long, are dropped; drops are counted.
 */
export class MetricsBucket {
  readonly #clock: () => number
  readonly #isOff: boolean
  readonly #room = new NameRoom({ names: MOST_NAMES, length: LONGEST_NAME })
  readonly #counts = new FlagCounts(this.#room)
  #startMs: number

  /** @param isOff for counts that nobody will take: they are forgotten at once */
  constructor(clock: () => number, isOff = false) {
    this.#clock = clock
    this.#isOff = isOff
    this.#startMs = clock()
  }

  /** How many toggles and variants had their counts dropped so far. */
  get dropped(): number {
    return this.#room.dropped
  }

  /** One decision of the proxy itself. */
  count(name: string, enabled: boolean, isFlag: boolean): void {
    const owner = isFlag ? undefined : ASKED_NAMES
    this.add(name, { yes: enabled ? 1 : 0, no: enabled ? 0 : 1, variants: {} }, owner)
  }

  /** Counts that an SDK has collected; all-zero counts leave no trace. */
  add(name: string, counts: ToggleCounts, owner?: NameOwner): void {
    if (!this.#isOff) this.#counts.add(name, counts, owner)
  }

  /** Hands over everything since the last time and begins anew; undefined when nothing was counted. */
  take(): MetricsPayload | undefined {
    const stopMs = this.#clock()
    // the clock may have been set back meanwhile
    const start = new Date(Math.min(this.#startMs, stopMs)).toISOString()
    this.#startMs = stopMs
    if (this.#counts.size === 0) return undefined
    return { start, stop: new Date(stopMs).toISOString(), toggles: Object.fromEntries(this.#counts.take()) }
  }

  /** Returns who brought the names of a payload that was taken. */
  ownersOf({ toggles }: MetricsPayload): OwnedNames[] {
    return this.#room.ownersOf(
      Object.entries(toggles).flatMap(([name, { variants }]) => [name, ...Object.keys(variants)]),
    )
  }

  /**
   * Puts counts back that could not be delivered; the bucket then begins when they did.
   *
   * @param owners who brought the names, for counts of another process
   */
  restore(payload: MetricsPayload, owners: readonly OwnedNames[] = []): void {
    this.#room.recall(owners)
    this.#startMs = Math.min(this.#startMs, Date.parse(payload.start))
    for (const [name, counts] of Object.entries(payload.toggles)) this.add(name, counts)
  }

  /** Gives up counts that nobody will take. */
  drop(payload: MetricsPayload): void {
    this.#room.drop(Object.keys(payload.toggles).length)
  }
}

/** The same counts in payloads of at most `mostToggles` toggles each. */
export function splitPayload(payload: MetricsPayload, mostToggles: number): MetricsPayload[] {
  const entries = Object.entries(payload.toggles)
  const parts: MetricsPayload[] = []
  for (let at = 0; at < entries.length; at += mostToggles) {
    parts.push({ ...payload, toggles: Object.fromEntries(entries.slice(at, at + mostToggles)) })
  }
  return parts
}
