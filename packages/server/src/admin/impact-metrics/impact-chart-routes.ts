import { Reply } from '@burgee/kit/http/route'
import { ImpactChart, ImpactChartInput, ImpactChartList } from '@burgee/protocol/administration/impact-chart'
import Type from 'typebox'
import type { Access } from '../../core/access/access.ts'
import { execute } from '../../core/execute.ts'
import { LIST, READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type HttpWorld, type Routes, route } from '../../core/http/route.ts'
import { FEATURES, FeatureParams } from '../flags/feature-routes.ts'
import {
  type ChartOwner,
  readFlagCharts,
  readSharedCharts,
  removeChart,
  saveChart,
  toChartView,
} from './impact-charts.ts'

const SHARED = '/api/admin/impact-metrics/config'
const OF_FLAG = `${FEATURES}/:featureName/impact-metrics/config`
const ChartId = { id: Type.String() }
const tag = 'Impact metrics'
const list = { 200: { description: 'Charts', schema: ImpactChartList } } as const
const saved = {
  200: { description: 'The replaced chart', schema: ImpactChart },
  201: { description: 'The saved chart', schema: ImpactChart },
} as const
const deleted = { 204: { description: 'Deleted' } } as const
const problems = [...WRITE, 'InvalidOperationError'] as const
/** Permission for charts that belong to no flag. Release templates, which are shared too, need the same permission. */
const SHARED_PERMISSION = 'RELEASE_PLAN_TEMPLATE_UPDATE'

/** Routes for saved charts of impact metrics. Source: wire protocol "Guarded releases" */
export const impactChartRoutes: Routes = [
  route({
    method: 'GET',
    url: SHARED,
    permission: null,
    tag,
    summary: 'Lists saved charts that belong to no flag.',
    replies: list,
    problems: LIST,
    handle: (_input, { db }) => db.view(async (reader) => ({ configs: await readSharedCharts(reader) })),
  }),
  route({
    method: 'POST',
    url: SHARED,
    permission: SHARED_PERMISSION,
    tag,
    summary: 'Saves a chart that belongs to no flag, or replaces the chart with the `id` of the body.',
    body: ImpactChartInput,
    replies: saved,
    problems,
    handle: ({ body, access }, world) => save(world, access, { owner: null, body }),
  }),
  route({
    method: 'DELETE',
    url: `${SHARED}/:id`,
    params: Type.Object(ChartId),
    permission: SHARED_PERMISSION,
    tag,
    summary: 'Deletes a saved chart that belongs to no flag.',
    replies: deleted,
    problems: REMOVE,
    handle: async ({ params: { id }, access }, world) => {
      await execute(world, access.actor, removeChart, { owner: null, id })
      return new Reply(204)
    },
  }),
  route({
    method: 'GET',
    url: OF_FLAG,
    params: FeatureParams,
    permission: null,
    tag,
    summary: 'Lists the saved charts of a flag.',
    replies: list,
    problems: READ,
    handle: ({ params }, { db }) =>
      db.view(async (reader) => ({ configs: await readFlagCharts(reader, toRef(params)) })),
  }),
  route({
    method: 'POST',
    url: OF_FLAG,
    params: FeatureParams,
    permission: 'UPDATE_FEATURE',
    tag,
    summary: 'Saves a chart of a flag, or replaces the chart with the `id` of the body.',
    body: ImpactChartInput,
    replies: saved,
    problems,
    handle: ({ params, body, access }, world) => save(world, access, { owner: toRef(params), body }),
  }),
  route({
    method: 'DELETE',
    url: `${OF_FLAG}/:id`,
    params: Type.Object({ ...FeatureParams.properties, ...ChartId }),
    permission: 'UPDATE_FEATURE',
    tag,
    summary: 'Deletes a saved chart of a flag.',
    replies: deleted,
    problems: REMOVE,
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, removeChart, { owner: toRef(params), id: params.id })
      return new Reply(204)
    },
  }),
]

async function save(
  world: HttpWorld,
  { actor }: Access,
  input: { readonly owner: ChartOwner; readonly body: ImpactChartInput },
): Promise<Reply> {
  const row = await execute(world, actor, saveChart, { ...input, hidden: actor.hidden })
  return Reply.json(input.body.id === undefined ? 201 : 200, toChartView(row))
}

const toRef = ({
  projectId: project,
  featureName: feature,
}: {
  readonly projectId: string
  readonly featureName: string
}) => ({
  project,
  feature,
})
