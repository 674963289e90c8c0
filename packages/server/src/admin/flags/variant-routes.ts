import { VariantsBatch } from '@burgee/protocol/batch'
import type { VariantDefinition } from '@burgee/protocol/feature'
import { Patch } from '@burgee/protocol/json-patch'
import { VariantInput, Variants } from '@burgee/protocol/targeting/variant'
import { filterDistinctVariants, listFeatureEnvironments } from '@burgee/storage/queries/flags/features'
import Type from 'typebox'
import { requirePermission } from '../../core/access/rights/rights.ts'
import { applyPatch } from '../../core/apply-patch.ts'
import { execute } from '../../core/execute.ts'
import { checkBody } from '../../core/http/check-patched-body.ts'
import { READ, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import type { World } from '../../core/world.ts'
import { changeVariantsEverywhere, setVariantsIn } from './copies.ts'
import { readFeatureEnvironment, requireFeature, requireLive } from './feature-ref.ts'
import {
  ENVIRONMENT,
  EnvironmentParams,
  FEATURES,
  FeatureParams,
  toEnvironmentRef,
  toFeatureRef,
} from './feature-routes.ts'
import { changeVariants, setVariants } from './variants.ts'

const List = Type.Array(VariantInput, { maxItems: 500 })
const common = { tag: 'Strategies', replies: { 200: { description: 'Variants', schema: Variants } } } as const
const here = { ...common, url: `${ENVIRONMENT}/variants`, params: EnvironmentParams } as const
const everywhere = { ...common, url: `${FEATURES}/:featureName/variants`, params: FeatureParams } as const
const HERE = 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS'

/** Routes for variants of a flag, in one, several or all environments. Source: wire protocol */
export const variantRoutes: Routes = [
  route({
    ...here,
    method: 'GET',
    permission: null,
    summary: 'Lists variants of a flag in an environment.',
    problems: READ,
    handle: async ({ params }, world) =>
      view((await readFeatureEnvironment(world.db.reader, toEnvironmentRef(params))).variants),
  }),
  route({
    ...here,
    method: 'PUT',
    permission: HERE,
    summary: 'Replaces the variants; no-op if they are unchanged.',
    body: List,
    problems: WRITE,
    handle: async ({ params, body, access }, world) =>
      view(await execute(world, access.actor, setVariants, { ...toEnvironmentRef(params), variants: body })),
  }),
  route({
    ...here,
    method: 'PATCH',
    permission: HERE,
    summary: 'Updates the variants by JSON Patch.',
    body: Patch,
    problems: WRITE,
    handle: async ({ params, body: patch, access }, world) => {
      const input = { ...toEnvironmentRef(params), edit: createEdit(patch) }
      return view(await execute(world, access.actor, changeVariants, input))
    },
  }),
  route({
    ...everywhere,
    method: 'GET',
    permission: null,
    summary: 'Lists variants of a flag in all its environments, each name once.',
    problems: READ,
    handle: ({ params }, world) =>
      world.db.view(async (reader) => {
        const { name } = await requireFeature(reader, toFeatureRef(params))
        const environments = await listFeatureEnvironments(reader, name)
        return view(filterDistinctVariants(environments.flatMap(({ variants }) => variants)))
      }),
  }),
  route({
    ...everywhere,
    method: 'PUT',
    permission: 'UPDATE_FEATURE_VARIANTS',
    summary: 'Sets the same variants in all environments of a flag.',
    body: List,
    problems: WRITE,
    handle: async ({ params, body, access }, world) => {
      const environments = await listFlagEnvironments(world, params)
      return view(
        await execute(world, access.actor, setVariantsIn, { ...toFeatureRef(params), environments, variants: body }),
      )
    },
  }),
  route({
    ...everywhere,
    method: 'PATCH',
    permission: 'UPDATE_FEATURE_VARIANTS',
    summary: 'Updates the variants by JSON Patch, in all environments of a flag.',
    body: Patch,
    problems: WRITE,
    handle: async ({ params, body: patch, access }, world) => {
      const input = { ...toFeatureRef(params), edit: createEdit(patch) }
      return view(await execute(world, access.actor, changeVariantsEverywhere, input))
    },
  }),
  route({
    ...everywhere,
    method: 'PUT',
    url: `${FEATURES}/:featureName/variants-batch`,
    permission: HERE,
    summary: 'Sets the same variants in several environments atomically.',
    body: VariantsBatch,
    problems: WRITE,
    handle: async ({ params, body: { environments, variants }, access }, world) => {
      // the path contains no environment, so check the permission for each environment in the body
      for (const environment of environments) {
        requirePermission(access.actor, HERE, { project: params.projectId, environment })
      }
      return view(
        await execute(world, access.actor, setVariantsIn, { ...toFeatureRef(params), environments, variants }),
      )
    },
  }),
]

const view = (variants: readonly VariantDefinition[]) => ({ version: 1, variants })

async function listFlagEnvironments(
  world: World,
  params: { projectId: string; featureName: string },
): Promise<string[]> {
  const { name } = await requireLive(world.db.reader, toFeatureRef(params))
  return (await listFeatureEnvironments(world.db.reader, name)).map(({ environment }) => environment)
}

/**
 * Returns an edit function that applies a patch to the list of variants. The result is validated like a list sent by a
 * client.
 */
const createEdit = (patch: Patch) => (before: readonly VariantDefinition[]) =>
  checkBody(List, applyPatch(before, patch))
