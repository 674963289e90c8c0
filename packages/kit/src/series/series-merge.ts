import type { SeriesSnapshot } from './series.ts'

/**
 * Merges the metrics of several processes according to the `merge` rule of each metric. Name, help text and order are
 * taken from the first process that has the metric.
 */
export function mergeSeries(processes: readonly (readonly SeriesSnapshot[])[]): SeriesSnapshot[] {
  const merged = new Map<string, { readonly series: SeriesSnapshot; readonly values: Map<string, number> }>()
  for (const series of processes.flat()) {
    const known = merged.get(series.name)
    if (known === undefined) merged.set(series.name, { series, values: new Map(series.values) })
    else if (known.series.merge !== 'first' || known.values.size === 0) addValues(known.values, series)
  }
  return [...merged.values()].map(({ series, values }) => ({ ...series, values: [...values] }))
}

function addValues(values: Map<string, number>, { merge, values: more }: SeriesSnapshot): void {
  for (const [labels, value] of more) {
    const before = values.get(labels)
    if (before === undefined) values.set(labels, value)
    else values.set(labels, merge === 'sum' ? before + value : Math.max(before, value))
  }
}

/**
 * Returns the metrics that are retained after a process has exited. Only counters are retained, so that their sum over
 * all processes never decreases.
 */
export function selectCounters(series: readonly SeriesSnapshot[]): SeriesSnapshot[] {
  return series.filter(({ type, merge }) => type !== 'gauge' && merge === 'sum')
}
