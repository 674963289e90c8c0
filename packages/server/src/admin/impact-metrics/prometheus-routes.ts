import { invalid } from '@burgee/kit/input/refusals'
import { ImpactData, PrometheusDataQuery } from '@burgee/protocol/administration/impact-reading'
import { PrometheusSettings, PrometheusSettingsInput } from '@burgee/protocol/administration/prometheus-source'
import { Problem } from '@burgee/protocol/problem'
import { execute } from '../../core/execute.ts'
import { GUARDED_LIST, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type HttpWorld, type Routes, route } from '../../core/http/route.ts'
import { readFeatureEnvironment } from '../flags/feature-ref.ts'
import { ENVIRONMENT, EnvironmentParams, toEnvironmentRef } from '../flags/feature-routes.ts'
import { getSteps } from './metric-data.ts'
import { PrometheusFailure } from './prometheus-client.ts'
import { type QuerySubject, readPrometheus } from './prometheus-reader.ts'
import { putPrometheus, readStoredPrometheus, toPrometheusView } from './prometheus-settings.ts'

const SETTINGS = '/api/admin/impact-metrics/prometheus'
const MAX_SERIES = 100
const settings = {
  url: SETTINGS,
  permission: 'ADMIN',
  tag: 'Impact metrics',
  replies: { 200: { description: 'Settings', schema: PrometheusSettings } },
} as const

/** Routes for reading metrics from a Prometheus server. Source: wire protocol "Guarded releases" */
export const prometheusRoutes: Routes = [
  route({
    ...settings,
    method: 'GET',
    summary: 'Returns the address of the Prometheus server that charts and safeguards can query; the header is masked.',
    problems: GUARDED_LIST,
    handle: async (_input, { db }) => toPrometheusView(await db.view(readStoredPrometheus)),
  }),
  route({
    ...settings,
    method: 'PUT',
    summary: 'Sets the Prometheus server that charts and safeguards can query; an empty `url` removes it.',
    description:
      'Burgee only reads from it. Private addresses require INTEGRATION_ALLOW_PRIVATE_ADDRESSES, as for integrations. The ' +
      'header is stored encrypted and never returned.',
    body: PrometheusSettingsInput,
    problems: [...WRITE, 'ConflictError'],
    handle: async ({ body, access }, world) =>
      toPrometheusView(await execute(world, access.actor, putPrometheus, body)),
  }),
  route({
    method: 'GET',
    url: `${ENVIRONMENT}/impact-metrics/prometheus`,
    params: EnvironmentParams,
    query: PrometheusDataQuery,
    permission: 'UPDATE_FEATURE_STRATEGY',
    tag: 'Impact metrics',
    summary: 'Evaluates a PromQL query on the Prometheus server over a time range.',
    description: '`$flag` and `$environment` are replaced by the names in the path. Returns at most 100 series.',
    replies: { 200: { description: 'Points', schema: ImpactData } },
    problems: [...REMOVE, 'ValidationError', 'ConflictError'],
    handle: async ({ params, query }, world) => {
      const ref = toEnvironmentRef(params)
      await world.db.view((reader) => readFeatureEnvironment(reader, ref))
      return readPoints(world, query, ref)
    },
  }),
]

async function readPoints(
  world: HttpWorld,
  { query = '', timeRange = 'day' }: PrometheusDataQuery,
  subject: QuerySubject,
): Promise<ImpactData> {
  if (query === '') throw invalid('"query" is required', 'query/query')
  const { start, end, step } = getSteps(timeRange, world.clock())
  // in Prometheus, the time of a step's value is the end of the step
  const time = { start: start + step, end, step }
  const found = await readPrometheus(world, { query, ...time, purpose: 'chart' }, subject).catch((error: unknown) => {
    if (!(error instanceof PrometheusFailure)) throw error
    throw error.isWrongQuery ? invalid(error.message, 'query/query') : new Problem('ConflictError', error.message)
  })
  const series = found.slice(0, MAX_SERIES).map(({ labels, values }) => {
    const byTime = new Map(values)
    const points: [number, number | null][] = []
    for (let at = start; at < end; at += step) points.push([at / 1000, byTime.get((at + step) / 1000) ?? null])
    return { labels, points }
  })
  const period = { step: step / 1000, start: new Date(start).toISOString(), end: new Date(end).toISOString() }
  return { metricName: query, ...period, series, seriesCount: found.length, isTruncated: found.length > MAX_SERIES }
}
