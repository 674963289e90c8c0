import { InMemStorageProvider, Unleash } from 'unleash-client'
import { callAdmin, startContestant, TOKENS } from '../server/contestant.ts'

const FEATURES = 'projects/default/features'
const POLL_MS = 200
const LIMIT_MS = 150_000

/**
 * Returns how many seconds pass between an error that an application counts and the trip of its safeguard. The Node SDK
 * uses its default intervals, and the error occurs just after a report, which is the worst case.
 */
export async function measureTrip(): Promise<number> {
  const server = await startContestant({ name: 'sqlite' })
  const url = `http://127.0.0.1:${server.port}/api`
  const sdk = new Unleash({
    url,
    appName: 'shop',
    customHeaders: { Authorization: TOKENS.client },
    storageProvider: new InMemStorageProvider(),
    skipInstanceCountWarning: true,
    metricsJitter: 0,
  })
  // subscribe before any request, because the event occurs only once
  const synchronized = new Promise((resolve) => sdk.once('synchronized', resolve))
  try {
    await callAdmin(server.port, 'POST', FEATURES, { name: 'guarded' })
    const guarded = `${FEATURES}/guarded/environments/production/safeguards`
    await callAdmin(server.port, 'PUT', guarded, {
      impactMetric: { metricName: 'errors', timeRange: 'hour', aggregationMode: 'count' },
      triggerCondition: { operator: '>', threshold: 10 },
      action: { type: 'disableEnvironment' },
    })
    await synchronized
    sdk.impactMetrics.defineCounter('errors', 'Errors')
    sdk.impactMetrics.incrementCounter('errors')
    // the first report contains this first error
    await new Promise((resolve) => sdk.once('sent', resolve))
    sdk.impactMetrics.incrementCounter('errors', 20)
    const since = performance.now()
    while (performance.now() - since < LIMIT_MS) {
      const [one] = (await callAdmin(server.port, 'GET', guarded)) as { trip: object | null }[]
      if (one?.trip) return (performance.now() - since) / 1000
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
    throw new Error('The safeguard did not trip')
  } finally {
    sdk.destroy()
    await server.stop()
  }
}
