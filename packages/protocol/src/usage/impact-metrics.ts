/**
 * Kinds of impact metrics. Counters and histograms contain the sum since the last report; gauges contain the last
 * value.
 */
export const IMPACT_TYPES = ['counter', 'gauge', 'histogram'] as const
export type ImpactType = (typeof IMPACT_TYPES)[number]

/**
 * Labels of a sample as pairs of name and value, sorted by name. The labels are not an object, because a label can have
 * any name, including `__proto__`.
 */
export type ImpactLabels = readonly (readonly [name: string, value: string])[]

/** Valid sample of a metric. */
export interface ImpactSample {
  readonly labels: ImpactLabels
  /** Ascending upper bounds of the buckets of a histogram, without +Inf; empty for other types. */
  readonly bounds: readonly number[]
  /** `[value]`; for a histogram, the sum followed by the number of observations in each bucket (not cumulative). */
  readonly values: readonly number[]
}

/** Valid part of a reported metric. A metric without samples reports only that the metric exists. */
export interface ImpactMetric {
  readonly name: string
  readonly help: string
  readonly type: ImpactType
  readonly samples: readonly ImpactSample[]
}

/** Limits that apply to each reported metric. */
export interface ImpactLimits {
  /** Maximum number of labels of a sample, not counting `origin`. */
  readonly labels: number
  /** Maximum length of names and label values, in characters. */
  readonly textLength: number
  /** Maximum number of buckets of a histogram, not counting +Inf. */
  readonly bounds: number
}

/** Default limits for a reported metric. */
export const DEFAULT_IMPACT_LIMITS: ImpactLimits = { labels: 10, textLength: 100, bounds: 20 }

/** Reasons why part of a report is rejected. */
export const IMPACT_PARSE_REFUSALS = ['malformed', 'name', 'labels', 'value', 'buckets'] as const
export type ImpactParseRefusal = (typeof IMPACT_PARSE_REFUSALS)[number]

/** Result of reading `impactMetrics` from a report. */
export interface ReadImpactMetrics {
  readonly metrics: readonly ImpactMetric[]
  /** Number of rejected metrics and samples, by reason. */
  readonly refused: ReadonlyMap<ImpactParseRefusal, number>
}

const MAX_HELP_LENGTH = 200
const MAX_COUNT = Number.MAX_SAFE_INTEGER
/**
 * Maximum absolute value of a gauge, or of the sum of a histogram's observations. Adding up a few million values of
 * this size still gives a finite number.
 */
const MAX_MAGNITUDE = 1e100
const FIRST_PRINTABLE = 0x20
const DELETE = 0x7f
const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff
const NONE: ReadImpactMetrics = { metrics: [], refused: new Map() }

/**
 * Reads `impactMetrics` from a usage report. Never throws: invalid metrics and samples are skipped and counted, and the
 * valid ones are returned. Source: wire protocol "Impact metrics as SDKs send them"
 */
export function readImpactMetrics(value: unknown, limits: ImpactLimits = DEFAULT_IMPACT_LIMITS): ReadImpactMetrics {
  if (value === undefined || value === null) return NONE
  return new ImpactReader(limits).read(value)
}

class ImpactReader {
  readonly #limits: ImpactLimits
  readonly #refused = new Map<ImpactParseRefusal, number>()

  constructor(limits: ImpactLimits) {
    this.#limits = limits
  }

  read(value: unknown): ReadImpactMetrics {
    if (!Array.isArray(value)) {
      this.#refuse('malformed')
      return { metrics: [], refused: this.#refused }
    }
    const metrics: ImpactMetric[] = []
    for (const item of value) {
      const metric = this.#readMetric(item)
      if (metric !== undefined) metrics.push(metric)
    }
    return { metrics, refused: this.#refused }
  }

  #refuse(reason: ImpactParseRefusal): undefined {
    this.#refused.set(reason, (this.#refused.get(reason) ?? 0) + 1)
    return undefined
  }

  #readMetric(item: unknown): ImpactMetric | undefined {
    if (!isRecord(item)) return this.#refuse('malformed')
    const { name, help, type, samples } = item
    if (!isImpactType(type) || !Array.isArray(samples)) return this.#refuse('malformed')
    if (typeof name !== 'string' || name === '' || !this.#isText(name)) return this.#refuse('name')
    const good: ImpactSample[] = []
    for (const sample of samples) {
      const read = isRecord(sample) ? this.#readSample(type, sample) : this.#refuse('malformed')
      if (read !== undefined) good.push(read)
    }
    // a metric with no valid part is not reported as existing either
    if (good.length === 0 && samples.length > 0 && !samples.some(isAnnouncement)) return undefined
    return { name, help: readHelp(help), type, samples: good }
  }

  #readSample(type: ImpactType, sample: Record<string, unknown>): ImpactSample | undefined {
    if (type === 'histogram') return this.#readHistogram(sample)
    const { value } = sample
    if (!isMagnitude(value) || (type === 'counter' && !isCount(value))) return this.#refuse('value')
    // omits a counter with no events since the last report
    if (type === 'counter' && value === 0) return undefined
    const labels = this.#readLabels(sample.labels)
    return labels === undefined ? undefined : { labels, bounds: [], values: [value] }
  }

  #readHistogram({ labels: given, count, sum, buckets }: Record<string, unknown>): ImpactSample | undefined {
    if (!isInteger(count) || !isMagnitude(sum)) return this.#refuse('value')
    const read = readBuckets(buckets, count)
    if (read === undefined || read.bounds.length > this.#limits.bounds) return this.#refuse('buckets')
    if (count === 0) return undefined
    const labels = this.#readLabels(given)
    return labels === undefined ? undefined : { labels, bounds: read.bounds, values: [sum, ...read.counts] }
  }

  #readLabels(given: unknown): ImpactLabels | undefined {
    if (given === undefined || given === null) return []
    if (!isRecord(given)) return this.#refuse('labels')
    const names = Object.keys(given)
    // the label `origin` does not count toward the limit, because it is added by the edge or proxy
    const own = Object.hasOwn(given, 'origin') ? names.length - 1 : names.length
    if (own > this.#limits.labels) return this.#refuse('labels')
    const labels: [string, string][] = []
    for (const name of names.sort()) {
      const value = given[name]
      const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value
      if (name === '' || typeof text !== 'string' || !this.#isText(name) || !this.#isText(text)) {
        return this.#refuse('labels')
      }
      labels.push([name, text])
    }
    return labels
  }

  /** Returns true if the text is not too long and both databases can store it. */
  #isText(text: string): boolean {
    return text.length <= this.#limits.textLength && isStorable(text)
  }
}

/** Returns true if the text is well-formed Unicode without control characters. */
function isStorable(text: string): boolean {
  let hasSurrogate = false
  // a loop takes a fifth of the time of a regular expression, and a report has hundreds of short texts
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < FIRST_PRINTABLE || code === DELETE) return false
    if (code >= FIRST_SURROGATE && code <= LAST_SURROGATE) hasSurrogate = true
  }
  return !hasSurrogate || text.isWellFormed()
}

/** Returns the bounds and the number of observations in each bucket; undefined if the buckets are inconsistent. */
function readBuckets(buckets: unknown, total: number): { bounds: number[]; counts: number[] } | undefined {
  if (!Array.isArray(buckets)) return undefined
  const bounds: number[] = []
  const counts: number[] = []
  let before = 0
  let last = Number.NEGATIVE_INFINITY
  for (const bucket of buckets) {
    if (!isRecord(bucket)) return undefined
    const { count } = bucket
    const bound = bucket.le === '+Inf' ? Number.POSITIVE_INFINITY : bucket.le
    if (typeof bound !== 'number' || !(bound > last) || !isInteger(count) || count < before) return undefined
    if (bound !== Number.POSITIVE_INFINITY) {
      bounds.push(bound)
      counts.push(count - before)
      before = count
    } else if (count !== total) return undefined
    last = bound
  }
  if (total < before) return undefined
  counts.push(total - before)
  return { bounds, counts }
}

/** Returns true for a sample of a counter or histogram without events, which only reports that the metric exists. */
function isAnnouncement(sample: unknown): boolean {
  return isRecord(sample) && (sample.value === 0 || sample.count === 0)
}

function readHelp(help: unknown): string {
  if (typeof help !== 'string') return ''
  return help.slice(0, MAX_HELP_LENGTH).replaceAll('\0', '').toWellFormed()
}

function isImpactType(type: unknown): type is ImpactType {
  return type === 'counter' || type === 'gauge' || type === 'histogram'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_COUNT
}

function isInteger(value: unknown): value is number {
  return isCount(value) && Number.isInteger(value)
}

function isMagnitude(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= MAX_MAGNITUDE
}
