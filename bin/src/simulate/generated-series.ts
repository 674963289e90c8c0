import { createRandom, type Random } from '@burgee/kit/seeded-random'
import { parseMetricName } from '@burgee/server/admin/impact-metrics/metric-name'
import { APP_NAME, FLAG, type MetricSource, type ReportedMetric, type ServedState } from './metric-reports.ts'
import { drawCount, drawNormal } from './random-numbers.ts'

/** Description of a generated metric. */
export interface GeneratedMetric {
  readonly metric: string
  readonly type: ReportedMetric['type']
  /** Requests per second from all users. */
  readonly rate: number
  /** Value for users without the flag: errors per request, or the value of a gauge or histogram. */
  readonly before: number
  /** Value for users with the flag. */
  readonly after: number
  /** Number of the first milestone from which on `after` applies. */
  readonly from: number
  /** Standard deviation of the rate and of gauges, as a fraction of their value. */
  readonly noise: number
}

const NUMBERS = ['rate', 'before', 'after', 'from', 'noise'] as const
const NAMES = ['metric', ...NUMBERS]
const DEFAULTS = { rate: 10, before: 0.01, from: 1, noise: 0 }
const SECONDS = 60
/** Maximum rate, so that the numbers of requests stay exact integers. */
const MAX_RATE = 1_000_000
/** Upper bounds of histogram buckets, as multiples of the larger of the two values. */
const BUCKETS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 7, 10]

/**
 * Parses descriptions such as `rate=10,before=1%,after=5%,from=2`. A key that occurs again starts the description of
 * another metric. Throws an Error that names the invalid part.
 *
 * @param defaultMetric metric that descriptions without a name refer to
 */
export function parseGenerated(text: string, defaultMetric: string): GeneratedMetric[] {
  const groups: Map<string, string>[] = []
  for (const part of text.split(',')) {
    const [name = '', value] = part.split('=').map((item) => item.trim())
    if (!NAMES.includes(name) || value === undefined || value === '') {
      throw new Error(`--generate: "${part.trim()}" is not one of ${NAMES.join('=, ')}=`)
    }
    const last = groups.at(-1)
    if (last === undefined || last.has(name)) groups.push(new Map([[name, value]]))
    else last.set(name, value)
  }
  return groups.map((group) => toMetric(group, defaultMetric))
}

function toMetric(group: ReadonlyMap<string, string>, defaultMetric: string): GeneratedMetric {
  const { name: metric, type = 'counter' } = parseMetricName(group.get('metric') ?? defaultMetric)
  const given = Object.fromEntries(NUMBERS.flatMap((name) => toEntry(name, group.get(name))))
  const { rate = DEFAULTS.rate, before = DEFAULTS.before, from = DEFAULTS.from, noise = DEFAULTS.noise } = given
  if (rate > MAX_RATE) throw new Error(`--generate: "rate" must be at most ${MAX_RATE}`)
  const { after = before } = given
  if (type === 'counter' && Math.max(before, after) > 1) {
    throw new Error('--generate: "before" and "after" of a counter are errors per request, at most 1 or 100%')
  }
  return { metric, type, rate, before, after, from, noise }
}

function toEntry(name: string, text: string | undefined): [string, number][] {
  if (text === undefined) return []
  const isPercent = text.endsWith('%')
  const value = Number(isPercent ? text.slice(0, -1) : text)
  if (!Number.isFinite(value) || value < 0)
    throw new Error(`--generate: "${name}" must be a number ≥ 0, or a percentage`)
  return [[name, isPercent ? value / 100 : value]]
}

/** Creates a source that generates a metric. Equal seeds generate equal values. */
export function createGeneratedSource(metric: GeneratedMetric, seed: number): MetricSource {
  const random = createRandom(seed)
  return {
    read(_minute, served) {
      const requests = Math.round(addNoise(metric.rate * SECONDS, metric, random))
      const yes = drawCount(requests, served.share, random)
      const evaluations = { yes, no: requests - yes }
      const samples = createSamples(metric, { evaluations, served }, random)
      return { metrics: [{ name: metric.metric, help: 'Simulated', type: metric.type, samples }], evaluations }
    },
  }
}

interface Traffic {
  readonly evaluations: { readonly yes: number; readonly no: number }
  readonly served: ServedState
}

function createSamples(metric: GeneratedMetric, { evaluations, served }: Traffic, random: Random): object[] {
  const after = served.milestone >= metric.from ? metric.after : metric.before
  if (metric.type === 'gauge') {
    const value = after * served.share + metric.before * (1 - served.share)
    return [{ labels: { appName: APP_NAME }, value: addNoise(value, metric, random) }]
  }
  const groups = [
    { result: 'enabled', count: evaluations.yes, value: after },
    { result: 'disabled', count: evaluations.no, value: metric.before },
  ]
  return groups.map(({ result, count, value }) => {
    const labels = { appName: APP_NAME, [FLAG]: result }
    if (metric.type === 'counter') return { labels, value: drawCount(count, value, random) }
    return { labels, ...observe(count, value, Math.max(metric.before, metric.after)) }
  })
}

/** Returns a histogram of observations with an exponential distribution. */
function observe(count: number, mean: number, scale: number) {
  const buckets = BUCKETS.map((factor) => {
    const le = factor * scale
    return { le, count: Math.round(count * (1 - Math.exp(-le / mean))) }
  })
  return { count, sum: count * mean, buckets: [...buckets, { le: '+Inf', count }] }
}

function addNoise(value: number, { noise }: GeneratedMetric, random: Random): number {
  return noise === 0 ? value : Math.max(value * (1 + noise * drawNormal(random)), 0)
}
