import { ImpactData, ImpactDataQuery, ImpactMetricList } from '@burgee/protocol/administration/impact-reading'
import { LIST, SEARCH } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { readMetricData, readMetricList } from './metric-views.ts'

const BASE = '/api/admin/impact-metrics'
const common = { method: 'GET', permission: null, tag: 'Impact metrics' } as const

/** Routes for reading impact metrics. Source: wire protocol "Guarded releases" */
export const impactMetricRoutes: Routes = [
  route({
    ...common,
    url: `${BASE}/metrics`,
    summary: 'Lists impact metrics that applications report, with their labels.',
    replies: { 200: { description: 'Metrics', schema: ImpactMetricList } },
    problems: LIST,
    handle: ({ access: { actor } }, world) =>
      world.db.scan((reader) => readMetricList(reader, { now: world.clock(), hidden: actor.hidden })),
  }),
  route({
    ...common,
    url: `${BASE}/data`,
    summary: 'Returns the points of an impact metric in a time range.',
    description:
      'Hours have steps of a minute, days of 15 minutes, weeks of 3 hours and months of a day. `labels` is JSON that ' +
      'selects values by label, such as `{"appName":["shop"],"variant":["*"]}`; there is a series for each combination. ' +
      'The rate of a step that has not ended is null.',
    query: ImpactDataQuery,
    replies: { 200: { description: 'Points', schema: ImpactData } },
    problems: SEARCH,
    handle: ({ query, access: { actor } }, world) =>
      world.db.scan((reader) => readMetricData(reader, { query, now: world.clock(), hidden: actor.hidden })),
  }),
]
