import type { SafeguardWithProject } from '@burgee/storage/queries/releases/safeguards'
import type { World } from '../../core/world.ts'
import { PrometheusFailure } from '../impact-metrics/prometheus-client.ts'
import { type PrometheusWorld, readPrometheus } from '../impact-metrics/prometheus-reader.ts'
import type { Observation } from './safeguard-values.ts'

/** Query step to use for a single point in time, where it has no effect. */
const STEP_MS = 60_000

/**
 * Creates a function that evaluates safeguard queries at a point in time. If a query fails or has no result, the
 * safeguard has no value, and the plan waits. Logs the first failure.
 */
export function createPrometheusObserver(world: PrometheusWorld & Pick<World, 'logger'>, now: number) {
  let hasFailed = false
  return async (safeguard: SafeguardWithProject): Promise<Observation | undefined> => {
    try {
      return await observe(world, safeguard, now)
    } catch (error) {
      if (!(error instanceof PrometheusFailure)) throw error
      const subject = `the safeguard of ${JSON.stringify(safeguard.feature_name)}`
      if (!hasFailed) world.logger.warn(`${error.message}; ${subject} has no value, retrying in a minute`)
      hasFailed = true
      return undefined
    }
  }
}

async function observe(
  world: PrometheusWorld,
  { feature_name: feature, environment, definition }: SafeguardWithProject,
  now: number,
): Promise<Observation | undefined> {
  const { triggerCondition, impactMetric } = definition
  if (triggerCondition === undefined || impactMetric.query === undefined) return undefined
  const time = { start: now, end: now, step: STEP_MS }
  const query = { query: impactMetric.query, ...time, purpose: 'safeguard' } as const
  const series = await readPrometheus(world, query, { feature, environment })
  const values = series.flatMap((one) => one.values.map(([, value]) => value))
  if (values.length === 0) return undefined
  const { operator, threshold } = triggerCondition
  // if a query returns several series, the worst value decides
  const isAbove = operator === '>'
  const value = values.reduce((worst, one) => (isAbove ? Math.max(worst, one) : Math.min(worst, one)))
  const isBreached = isAbove ? value > threshold : value < threshold
  return { value, isBreached, start: now, end: now, detail: null }
}
