import { readFile, stat } from 'node:fs/promises'
import { isObject } from '@burgee/kit/input/is-object'
import { parseMetricName } from '@burgee/server/admin/impact-metrics/metric-name'
import { APP_NAME, type MetricSource, type ReportedMetric } from './metric-reports.ts'

/** Values of one series. Times are minutes since the first value in the file. */
interface RecordedSeries {
  readonly name: string
  readonly type: 'counter' | 'gauge'
  readonly labels: Readonly<Record<string, string>>
  readonly values: ReadonlyMap<number, number>
}

/** Value of a series in a file, at one time. */
interface RecordedValue {
  readonly metric: string
  readonly type: string | undefined
  readonly labels: Readonly<Record<string, string>>
  /** Seconds since 1970. */
  readonly time: number
  /** Time to which the value applies, in seconds. */
  readonly step: number
  readonly value: number
}

const MAX_BYTES = 64 * 1024 * 1024
const MINUTE = 60
/** Maximum time that one value covers: 31 days, in seconds. */
const MAX_STEP = 2_678_400
/** Columns of a CSV file; all other columns are labels. */
const COLUMNS = new Set(['time', 'metric', 'type', 'value'])

/**
 * Reads a recorded series: either JSON replies of `GET /api/admin/impact-metrics/data`, or CSV with the columns `time`
 * and `value`. The first value is reported in the first minute. Throws an Error that names the invalid part.
 *
 * @param defaultMetric metric that values without a name belong to
 */
export async function readRecordedSource(path: string, defaultMetric: string): Promise<MetricSource> {
  const content = await readLimited(path)
  const isJson = /^\s*[[{]/.test(content)
  const values = isJson ? parseReplies(content, { path, defaultMetric }) : parseCsv(content, { path, defaultMetric })
  if (values.length === 0) throw new Error(`${path} contains no values`)
  return createSource(toSeries(values, path))
}

async function readLimited(path: string): Promise<string> {
  try {
    const { size } = await stat(path)
    if (size > MAX_BYTES) throw new Error(`${path} is larger than ${MAX_BYTES} bytes`)
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Error(code === undefined ? message : `Cannot read ${path} (${code})`)
  }
}

interface SeriesFile {
  readonly path: string
  readonly defaultMetric: string
}

function parseReplies(content: string, { path, defaultMetric }: SeriesFile): RecordedValue[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(content)
  } catch {
    throw new Error(`${path} does not contain JSON`)
  }
  return (Array.isArray(parsed) ? parsed : [parsed]).flatMap((reply: unknown) => {
    if (!isObject(reply) || !Array.isArray(reply.series) || typeof reply.step !== 'number') {
      throw new Error(`${path} is not a reply of /api/admin/impact-metrics/data`)
    }
    if (!(reply.step > 0 && reply.step <= MAX_STEP)) {
      throw new Error(`${path}: "step" must be above 0 and at most ${MAX_STEP}, a month in seconds`)
    }
    const mode = String(reply.aggregationMode ?? 'count')
    if (!['count', 'rps', 'avg', 'sum'].includes(mode)) {
      throw new Error(`${path} contains "${mode}" of a histogram; record count, rps, avg or sum`)
    }
    const metric = typeof reply.metricName === 'string' ? reply.metricName : defaultMetric
    const type = mode === 'count' || mode === 'rps' ? 'counter' : 'gauge'
    const step = Math.max(reply.step, MINUTE)
    const perPoint = mode === 'rps' ? step : 1
    return reply.series.flatMap((series: unknown) =>
      readPoints(series, path).map(({ labels, time, value }) => {
        return { metric: parseMetricName(metric).name, type, labels, time, step, value: value * perPoint }
      }),
    )
  })
}

function readPoints(series: unknown, path: string) {
  if (!isObject(series) || !Array.isArray(series.points)) throw new Error(`${path} contains a series without "points"`)
  const labels = isObject(series.labels) ? toLabels(series.labels) : {}
  return series.points.flatMap((point: unknown) => {
    const [time, value] = Array.isArray(point) ? (point as unknown[]) : []
    return typeof time === 'number' && typeof value === 'number' ? [{ labels, time, value }] : []
  })
}

function toLabels(given: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
}

function parseCsv(content: string, { path, defaultMetric }: SeriesFile): RecordedValue[] {
  const [header = '', ...lines] = content.split(/\r?\n/)
  const names = splitLine(header)
  if (!names.includes('time') || !names.includes('value')) {
    throw new Error(`${path} needs a first line with the columns time and value`)
  }
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const cells = splitLine(line)
    const row = new Map(names.map((name, column) => [name, cells[column] ?? '']))
    const labels = Object.fromEntries([...row].filter(([name, cell]) => !COLUMNS.has(name) && cell !== ''))
    const [time, value] = [parseTime(row.get('time') ?? ''), Number(row.get('value') || Number.NaN)]
    if (Number.isNaN(time) || !Number.isFinite(value)) {
      throw new Error(`${path} line ${index + 2}: time must be a date or seconds since 1970, and value a number`)
    }
    return [
      {
        metric: row.get('metric') || defaultMetric,
        type: row.get('type') || undefined,
        labels,
        time,
        step: MINUTE,
        value,
      },
    ]
  })
}

/** Splits a line of CSV. Quoted cells may contain commas, and quotes that are doubled. Source: RFC 4180 */
function splitLine(line: string): string[] {
  const cells = `,${line}`.matchAll(/,\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))/g)
  return [...cells].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim())
}

/** Parses seconds since 1970, or a date. */
function parseTime(text: string): number {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Date.parse(text) / 1000
}

function toSeries(values: readonly RecordedValue[], path: string): RecordedSeries[] {
  const start = values.reduce((first, { time }) => Math.min(first, time), Number.POSITIVE_INFINITY)
  const series = new Map<string, RecordedSeries & { readonly values: Map<number, number> }>()
  for (const { metric, type: given, labels, time, step, value } of values) {
    const { name, type = given ?? 'counter' } = parseMetricName(metric)
    if (type !== 'counter' && type !== 'gauge') {
      throw new Error(`${path}: a recorded metric is a counter or a gauge, not "${type}"`)
    }
    if (type === 'counter' && value < 0)
      throw new Error(`${path}: the counter "${name}" has the negative value ${value}`)
    const key = JSON.stringify([name, type, labels])
    const known = series.get(key) ?? { name, type, labels, values: new Map<number, number>() }
    series.set(key, known)
    addValue(known.values, {
      type,
      first: Math.floor((time - start) / MINUTE),
      minutes: Math.round(step / MINUTE),
      value,
    })
  }
  return [...series.values()]
}

/**
 * Adds a value to each of the minutes that it covers. If it covers several minutes, a counter is spread evenly over
 * them.
 */
function addValue(
  values: Map<number, number>,
  {
    type,
    first,
    minutes,
    value,
  }: { readonly type: string; readonly first: number; readonly minutes: number; readonly value: number },
): void {
  for (let minute = first; minute < first + minutes; minute += 1) {
    if (type === 'gauge') values.set(minute, value)
    else values.set(minute, (values.get(minute) ?? 0) + value / minutes)
  }
}

function createSource(all: readonly RecordedSeries[]): MetricSource {
  return {
    read(minute) {
      const metrics = all.flatMap(({ name, type, labels, values }): ReportedMetric[] => {
        const value = values.get(minute)
        if (value === undefined) return []
        return [{ name, help: 'Recorded', type, samples: [{ labels: { appName: APP_NAME, ...labels }, value }] }]
      })
      return metrics.length === 0 ? undefined : { metrics }
    },
  }
}
