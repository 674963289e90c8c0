/** Counts of one toggle: how often it was on, off, and which variants were given. */
export interface ToggleCounts {
  readonly yes: number
  readonly no: number
  readonly variants: Readonly<Record<string, number>>
}

/** Counts of a stretch of time, as it goes upstream. Times are ISO 8601. */
export interface MetricsPayload {
  readonly start: string
  readonly stop: string
  readonly toggles: Readonly<Record<string, ToggleCounts>>
}

interface Counts {
  yes: number
  no: number
  readonly variants: Map<string, number>
}

/** The most different names (toggles and variants) that are kept, so that invented names cannot fill the memory. */
const MOST_NAMES = 50_000
/** Longer than any name that the service accepts. */
const LONGEST_NAME = 500

/**
 * Collects counts until they are taken. Adding costs the same whatever the count; names are data, whatever they are
 * (`__proto__` too). Counts of new names beyond the limit, and of names that are too long, are dropped; drops are counted.
 */
export class MetricsBucket {
  readonly #clock: () => number
  readonly #isOff: boolean
  #toggles = new Map<string, Counts>()
  #names = 0
  #startMs: number
  #dropped = 0

  /** @param isOff for counts that nobody will take: they are forgotten at once */
  constructor(clock: () => number, isOff = false) {
    this.#clock = clock
    this.#isOff = isOff
    this.#startMs = clock()
  }

  /** How many toggles and variants had their counts dropped so far. */
  get dropped(): number {
    return this.#dropped
  }

  /** One decision of the proxy itself. */
  count(name: string, enabled: boolean): void {
    this.add(name, { yes: enabled ? 1 : 0, no: enabled ? 0 : 1, variants: {} })
  }

  /** Counts that an SDK has collected; all-zero counts leave no trace. */
  add(name: string, counts: ToggleCounts): void {
    if (this.#isOff) return
    const variants = Object.entries(counts.variants).filter(([, count]) => count > 0)
    if (counts.yes === 0 && counts.no === 0 && variants.length === 0) return
    const toggle = this.#toggle(name)
    if (toggle === undefined) return
    toggle.yes = sum(toggle.yes, counts.yes)
    toggle.no = sum(toggle.no, counts.no)
    for (const [variant, count] of variants) this.#addVariant(toggle, variant, count)
  }

  /** Hands over everything since the last time and begins anew; undefined when nothing was counted. */
  take(): MetricsPayload | undefined {
    const stopMs = this.#clock()
    const toggles = this.#toggles
    // the clock may have been set back meanwhile
    const start = new Date(Math.min(this.#startMs, stopMs)).toISOString()
    this.#startMs = stopMs
    if (toggles.size === 0) return undefined
    this.#toggles = new Map()
    this.#names = 0
    const entries = [...toggles].map(([name, { yes, no, variants }]): [string, ToggleCounts] => [
      name,
      { yes, no, variants: Object.fromEntries(variants) },
    ])
    return { start, stop: new Date(stopMs).toISOString(), toggles: Object.fromEntries(entries) }
  }

  /** Puts counts back that could not be delivered; the bucket then begins when they did. */
  restore(payload: MetricsPayload): void {
    this.#startMs = Math.min(this.#startMs, Date.parse(payload.start))
    for (const [name, counts] of Object.entries(payload.toggles)) this.add(name, counts)
  }

  /** Gives up counts that nobody will take. */
  drop(payload: MetricsPayload): void {
    this.#dropped += Object.keys(payload.toggles).length
  }

  #toggle(name: string): Counts | undefined {
    const known = this.#toggles.get(name)
    if (known !== undefined || !this.#hasRoom(name)) return known
    const fresh: Counts = { yes: 0, no: 0, variants: new Map() }
    this.#toggles.set(name, fresh)
    return fresh
  }

  #addVariant(toggle: Counts, variant: string, count: number): void {
    const known = toggle.variants.get(variant)
    if (known === undefined && !this.#hasRoom(variant)) return
    toggle.variants.set(variant, sum(known ?? 0, count))
  }

  #hasRoom(name: string): boolean {
    if (this.#names >= MOST_NAMES || name.length > LONGEST_NAME) {
      this.#dropped += 1
      return false
    }
    this.#names += 1
    return true
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

/** Stays exact as long as numbers can, and never wraps. */
function sum(a: number, b: number): number {
  return Math.min(a + b, Number.MAX_SAFE_INTEGER)
}
