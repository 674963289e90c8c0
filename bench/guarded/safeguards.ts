import { startTimedServer, type TimedServer } from './virtual-time.ts'

/** CPU time of the process for the safeguard checks of one minute. */
export interface SafeguardFigures {
  readonly safeguards: number
  readonly cpuMs: number
  readonly elapsedMs: number
}

const PER_FLAG = 20
const MINUTES = 5
const MINUTE_MS = 60_000
const START = Date.parse('2027-03-01T12:00:00Z')
const FEATURES = '/api/admin/projects/default/features'

/** Measures the checks of a number of safeguards, all of which have values in every minute. */
export async function measureSafeguards(safeguards: number): Promise<SafeguardFigures> {
  const timed = await startTimedServer(START)
  try {
    for (let flag = 0; flag < safeguards / PER_FLAG; flag += 1) await addFlag(timed, `flag-${flag}`)
    const passed: SafeguardFigures[] = []
    for (let minute = 0; minute < MINUTES; minute += 1) {
      timed.clock.now += MINUTE_MS
      const impactMetrics = Array.from({ length: PER_FLAG }, (_, index) => ({
        name: `errors_${index}`,
        help: '',
        type: 'counter',
        samples: [{ labels: { appName: 'shop' }, value: 1 }],
      }))
      await timed.call('POST', '/api/client/metrics', { appName: 'shop', impactMetrics })
      await timed.server.flush()
      const [before, since] = [process.cpuUsage(), performance.now()]
      // a single run handles only one batch
      for (let run = 0; run < safeguards / 50 + 1; run += 1) await timed.server.applyDue()
      const { user, system } = process.cpuUsage(before)
      passed.push({ safeguards, cpuMs: (user + system) / 1000, elapsedMs: performance.now() - since })
    }
    return passed.sort((one, other) => one.cpuMs - other.cpuMs)[Math.floor(MINUTES / 2)] as SafeguardFigures
  } finally {
    await timed.close()
  }
}

async function addFlag({ call }: TimedServer, name: string): Promise<void> {
  await call('POST', FEATURES, { name })
  for (let index = 0; index < PER_FLAG; index += 1) {
    await call('PUT', `${FEATURES}/${name}/environments/production/safeguards`, {
      impactMetric: { metricName: `errors_${index}`, timeRange: 'hour', aggregationMode: 'count' },
      triggerCondition: { operator: '>', threshold: 1000 },
      action: { type: 'disableEnvironment' },
    })
  }
}
