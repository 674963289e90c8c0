import { compile } from '@burgee/engine'
import { Impact } from '@burgee/protocol/administration/impact'
import { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import Type, { type Static } from 'typebox'
import type { HttpWorld } from '../../../core/http/route.ts'
import type { FeatureEnvironmentRef } from '../../flags/feature-ref.ts'
import { type EditedFlag, readEditedFlag, requireEditPermission } from '../../impact/edited-flag.ts'
import { NOT_SAMPLED } from '../../impact/impact.ts'
import { CallerGone } from '../../playground/playground.ts'
import { readAgentAccess } from '../agent-limits.ts'
import { ContextInput } from './explain-tools.ts'
import { resolveFlagEnvironment } from './flag-lookup.ts'
import { defineTool, EnvironmentArguments, type Tool } from './tool.ts'

const EditInput = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean({ description: 'Turns the flag on or off.' })),
    strategy: Type.Optional(
      Type.Object(
        {
          id: Type.Optional(Type.String({ maxLength: 100, description: 'Strategy to replace. Omit to add one.' })),
          name: Type.String({ minLength: 1, maxLength: 100, description: 'Usually flexibleRollout.' }),
          parameters: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 10_000 }))),
          constraints: Type.Optional(Type.Array(ConstraintInput, { maxItems: 30 })),
        },
        { additionalProperties: false },
      ),
    ),
    removeStrategy: Type.Optional(Type.String({ maxLength: 100, description: 'Id of a strategy to remove.' })),
  },
  { additionalProperties: false, minProperties: 1 },
)

const Outcome = Type.Object({ enabled: Type.Boolean(), variant: Type.Union([Type.String(), Type.Null()]) })

/** Returns what a context gets before and after the edit, using the same random numbers for both. */
function compareContexts(
  { before, after, parents, segments }: EditedFlag,
  contexts: readonly Static<typeof ContextInput>[],
  { clock, profile = 'node' }: Pick<HttpWorld, 'clock' | 'profile'>,
) {
  if (contexts.length === 0) return []
  const now = clock()
  const options = { profile, clock: () => now, random: () => 0.5, caches: false }
  const [current, edited] = [before, after].map(
    (feature) => compile({ features: [feature, ...parents], segments }, options).engine,
  )
  return contexts.map((context) => {
    const states = [current, edited].map((engine) => {
      const result = engine?.evaluate(before.name, context)
      const enabled = result?.enabled === true
      return { enabled, variant: enabled ? (result?.variant.name ?? null) : null }
    })
    const off = { enabled: false, variant: null }
    return { context, before: states[0] ?? off, after: states[1] ?? off }
  })
}

function describeEdit({ feature, environment }: FeatureEnvironmentRef, edit: Static<typeof EditInput>): string {
  const parts = [
    ...(edit.removeStrategy === undefined ? [] : ['removes a strategy']),
    ...(edit.strategy === undefined ? [] : [describeStrategy(edit.strategy)]),
    ...(edit.enabled === undefined ? [] : [`turns the flag ${edit.enabled ? 'on' : 'off'}`]),
  ]
  return `${feature} in ${environment}: ${parts.join(', ')}`
}

function describeStrategy({
  id,
  parameters,
  constraints = [],
}: NonNullable<Static<typeof EditInput>['strategy']>): string {
  const rollout = Number(parameters?.rollout)
  const share = Number.isFinite(rollout) ? ` for ${rollout} %` : ''
  const conditions = constraints.length === 0 ? '' : ` with ${constraints.length} constraints`
  return `${id === undefined ? 'adds' : 'replaces'} a strategy${share}${conditions}`
}

const previewChange = defineTool({
  name: 'preview_change',
  title: 'Preview a change',
  description:
    'Shows what an unsaved change of a flag would do: in words, for sampled live traffic, and for given contexts. Stores nothing.',
  input: Type.Object(
    {
      ...EnvironmentArguments,
      change: EditInput,
      contexts: Type.Optional(Type.Array(ContextInput, { maxItems: 20, description: 'Contexts to compare.' })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    featureName: Type.String(),
    environment: Type.String(),
    sentence: Type.String(),
    /** Access of agents in the environment: read, propose or write. */
    agentAccess: Type.String(),
    sampledTraffic: Impact,
    contexts: Type.Array(
      Type.Object({ context: Type.Record(Type.String(), Type.Unknown()), before: Outcome, after: Outcome }),
    ),
  }),
  run: async ({ change, contexts = [], ...input }, { world, caller, isGone }) => {
    const ref = await resolveFlagEnvironment({ world, caller }, input)
    requireEditPermission(caller.actor, ref, change)
    const [edited, agentAccess] = await world.db.view(
      async (reader) =>
        [await readEditedFlag(reader, ref, change), await readAgentAccess(reader, ref.environment)] as const,
    )
    const sample = world.traffic.get(ref.environment)
    const sampledTraffic = sample === undefined ? NOT_SAMPLED : await world.impacts.evaluate(edited, sample, isGone)
    if (sampledTraffic === undefined) throw new CallerGone()
    const sentence = describeEdit(ref, change)
    const { feature: featureName, environment } = ref
    const compared = compareContexts(edited, contexts, world)
    const changed = compared.filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after)).length
    return {
      content: { featureName, environment, sentence, agentAccess, sampledTraffic, contexts: compared },
      text: `${sentence}. ${changed} of ${compared.length} contexts change.`,
    }
  },
})

/** Tools that preview changes. */
export const previewTools: readonly Tool[] = [previewChange]
