import { Reply } from '@burgee/kit/http/route'
import { invalid, notFound } from '@burgee/kit/input/refusals'
import { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import { StrategiesUsingSegment } from '@burgee/protocol/targeting/context-field'
import { Segments, StrategySegments } from '@burgee/protocol/targeting/segment'
import { findSegmentsOfStrategy, listStrategiesUsingSegment } from '@burgee/storage/queries/targeting/segments'
import Type from 'typebox'
import { filterVisible } from '../../core/access/rights/hidden-projects.ts'
import { requirePermission } from '../../core/access/rights/rights.ts'
import { execute } from '../../core/execute.ts'
import { READ, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { parseId } from '../../core/http/route-parts.ts'
import type { World } from '../../core/world.ts'
import { setStrategySegments } from '../flags/strategies.ts'
import { checkConstraints } from './constraints.ts'
import { requireFreeSegmentName, requireSegment, toAdminSegment } from './segments.ts'

const SEGMENTS = '/api/admin/segments'
const check = { method: 'POST', tag: 'Segments', replies: { 204: { description: 'Valid' } } } as const
const read = { method: 'GET', permission: null, tag: 'Segments', problems: READ } as const

/**
 * Routes that validate constraints and flag names, and routes that list which strategies use a segment. Source: wire
 * protocol
 */
export const constraintRoutes: Routes = [
  route({
    ...check,
    url: '/api/admin/constraints/validate',
    permission: null,
    summary: 'Checks whether a constraint is valid.',
    body: ConstraintInput,
    problems: [...WRITE],
    handle: async ({ body }, world) => {
      checkConstraints([body])
      await requireLegal(world, body.contextName, [
        ...(body.values ?? []),
        ...(body.value === undefined ? [] : [body.value]),
      ])
      return new Reply(204)
    },
  }),
  route({
    ...check,
    url: `${SEGMENTS}/validate`,
    permission: 'CREATE_SEGMENT',
    summary: 'Checks whether a segment name is valid and available.',
    body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }) }),
    problems: [...WRITE, 'NameExistsError'],
    handle: async ({ body }, world) => {
      await requireFreeSegmentName(world.db.reader, body.name)
      return new Reply(204)
    },
  }),
  route({
    ...read,
    url: `${SEGMENTS}/:segmentId/strategies`,
    summary: 'Lists strategies that use a segment.',
    params: Type.Object({ segmentId: Type.String() }),
    replies: { 200: { description: 'Strategies', schema: StrategiesUsingSegment } },
    handle: ({ params, access: { actor } }, world) =>
      world.db.view(async (reader) => {
        const { id } = await requireSegment(reader, parseId(params.segmentId, 'segment'), actor.hidden)
        const strategies = filterVisible(
          actor.hidden,
          await listStrategiesUsingSegment(reader, id),
          ({ projectId }) => projectId,
        )
        return { strategies, changeRequestStrategies: [] }
      }),
  }),
  route({
    ...read,
    url: `${SEGMENTS}/strategies/:strategyId`,
    summary: 'Lists segments of a strategy.',
    params: Type.Object({ strategyId: Type.String() }),
    replies: { 200: { description: 'Segments', schema: Segments } },
    handle: async ({ params, access: { actor } }, world) => {
      const rows = await world.db.view((reader) => findSegmentsOfStrategy(reader, params.strategyId, actor.hidden))
      if (rows === undefined) throw notFound(`There is no strategy with the id "${params.strategyId}".`)
      return { segments: rows.map((row) => toAdminSegment(row)) }
    },
  }),
  route({
    method: 'POST',
    tag: 'Segments',
    url: `${SEGMENTS}/strategies`,
    permission: 'UPDATE_FEATURE_STRATEGY',
    summary: 'Sets the segments of a strategy; no-op if they are unchanged.',
    description:
      '409 if the flag is on there and the strategy would lose all of its segments, unless `allowEmpty=true`.',
    query: Type.Object({ allowEmpty: Type.Optional(Type.Boolean()) }),
    body: StrategySegments,
    replies: { 201: { description: 'The segments', schema: StrategySegments } },
    problems: [...WRITE, 'ConflictError'],
    handle: async ({ query: { allowEmpty }, body, access }, world) => {
      // the path contains no project, so the permission is checked for the project in the body
      const { projectId, environmentId, strategyId, segmentIds } = body
      const place = { project: projectId, environment: environmentId }
      requirePermission(access.actor, 'UPDATE_FEATURE_STRATEGY', place)
      const { segments } = await execute(world, access.actor, setStrategySegments, {
        projectId,
        environmentId,
        strategyId,
        segmentIds,
        allowEmpty,
      })
      return Reply.json(201, { projectId, environmentId, strategyId, segmentIds: segments })
    },
  }),
]

/** Throws ValidationError if the context field has a list of legal values and a value is not in that list. */
async function requireLegal(world: World, contextName: string, values: readonly string[]): Promise<void> {
  const field = await world.db.reader
    .selectFrom('context_fields')
    .select('legal_values')
    .where('name', '=', contextName)
    .executeTakeFirst()
  const legal = field?.legal_values.map(({ value }) => value) ?? []
  const illegal = legal.length === 0 ? undefined : values.find((value) => !legal.includes(value))
  if (illegal !== undefined) throw invalid(`"${illegal}" is not a legal value of "${contextName}"`, 'body/values')
}
