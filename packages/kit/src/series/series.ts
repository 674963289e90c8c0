/** Labels of one value of a series: few and of a bounded set, never from a request. */
export type Labels = Readonly<Record<string, string>>

/** A number that only grows. Labels that are the same object each time cost less; they must not change. */
export interface Counter {
  add(amount?: number, labels?: Labels): void
}

/** A distribution of values; labels as above. */
export interface Histogram {
  observe(value: number, labels?: Labels): void
}

/** How the values of one series in several processes make that of the whole: added, the greatest, or the first there is. */
export type Merge = 'sum' | 'greatest' | 'first'

/** One series as it stood when it was read; plain data. */
export interface SeriesSnapshot {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly merge: Merge
  /** What follows the name of each line (labels, for histograms a suffix before them), and its value. */
  readonly values: readonly (readonly [labels: string, value: number])[]
}

type IsLive = (labels: Labels) => boolean

interface Series extends Omit<SeriesSnapshot, 'values'> {
  /**
   * What follows the name of each line (labels, for histograms a suffix before them), and its value. Labels that are not
   * live are forgotten.
   */
  readonly read: (isLive: IsLive) => Iterable<readonly [labels: string, value: number]>
}

/** Tells whether a value of a label still names something. */
export type LiveNames = (value: string) => boolean

/** The media type of the text that `SeriesRegistry.text` makes. */
export const SERIES_TYPE = 'text/plain; charset=utf-8; version=0.0.4'

/** Series for Prometheus, in its text format 0.0.4. */
export class SeriesRegistry {
  readonly #series: Series[] = []
  readonly #liveNames = new Map<string, () => LiveNames | undefined>()

  /**
   * Makes all series forget values of a label that name nothing any more. `read` is called each time the series are
   * read; while it returns undefined, nothing is forgotten.
   */
  keepLive(label: string, read: () => LiveNames | undefined): void {
    this.#liveNames.set(label, read)
  }

  /** A value that is read when it is asked for; undefined leaves the series out of that answer. */
  gauge(name: string, help: string, read: () => number | undefined, merge: Merge = 'greatest'): void {
    this.#series.push({ name, help, type: 'gauge', merge, read: () => single(read()) })
  }

  /** One value per combination of labels, read when they are asked for. */
  gauges(name: string, help: string, read: () => Iterable<readonly [Labels, number]>, merge: Merge = 'greatest'): void {
    this.#series.push({ name, help, type: 'gauge', merge, read: (isLive) => liveLines(read(), isLive) })
  }

  /** One counter per combination of labels, read when they are asked for. */
  counters(name: string, help: string, read: () => Iterable<readonly [Labels, number]>, merge: Merge = 'sum'): void {
    this.#series.push({ name, help, type: 'counter', merge, read: (isLive) => liveLines(read(), isLive) })
  }

  /** A value that is read when it is asked for and only grows. */
  counterOf(name: string, help: string, read: () => number, merge: Merge = 'sum'): void {
    this.#series.push({ name, help, type: 'counter', merge, read: () => single(read()) })
  }

  /** A counter with labels; each combination appears once it was counted. */
  counter(name: string, help: string, merge: Merge = 'sum'): Counter {
    const counts = new Map<string, { readonly labels: Labels; value: number }>()
    const read = (isLive: IsLive) => {
      forgetDead(counts, isLive)
      return [...counts].map(([key, { value }]) => [key, value] as const)
    }
    this.#series.push({ name, help, type: 'counter', merge, read })
    const keyOf = keptKeys()
    return {
      add: (amount = 1, labels = NO_LABELS) => {
        const key = keyOf(labels)
        const known = counts.get(key)
        if (known === undefined) counts.set(key, { labels, value: amount })
        else known.value += amount
      },
    }
  }

  /** How values are distributed over `bounds`, ascending; each combination of labels appears once it was observed. */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const values = new Map<string, Distribution>()
    const read = (isLive: IsLive) => {
      forgetDead(values, isLive)
      return [...values.values()].flatMap(distributionLines)
    }
    this.#series.push({ name, help, type: 'histogram', merge: 'sum', read })
    const keyOf = keptKeys()
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

  /** The same values under a second name, for those who read them by that; nothing where there is no such series. */
  alias(name: string, help: string, of: string): void {
    const known = this.#series.find((series) => series.name === of)
    if (known !== undefined) this.#series.push({ ...known, name, help })
  }

  /** All series as text. */
  text(): string {
    return seriesText(this.snapshot())
  }

  /** All series as they stand now. */
  snapshot(): SeriesSnapshot[] {
    const isLive = this.#liveLabels()
    return this.#series.map(({ read, ...series }) => ({ ...series, values: [...read(isLive)] }))
  }

  #liveLabels(): IsLive {
    const checks = [...this.#liveNames].map(([label, read]) => ({ label, isLive: read() }))
    return (labels) =>
      checks.every(({ label, isLive }) => {
        const value = labels[label]
        return isLive === undefined || value === undefined || isLive(value)
      })
  }
}

function liveLines(
  values: Iterable<readonly [Labels, number]>,
  isLive: IsLive,
): (readonly [labels: string, value: number])[] {
  return [...values].flatMap(([labels, value]) => (isLive(labels) ? [[labelText(labels), value] as const] : []))
}

function forgetDead(values: Map<string, { readonly labels: Labels }>, isLive: IsLive): void {
  for (const [key, { labels }] of values) if (!isLive(labels)) values.delete(key)
}

const NO_LABELS: Labels = {}

/** The text of labels, made once for each object. */
function keptKeys(): (labels: Labels) => string {
  const keys = new WeakMap<Labels, string>()
  return (labels) => {
    const known = keys.get(labels)
    if (known !== undefined) return known
    const made = labelText(labels)
    keys.set(labels, made)
    return made
  }
}

interface Distribution {
  readonly labels: Labels
  readonly bounds: readonly number[]
  /** By bound, each value once. */
  readonly counts: number[]
  sum: number
  count: number
}

function distributionLines({ labels, bounds, counts, sum, count }: Distribution): (readonly [string, number])[] {
  let below = 0
  const buckets = bounds.map((bound, index) => {
    below += counts[index] ?? 0
    return [`_bucket${labelText({ ...labels, le: String(bound) })}`, below] as const
  })
  const all = labelText(labels)
  return [
    ...buckets,
    [`_bucket${labelText({ ...labels, le: '+Inf' })}`, count],
    [`_sum${all}`, sum],
    [`_count${all}`, count],
  ]
}

function single(value: number | undefined): (readonly [string, number])[] {
  return value === undefined ? [] : [['', value]]
}

/** Series in the text format of Prometheus; those without values are left out. */
export function seriesText(series: readonly SeriesSnapshot[]): string {
  return series
    .filter(({ values }) => values.length > 0)
    .map(({ name, help, type, values }) => {
      const lines = values.map(([labels, value]) => `${name}${labels} ${value}\n`)
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
    })
    .join('')
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
