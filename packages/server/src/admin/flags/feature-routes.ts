import { isDeepStrictEqual } from 'node:util'
import { Reply } from '@burgee/kit/http/route'
import { compileNeverIgnored } from '@burgee/kit/input/never-ignored'
import { invalid } from '@burgee/kit/input/refusals'
import {
  AdminFeature,
  CreateFeature,
  FeatureList,
  FeatureNameCheck,
  TurnedOn,
  UpdateFeature,
} from '@burgee/protocol/admin-feature'
import { Patch } from '@burgee/protocol/json-patch'
import { SearchText, SearchTexts } from '@burgee/protocol/search'
import { RESTRICTIONS } from '@burgee/protocol/targeting/restriction'
import { parseTag, toList } from '@burgee/serving/sdk/repeated-query'
import type { FeatureRow } from '@burgee/storage/queries/flags/features'
import Type, { type Static } from 'typebox'
import type { Access } from '../../core/access/access.ts'
import { type Actor, requirePermission } from '../../core/access/rights/rights.ts'
import { applyPatch } from '../../core/apply-patch.ts'
import { type Change, execute, withView } from '../../core/execute.ts'
import { checkBody } from '../../core/http/check-patched-body.ts'
import { READ, REMOVE, SEARCH, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE, jsonReply, ProjectParams } from '../../core/http/route-parts.ts'
import { requireOpenProject } from '../../core/project-ref.ts'
import type { ServerWorld } from '../../core/server-world.ts'
import { type FeatureEnvironmentRef, type FeatureRef, requireLive } from './feature-ref.ts'
import { readAdminFeature, toAdminStrategy } from './feature-views.ts'
import { createFeature, requireFreeName, updateFeature } from './features.ts'
import { archiveFeature } from './lifecycle.ts'
import { requireFittingName } from './project-flag-rules.ts'
import { type RequestedState, type SwitchResult, switchFeature } from './switch-flag.ts'

/** Path of a project's flags. */
export const FEATURES = '/api/admin/projects/:projectId/features'
/** Path of a flag in an environment. */
export const ENVIRONMENT = `${FEATURES}/:featureName/environments/:environment`

/** Path parameters of a flag. */
export const FeatureParams = Type.Object({ projectId: Type.String(), featureName: Type.String() })
/** Path parameters of a flag in an environment. */
export const EnvironmentParams = Type.Object({
  projectId: Type.String(),
  featureName: Type.String(),
  environment: Type.String(),
})

const feature = { 200: { description: 'The flag', schema: AdminFeature } }

/** Text for the API documentation that explains the effect of turning on a flag without an enabled strategy. */
export const TURN_ON =
  'A flag without an enabled strategy gets the default strategy of its project or, if there is none, a strategy for everyone.'

const GAPS =
  '`sdkGaps` lists applications that requested the flag in the last 30 days with an SDK that does not support every part of it.'

const getViewer = ({ actor }: Access) => ({ userId: actor.user?.id, hidden: actor.hidden })

/** Query parameters of the routes that turn a flag on or off. Routes that turn a flag off ignore them. */
export const SwitchQuery = Type.Object({
  shouldActivateDisabledStrategies: Type.Optional(
    Type.Boolean({ description: 'When the flag is turned on, enables its disabled strategies instead of adding one.' }),
  ),
})

/** Creates a flag, and reads it for the reply in the same transaction. */
const CREATE_WITH_VIEW = withView(createFeature, readAdminFeature)

/** Routes for a project's flags: list, create, read, change, archive, turn on and off. Source: wire protocol */
export const featureRoutes: Routes = [
  route({
    method: 'GET',
    url: FEATURES,
    permission: null,
    tag: 'Features',
    summary: 'Lists flags of a project, by name; empty for an unknown project.',
    params: ProjectParams,
    query: Type.Object({ namePrefix: Type.Optional(SearchText), tag: Type.Optional(SearchTexts) }),
    replies: { 200: { description: 'Flags', schema: FeatureList } },
    problems: SEARCH,
    handle: ({ params, query, access }, { flagPages }) => {
      const filter = { project: params.projectId, namePrefix: query.namePrefix, tags: toList(query.tag).map(parseTag) }
      return jsonReply(200, flagPages.list(filter, access.actor.user?.id))
    },
  }),
  route({
    method: 'POST',
    url: FEATURES,
    permission: 'CREATE_FEATURE',
    tag: 'Features',
    summary: 'Creates a flag that is off in all environments.',
    params: ProjectParams,
    body: CreateFeature,
    replies: { 201: { description: 'The flag', schema: AdminFeature } },
    problems: [...WRITE, 'NameExistsError', 'InvalidOperationError'],
    handle: async ({ params, body, access }, world) => {
      const made = await execute(world, access.actor, CREATE_WITH_VIEW, { project: params.projectId, body })
      return Reply.json(201, made)
    },
  }),
  route({
    method: 'POST',
    url: '/api/admin/features/validate',
    permission: 'CREATE_FEATURE',
    tag: 'Features',
    summary:
      'Checks whether a flag name is valid and available, including archived flags, and in a project if one is given.',
    body: FeatureNameCheck,
    replies: DONE,
    problems: [...WRITE, 'NameExistsError'],
    handle: async ({ body: { name, projectId: project }, access }, world) => {
      requirePermission(access.actor, 'CREATE_FEATURE', { project })
      await world.db.view(async (reader) => {
        const rules = project === undefined ? undefined : await requireOpenProject(reader, project)
        await requireFreeName(reader, name)
        if (rules !== undefined) requireFittingName(rules, name)
      })
      return new Reply(200)
    },
  }),
  route({
    method: 'GET',
    url: `${FEATURES}/:featureName`,
    permission: null,
    tag: 'Features',
    summary: 'Returns a flag with its environments and strategies; 404 if it is archived.',
    description: GAPS,
    params: FeatureParams,
    replies: feature,
    problems: READ,
    handle: ({ params, access }, { flagPages }) =>
      jsonReply(200, flagPages.one(toFeatureRef(params), { ...getViewer(access), archived: false })),
  }),
  route({
    method: 'GET',
    url: `${FEATURES}/:featureName/overview`,
    permission: null,
    tag: 'Features',
    summary: 'Returns a flag with its environments and strategies, archived or not.',
    description: GAPS,
    params: FeatureParams,
    replies: feature,
    problems: READ,
    handle: ({ params, access }, { flagPages }) =>
      jsonReply(200, flagPages.one(toFeatureRef(params), { ...getViewer(access), archived: true })),
  }),
  route({
    method: 'PUT',
    url: `${FEATURES}/:featureName`,
    permission: 'UPDATE_FEATURE',
    tag: 'Features',
    summary: 'Updates description, type, stale and impressionData of a flag.',
    params: FeatureParams,
    body: UpdateFeature,
    replies: feature,
    problems: WRITE,
    handle: ({ params, body, access }, world) => update(world, access.actor, toFeatureRef(params), body),
  }),
  route({
    method: 'PATCH',
    url: `${FEATURES}/:featureName`,
    permission: 'UPDATE_FEATURE',
    tag: 'Features',
    summary: 'Updates a flag by JSON Patch.',
    params: FeatureParams,
    body: Patch,
    replies: feature,
    problems: WRITE,
    handle: ({ params, body, access }, world) =>
      update(world, access.actor, toFeatureRef(params), (before) => checkBody(UpdateFeature, applyPatch(before, body))),
  }),
  route({
    method: 'DELETE',
    url: `${FEATURES}/:featureName`,
    permission: 'DELETE_FEATURE',
    tag: 'Features',
    summary: 'Archives a flag; no-op if it is already archived.',
    params: FeatureParams,
    replies: { 202: { description: 'Archived' } },
    problems: [...REMOVE, 'InvalidOperationError'],
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, archiveFeature, toFeatureRef(params))
      return new Reply(202)
    },
  }),
  ...(['on', 'off'] as const).map((state) =>
    route({
      method: 'POST',
      url: `${ENVIRONMENT}/${state}`,
      permission: 'UPDATE_FEATURE_ENVIRONMENT',
      tag: 'Features',
      summary: `Turns a flag ${state} in one environment; no-op if it is ${state}.`,
      ...(state === 'on' && { description: TURN_ON }),
      params: EnvironmentParams,
      query: SwitchQuery,
      replies: state === 'on' ? { 200: { description: 'Current audience of the flag', schema: TurnedOn } } : DONE,
      problems: [...READ, 'ValidationError', 'NoAccessError'],
      handle: async ({ params, query, access }, world) => {
        const to = { ...toEnvironmentRef(params), ...toTargetState(state, query) }
        const result = await switchFeature(world, access.actor, to)
        return state === 'on' ? Reply.json(200, toTurnedOn(result)) : new Reply(200)
      },
    }),
  ),
]

/** Returns the flag state that the path and the query of a request select. */
export function toTargetState(state: 'on' | 'off', query: Static<typeof SwitchQuery>): RequestedState {
  return { enabled: state === 'on', activate: query.shouldActivateDisabledStrategies }
}

function toTurnedOn({ strategies, added }: SwitchResult): TurnedOn {
  const shown = strategies.map(toAdminStrategy)
  return added === undefined ? { strategies: shown } : { strategies: shown, addedStrategyId: added.id }
}

/** Converts path parameters to a reference to a flag. */
export function toFeatureRef(params: { readonly projectId: string; readonly featureName: string }): FeatureRef {
  return { project: params.projectId, feature: params.featureName }
}

/** Converts path parameters to a reference to a flag in an environment. */
export function toEnvironmentRef(
  params: Parameters<typeof toFeatureRef>[0] & { readonly environment: string },
): FeatureEnvironmentRef {
  return { ...toFeatureRef(params), environment: params.environment }
}

const findIgnored = compileNeverIgnored(Type.Object(UpdateFeature.properties), RESTRICTIONS)

function listIgnored(body: UpdateFeature): string[] {
  return findIgnored(body).flatMap(({ names }) => names)
}

/**
 * Throws ValidationError if the body contains properties that would restrict who gets the flag and that this route
 * ignores. Accepts such properties if they equal the stored values.
 */
function refuseIgnored(body: UpdateFeature, before: AdminFeature): void {
  const sent: Readonly<Record<string, unknown>> = body
  const stored: Readonly<Record<string, unknown>> = before
  const names = listIgnored(body).filter((name) => !isDeepStrictEqual(sent[name], stored[name]))
  if (names.length === 0) return
  const list = names.map((name) => `"${name}"`).join(', ')
  throw invalid(`This request does not change ${list} of a flag, so they would be ignored`, `body/${names[0]}`)
}

type Edit = (before: AdminFeature) => UpdateFeature

/**
 * Updates a flag. If the update is a function, it gets the flag as read in the transaction, so that two concurrent
 * patches do not overwrite each other.
 */
async function update(
  world: ServerWorld,
  actor: Actor,
  ref: FeatureRef,
  change: UpdateFeature | Edit,
): Promise<AdminFeature> {
  const updated: Change<FeatureRef, FeatureRow> = async (tx, input, context) => {
    const view = async () => readAdminFeature(tx, await requireLive(tx, input))
    if (typeof change !== 'function') {
      if (listIgnored(change).length > 0) refuseIgnored(change, await view())
      return updateFeature(tx, { ...input, body: change }, context)
    }
    const before = await view()
    const body = change(before)
    refuseIgnored(body, before)
    return updateFeature(tx, { ...input, body }, context)
  }
  return execute(world, actor, withView(updated, readAdminFeature), ref)
}
