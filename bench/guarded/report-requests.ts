import { TOKENS } from '../server/contestant.ts'
import { requestBytes } from '../server/request.ts'

const FLAGS = 20
const COUNTERS = 10
const GAUGES = 5
const HISTOGRAMS = 5
const BOUNDS = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000]

/** Returns usage reports of some instances, with 20 flags and either 20 impact metrics or none. */
export function createReports(instances: number, { hasMetrics }: { readonly hasMetrics: boolean }): string[] {
  return Array.from({ length: instances }, (_, instance) =>
    requestBytes({
      method: 'POST',
      path: '/api/client/metrics',
      token: TOKENS.client,
      headers: { 'unleash-connection-id': `connection-${instance}`, 'unleash-interval': '60000' },
      body: createBody(instance, hasMetrics),
    }),
  )
}

function createBody(instance: number, hasMetrics: boolean): object {
  const toggles = Object.fromEntries(
    Array.from({ length: FLAGS }, (_, flag) => [`flag-${flag}`, { yes: 3, no: instance % 5, variants: {} }]),
  )
  const start = new Date(0).toISOString()
  const body = { appName: 'shop', instanceId: `host-${instance}`, bucket: { start, stop: start, toggles } }
  return hasMetrics ? { ...body, impactMetrics: createMetrics() } : body
}

function createMetrics(): object[] {
  const labels = { appName: 'shop', environment: 'production', region: 'eu' }
  const build = (type: string, count: number, sample: object) =>
    Array.from({ length: count }, (_, index) => ({
      name: `${type}_${index}`,
      help: 'Benchmark',
      type,
      samples: [{ labels, ...sample }],
    }))
  const buckets = [...BOUNDS.map((le, index) => ({ le, count: index + 1 })), { le: '+Inf', count: 12 }]
  return [
    ...build('counter', COUNTERS, { value: 2 }),
    ...build('gauge', GAUGES, { value: 512 }),
    ...build('histogram', HISTOGRAMS, { count: 12, sum: 900, buckets }),
  ]
}

/** Returns a poll of a server-side SDK that gets 304. */
export function createPoll(etag: string): string {
  return requestBytes({ path: '/api/client/features', token: TOKENS.client, headers: { 'If-None-Match': etag } })
}
