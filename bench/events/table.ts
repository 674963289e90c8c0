import type { BuildTimes, FilterTimes, SearchTimes } from './searches.ts'

/** Results for one database. */
export interface MeasuredDatabase {
  readonly name: string
  readonly eventBytes: number
  readonly indexBytes: number
  readonly build: BuildTimes
  readonly searches: readonly SearchTimes[]
  readonly filters: readonly FilterTimes[]
}

/** Returns the section of the page about searches in events. */
export function searchSection(measured: readonly MeasuredDatabase[], events: number): string {
  const sections = measured.map(({ name, eventBytes, indexBytes, build, searches, filters }) => {
    const rows = searches.map(
      ({ title, indexed, scanned }) =>
        `| ${title} | ${timesText(indexed)} | ${count(indexed.total)} | ${timesText(scanned)} | ${count(scanned.total)} |`,
    )
    const filtered = filters.map((one) => `| ${one.title} | ${timesText(one)} | ${count(one.total)} |`)
    return [
      `### ${name}`,
      '',
      `Building the index took ${build.seconds.toFixed(0)} s in the background and blocked the event loop for ${build.longestStepMs.toFixed(0)} ms`,
      `at most. It takes ${megabytes(indexBytes)}, beside ${megabytes(eventBytes)} of events and their other indexes.`,
      '',
      '| Text | with index, p50 / p99 ms | found | newest 10,000 only, p50 / p99 ms | found |',
      '|---|---|---|---|---|',
      ...rows,
      '',
      '| Filter | p50 / p99 ms | found |',
      '|---|---|---|',
      ...filtered,
    ].join('\n')
  })
  const introduction = [
    `Written by \`node --conditions=source bench/event-search.ts\`. ${count(events)} events of changed strategies; a page of 100 events`,
    'and their total, up to 10,000. Searches with the index alternate with searches that read the newest 10,000 events one',
    `by one, as versions before the index did. Measured on ${new Date().toISOString().slice(0, 10)}.`,
  ].join('\n')
  return [introduction, ...sections].join('\n\n')
}

const timesText = ({ p50, p99 }: { readonly p50: number; readonly p99: number }) =>
  `${p50.toFixed(0)} / ${p99.toFixed(0)}`
const count = (value: number) => value.toLocaleString('en-US')
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(0)} MB`
