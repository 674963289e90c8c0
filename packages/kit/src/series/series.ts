/** Labels of a metric value. Use few labels with a bounded set of values, and never values that come from a request. */
export type Labels = Readonly<Record<string, string>>

/**
 * Monotonic counter. Repeated calls with the same labels object are cheaper than calls with new objects. Do not modify
 * a labels object after it was used.
 */
export interface Counter {
  add(amount?: number, labels?: Labels): void
}

/** Distribution of values; for the labels, see `Counter`. */
export interface Histogram {
  observe(value: number, labels?: Labels): void
}

/** Rule that combines the values of a metric from several processes: sum, maximum, or the first available value. */
export type Merge = 'sum' | 'greatest' | 'first'

/** Metric with its values at the time when it was read, as plain data. */
export interface SeriesSnapshot {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly merge: Merge
  /**
   * Lines of the metric, each with the text after the metric name (labels; for histograms, a suffix before the labels)
   * and the value.
   */
  readonly values: readonly (readonly [labels: string, value: number])[]
}

type LiveLabelsCheck = (labels: Labels) => boolean

interface Series extends Omit<SeriesSnapshot, 'values'> {
  /**
   * Returns the lines of the metric, each with the text after the metric name (labels; for histograms, a suffix before
   * the labels) and the value. Forgets the values of labels for which `isLive` returns false.
   */
  readonly read: (isLive: LiveLabelsCheck) => Iterable<readonly [labels: string, value: number]>
}

/** Returns true if the object named by the value of a label still exists. */
export type LiveValueCheck = (value: string) => boolean

/** Media type of the text returned by `SeriesRegistry.text`. */
export const SERIES_TYPE = 'text/plain; charset=utf-8; version=0.0.4'

/** Registry of Prometheus metrics, in text format 0.0.4. */
export class SeriesRegistry {
  readonly #series: Series[] = []
  readonly #liveValues = new Map<string, () => LiveValueCheck | undefined>()

  /**
   * Makes all metrics drop the values for which the given label names an object that no longer exists. `read` is called
   * whenever metrics are read. If `read` returns undefined, nothing is dropped.
   */
  pruneLabel(label: string, read: () => LiveValueCheck | undefined): void {
    this.#liveValues.set(label, read)
  }

  /** Adds a gauge whose value is read whenever metrics are read. If `read` returns undefined, the gauge is omitted. */
  gauge(name: string, help: string, read: () => number | undefined, merge: Merge = 'greatest'): void {
    this.#series.push({ name, help, type: 'gauge', merge, read: () => toSingleValue(read()) })
  }

  /** Adds a gauge with one value per combination of labels; the values are read whenever metrics are read. */
  gauges(name: string, help: string, read: () => Iterable<readonly [Labels, number]>, merge: Merge = 'greatest'): void {
    this.#series.push({ name, help, type: 'gauge', merge, read: (isLive) => toLiveLines(read(), isLive) })
  }

  /** Adds a counter with one value per combination of labels; the values are read whenever metrics are read. */
  counters(name: string, help: string, read: () => Iterable<readonly [Labels, number]>, merge: Merge = 'sum'): void {
    this.#series.push({ name, help, type: 'counter', merge, read: (isLive) => toLiveLines(read(), isLive) })
  }

  /** Adds a counter whose value is read whenever metrics are read; the value must never decrease. */
  observableCounter(name: string, help: string, read: () => number, merge: Merge = 'sum'): void {
    this.#series.push({ name, help, type: 'counter', merge, read: () => toSingleValue(read()) })
  }

  /** Adds a counter with labels; a combination of labels appears in the output after its first increment. */
  counter(name: string, help: string, merge: Merge = 'sum'): Counter {
    const counts = new Map<string, { readonly labels: Labels; value: number }>()
    const read = (isLive: LiveLabelsCheck) => {
      pruneDead(counts, isLive)
      return [...counts].map(([key, { value }]) => [key, value] as const)
    }
    this.#series.push({ name, help, type: 'counter', merge, read })
    const keyOf = createLabelCache()
    return {
      add: (amount = 1, labels = NO_LABELS) => {
        const key = keyOf(labels)
        const known = counts.get(key)
        if (known === undefined) counts.set(key, { labels, value: amount })
        else known.value += amount
      },
    }
  }

  /**
   * Adds a counter whose combinations of labels are known in advance. Each combination starts at 0, because Prometheus
   * does not count the step from no value to the first value as an increase.
   */
  counterFromZero(name: string, help: string, known: readonly Labels[], merge: Merge = 'sum'): Counter {
    const counter = this.counter(name, help, merge)
    for (const labels of known) counter.add(0, labels)
    return counter
  }

  /**
   * Adds a histogram with ascending bucket `bounds`; a combination of labels appears in the output after its first
   * value.
   */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const values = new Map<string, Distribution>()
    const read = (isLive: LiveLabelsCheck) => {
      pruneDead(values, isLive)
      return [...values.values()].flatMap(toHistogramLines)
    }
    this.#series.push({ name, help, type: 'histogram', merge: 'sum', read })
    const keyOf = createLabelCache()
    return {
      observe: (value, labels = NO_LABELS) => {
        const key = keyOf(labels)
        const known = values.get(key) ?? { labels, bounds, counts: bounds.map(() => 0), sum: 0, count: 0 }
        const index = bounds.findIndex((bound) => value <= bound)
        if (index >= 0) known.counts[index] = (known.counts[index] ?? 0) + 1
        known.sum += value
        known.count += 1
        values.set(key, known)
      },
    }
  }

  /** Exposes a metric under a second name; does nothing if the metric does not exist. */
  alias(name: string, help: string, of: string): void {
    const known = this.#series.find((series) => series.name === of)
    if (known !== undefined) this.#series.push({ ...known, name, help })
  }

  /** Returns all metrics in the Prometheus text format. */
  text(): string {
    return formatSeries(this.snapshot())
  }

  /** Returns the current values of all metrics. */
  snapshot(): SeriesSnapshot[] {
    const isLive = this.#createLiveCheck()
    return this.#series.map(({ read, ...series }) => ({ ...series, values: [...read(isLive)] }))
  }

  #createLiveCheck(): LiveLabelsCheck {
    const checks = [...this.#liveValues].map(([label, read]) => ({ label, isLive: read() }))
    return (labels) =>
      checks.every(({ label, isLive }) => {
        const value = labels[label]
        return isLive === undefined || value === undefined || isLive(value)
      })
  }
}

function toLiveLines(
  values: Iterable<readonly [Labels, number]>,
  isLive: LiveLabelsCheck,
): (readonly [labels: string, value: number])[] {
  return [...values].flatMap(([labels, value]) => (isLive(labels) ? [[formatLabels(labels), value] as const] : []))
}

function pruneDead(values: Map<string, { readonly labels: Labels }>, isLive: LiveLabelsCheck): void {
  for (const [key, { labels }] of values) if (!isLive(labels)) values.delete(key)
}

const NO_LABELS: Labels = {}

/** Returns a function that formats labels and caches the result for each labels object. */
function createLabelCache(): (labels: Labels) => string {
  const keys = new WeakMap<Labels, string>()
  return (labels) => {
    const known = keys.get(labels)
    if (known !== undefined) return known
    const made = formatLabels(labels)
    keys.set(labels, made)
    return made
  }
}

/** Observations in a histogram that have the same labels. */
export interface Distribution {
  readonly labels: Labels
  readonly bounds: readonly number[]
  /** Number of observations in each bucket, not cumulative. */
  readonly counts: number[]
  sum: number
  count: number
}

/** Returns the Prometheus lines of a histogram. */
export function toHistogramLines({ labels, bounds, counts, sum, count }: Distribution): (readonly [string, number])[] {
  let below = 0
  const buckets = bounds.map((bound, index) => {
    below += counts[index] ?? 0
    return [`_bucket${formatLabels({ ...labels, le: String(bound) })}`, below] as const
  })
  const all = formatLabels(labels)
  return [
    ...buckets,
    [`_bucket${formatLabels({ ...labels, le: '+Inf' })}`, count],
    [`_sum${all}`, sum],
    [`_count${all}`, count],
  ]
}

function toSingleValue(value: number | undefined): (readonly [string, number])[] {
  return value === undefined ? [] : [['', value]]
}

/** Formats metrics in the Prometheus text format. Omits metrics without values. */
export function formatSeries(series: readonly SeriesSnapshot[]): string {
  return series
    .filter(({ values }) => values.length > 0)
    .map(({ name, help, type, values }) => {
      const lines = values.map(([labels, value]) => `${name}${labels} ${value}\n`)
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
    })
    .join('')
}

/** Formats labels in the Prometheus text format. */
export function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g

/** Parses labels that `formatLabels` has formatted. */
export function parseLabels(text: string): Labels {
  return Object.fromEntries([...text.matchAll(LABEL)].map(([, name = '', value = '']) => [name, unescapeLabel(value)]))
}

function unescapeLabel(value: string): string {
  return value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character))
}
