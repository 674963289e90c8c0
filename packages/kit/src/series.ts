/** Labels of one value of a series: few and of a bounded set, never from a request. */
export type Labels = Readonly<Record<string, string>>

/** A number that only grows. */
export interface Counter {
  add(amount?: number, labels?: Labels): void
}

interface Series {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  readonly read: () => Iterable<readonly [labels: string, value: number]>
}

/** The media type of the text that `SeriesRegistry.text` makes. */
export const SERIES_TYPE = 'text/plain; charset=utf-8; version=0.0.4'

/** Series for Prometheus, in its text format 0.0.4. */
export class SeriesRegistry {
  readonly #series: Series[] = []

  /** A value that is read when it is asked for; undefined leaves the series out of that answer. */
  gauge(name: string, help: string, read: () => number | undefined): void {
    this.#series.push({ name, help, type: 'gauge', read: () => single(read()) })
  }

  /** A value that is read when it is asked for and only grows. */
  counterOf(name: string, help: string, read: () => number): void {
    this.#series.push({ name, help, type: 'counter', read: () => single(read()) })
  }

  /** A counter with labels; each combination appears once it was counted. */
  counter(name: string, help: string): Counter {
    const values = new Map<string, number>()
    this.#series.push({ name, help, type: 'counter', read: () => values })
    return {
      add: (amount = 1, labels = {}) => {
        const key = labelText(labels)
        values.set(key, (values.get(key) ?? 0) + amount)
      },
    }
  }

  /** All series as text. */
  text(): string {
    return this.#series.map(seriesText).join('')
  }
}

function single(value: number | undefined): (readonly [string, number])[] {
  return value === undefined ? [] : [['', value]]
}

function seriesText({ name, help, type, read }: Series): string {
  const lines = [...read()].map(([labels, value]) => `${name}${labels} ${value}\n`)
  return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
