import { invalid } from '@burgee/kit/input/refusals'
import type { ChangeInput } from '@burgee/protocol/administration/change-request'
import { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import type { Reader } from '@burgee/storage/database'
import { listStrategies, type StrategyRow } from '@burgee/storage/queries/flags/strategies'
import Type, { type Static } from 'typebox'
import { getInputWarnings } from '../../../core/http/value-warnings.ts'
import type { FeatureEnvironmentRef } from '../../flags/feature-ref.ts'
import { toAdminStrategy } from '../../flags/feature-views.ts'
import { type AgentResult, changeAsAgent } from '../agent-changes.ts'
import { createFlagAsAgent } from '../agent-flags.ts'
import { resolveFlagEnvironment } from './flag-lookup.ts'
import { defineTool, EnvironmentArguments, type Tool, type ToolResult, WriteArguments, WriteResult } from './tool.ts'

type Written = Static<typeof WriteResult>

/** Converts the result of a write to the result of its tool. */
export function toWritten(
  ref: { readonly project: string; readonly feature: string; readonly environment?: string },
  { outcome, dryRun, events, changeRequest }: AgentResult,
  warnings: readonly string[] = [],
): ToolResult<Written> {
  const environment = ref.environment ?? null
  const content = { projectId: ref.project, featureName: ref.feature, environment, outcome, dryRun }
  const where = environment === null ? '' : ` in ${environment}`
  return {
    content: {
      ...content,
      events: [...events],
      changeRequest: changeRequest === null ? null : { ...changeRequest },
      warnings: [...warnings],
    },
    text: [
      `${dryRun ? 'Dry run: ' : ''}${ref.feature}${where}: ${describeOutcome(outcome, changeRequest)}`,
      ...warnings,
    ].join(' '),
  }
}

function describeOutcome(outcome: Written['outcome'], changeRequest: AgentResult['changeRequest']): string {
  if (outcome === 'applied') return 'applied.'
  if (outcome === 'unchanged') return 'nothing to change.'
  if (changeRequest?.state === 'In review') return 'proposed. The change request is in review.'
  return 'proposed. The owner of the token can review the draft and send it to review.'
}

const createFlag = defineTool({
  name: 'create_flag',
  title: 'Create a flag',
  description: 'Creates a flag that is off in every environment. Call detect_flag first to avoid duplicates.',
  permissions: ['CREATE_FEATURE'],
  input: Type.Object(
    {
      projectId: Type.String({ minLength: 1, maxLength: 100 }),
      name: Type.String({ minLength: 1, maxLength: 100, description: 'URL-friendly name that is unique.' }),
      type: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'release, experiment, operational, kill-switch …' }),
      ),
      description: Type.String({ minLength: 1, maxLength: 5000, description: 'Purpose of the flag.' }),
      impressionData: Type.Optional(Type.Boolean()),
      ...WriteArguments,
    },
    { additionalProperties: false },
  ),
  output: WriteResult,
  run: async (input, { world, caller }) => {
    const { projectId: project, name, type, description, impressionData, reason, dryRun = false } = input
    const body = { name, description, ...(type === undefined ? {} : { type }), impressionData: impressionData === true }
    const write = { tool: 'create_flag', reason, dryRun, project, feature: name, body }
    return toWritten({ project, feature: name }, await createFlagAsAgent(world, caller, write))
  },
})

const RolloutInput = Type.Object(
  {
    ...EnvironmentArguments,
    rolloutPercentage: Type.Integer({ minimum: 0, maximum: 100 }),
    stickiness: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Context field such as userId. Default: default.' }),
    ),
    constraints: Type.Optional(
      Type.Array(ConstraintInput, { maxItems: 30, description: 'Replaces the constraints. Omit to keep them.' }),
    ),
    strategyId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Strategy to change, if there are several.' }),
    ),
    ...WriteArguments,
  },
  { additionalProperties: false },
)

/** Returns the change that gives a flag a gradual rollout: an edit of its only rollout strategy, or a new strategy. */
async function listRolloutChanges(
  reader: Reader,
  { feature, environment }: FeatureEnvironmentRef,
  input: Static<typeof RolloutInput>,
): Promise<readonly ChangeInput[]> {
  const stored = await listStrategies(reader, feature, environment)
  const strategy = selectStrategy(stored, input.strategyId)
  const { rolloutPercentage, stickiness, constraints } = input
  const rollout = { rollout: String(rolloutPercentage), ...(stickiness === undefined ? {} : { stickiness }) }
  if (strategy === undefined) {
    const parameters = { groupId: feature, stickiness: 'default', ...rollout }
    const payload = { name: 'flexibleRollout', parameters, constraints: constraints ?? [] }
    return [{ action: 'addStrategy', payload }]
  }
  const before = toAdminStrategy(strategy)
  const payload = {
    id: before.id,
    parameters: { ...before.parameters, ...rollout },
    constraints: constraints ?? before.constraints,
    variants: before.variants,
  }
  return [{ action: 'updateStrategy', payload }]
}

function selectStrategy(stored: readonly StrategyRow[], id: string | undefined): StrategyRow | undefined {
  const rollouts = stored.filter(({ name }) => name === 'flexibleRollout')
  const found = id === undefined ? rollouts : rollouts.filter((one) => one.id === id)
  if (id !== undefined && found.length === 0) {
    throw invalid(`There is no gradual rollout with the id "${id}"`, 'arguments/strategyId')
  }
  if (found.length > 1) {
    const ids = found.map((one) => one.id).join(', ')
    throw invalid(
      `The flag has several gradual rollouts. Name one of them in "strategyId": ${ids}`,
      'arguments/strategyId',
    )
  }
  return found[0]
}

const setFlagRollout = defineTool({
  name: 'set_flag_rollout',
  title: 'Set the rollout of a flag',
  description:
    'Sets the percentage of a gradual rollout in one environment. Adds the strategy if there is none. Does not turn the flag on.',
  permissions: ['CREATE_FEATURE_STRATEGY', 'UPDATE_FEATURE_STRATEGY'],
  isDestructive: true,
  input: RolloutInput,
  output: WriteResult,
  run: async (input, context) => {
    const ref = await resolveFlagEnvironment(context, input)
    const intent = { tool: 'set_flag_rollout', reason: input.reason, dryRun: input.dryRun ?? false }
    const listChanges = (reader: Reader) => listRolloutChanges(reader, ref, input)
    const result = await changeAsAgent(context.world, context.caller, { ...ref, ...intent, listChanges })
    const warnings = getInputWarnings(input.constraints).map(({ message }) => message)
    return toWritten(ref, result, warnings)
  },
})

const toggleFlagEnvironment = defineTool({
  name: 'toggle_flag_environment',
  title: 'Turn a flag on or off',
  description:
    'Turns a flag on or off in one environment. A flag without an enabled strategy gets the default strategy of its project, which may be for everyone.',
  permissions: ['UPDATE_FEATURE_ENVIRONMENT'],
  isDestructive: true,
  input: Type.Object(
    { ...EnvironmentArguments, enabled: Type.Boolean(), ...WriteArguments },
    { additionalProperties: false },
  ),
  output: WriteResult,
  run: async ({ enabled, reason, dryRun = false, ...input }, context) => {
    const ref = await resolveFlagEnvironment(context, input)
    const intent = { tool: 'toggle_flag_environment', reason, dryRun }
    const listChanges = async (): Promise<ChangeInput[]> => [{ action: 'updateEnabled', payload: { enabled } }]
    return toWritten(ref, await changeAsAgent(context.world, context.caller, { ...ref, ...intent, listChanges }))
  },
})

const removeFlagStrategy = defineTool({
  name: 'remove_flag_strategy',
  title: 'Remove a strategy',
  description:
    'Removes a strategy of a flag in one environment. If no enabled strategy is left, the flag is turned off there.',
  permissions: ['DELETE_FEATURE_STRATEGY'],
  isDestructive: true,
  input: Type.Object(
    { ...EnvironmentArguments, strategyId: Type.String({ minLength: 1, maxLength: 100 }), ...WriteArguments },
    { additionalProperties: false },
  ),
  output: WriteResult,
  run: async ({ strategyId, reason, dryRun = false, ...input }, context) => {
    const ref = await resolveFlagEnvironment(context, input)
    const intent = { tool: 'remove_flag_strategy', reason, dryRun }
    const listChanges = async (): Promise<ChangeInput[]> => [{ action: 'deleteStrategy', payload: { id: strategyId } }]
    return toWritten(ref, await changeAsAgent(context.world, context.caller, { ...ref, ...intent, listChanges }))
  },
})

/** Tools that change flags. */
export const writeTools: readonly Tool[] = [createFlag, setFlagRollout, toggleFlagEnvironment, removeFlagStrategy]
