import { invalid } from '@burgee/kit/input/refusals'
import type { PlaygroundContext, PlaygroundResponse, PlaygroundResult } from '@burgee/protocol/playground'
import { PlaygroundStrategy, UnsatisfiedDependency } from '@burgee/protocol/playground'
import Type from 'typebox'
import { isNow, parsePointInTime } from '../../history/point-in-time.ts'
import { createCombinations } from '../../playground/playground-contexts.ts'
import { explainResult } from './explanation-text.ts'
import { parseContent, resolveFlagEnvironment } from './flag-lookup.ts'
import { defineTool, EnvironmentArguments, type Tool } from './tool.ts'

/** Context of an evaluation, as a tool argument. */
export const ContextInput = Type.Object(
  {
    userId: Type.Optional(Type.String({ maxLength: 1000 })),
    sessionId: Type.Optional(Type.String({ maxLength: 1000 })),
    remoteAddress: Type.Optional(Type.String({ maxLength: 1000 })),
    appName: Type.Optional(Type.String({ maxLength: 1000 })),
    properties: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 1000 }))),
  },
  { additionalProperties: false },
)

/**
 * Maximum number of results of one evaluation. Comma-separated values are alternatives, so one context can have several
 * results.
 */
const MAX_RESULTS = 20

const Decision = Type.Object({
  context: Type.Record(Type.String(), Type.Unknown()),
  enabled: Type.Boolean(),
  variant: Type.Union([Type.String(), Type.Null()]),
  enabledInEnvironment: Type.Boolean(),
  /** Reasons in plain English, in the order in which the server evaluates them. */
  reasons: Type.Array(Type.String()),
  strategies: Type.Array(Type.Omit(PlaygroundStrategy, ['links'])),
  unsatisfiedDependencies: Type.Array(UnsatisfiedDependency),
})

/** Throws ValidationError before anything is evaluated if a context has too many combinations of alternatives. */
function requireFewResults(context: PlaygroundContext): void {
  const { count } = createCombinations(context, true)
  if (count <= MAX_RESULTS) return
  const message = `The values with commas make ${count} contexts; at most ${MAX_RESULTS} are explained at once.`
  throw invalid(message, 'arguments/context')
}

function toDecision(result: PlaygroundResult) {
  return {
    context: result.context,
    enabled: result.isEnabled,
    variant: result.isEnabled ? (result.variant?.name ?? null) : null,
    enabledInEnvironment: result.isEnabledInCurrentEnvironment,
    reasons: explainResult(result),
    strategies: result.strategies.data.map(({ links: _links, ...strategy }) => strategy),
    unsatisfiedDependencies: result.unsatisfiedDependencies ?? [],
  }
}

const explainDecision = defineTool({
  name: 'explain_decision',
  title: 'Explain a decision',
  description:
    'Explains why a flag is on or off for a context in an environment, now or at a past time: every strategy, constraint, segment, parent and bucket.',
  input: Type.Object(
    {
      ...EnvironmentArguments,
      context: ContextInput,
      at: Type.Optional(
        Type.String({ maxLength: 40, description: 'Past time, such as 2026-01-31T12:00:00Z. Default: now.' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    featureName: Type.String(),
    environment: Type.String(),
    at: Type.Union([Type.String(), Type.Null()]),
    decisions: Type.Array(Decision),
  }),
  run: async ({ context: given, at, ...input }, tool) => {
    const ref = await resolveFlagEnvironment(tool, input)
    const { feature, project, environment } = ref
    const context = { ...given, appName: given.appName ?? 'agent' } as PlaygroundContext
    requireFewResults(context)
    const body = { environments: [environment], projects: [project], features: [feature], context }
    const { world, caller, isGone } = tool
    const asker = { basePath: '', hidden: caller.actor.hidden, isGone }
    const when = parsePointInTime({ at }, ['event', 'at'], 'arguments')
    const reply = isNow(when)
      ? world.playground.advanced(body, asker)
      : world.pastPlayground.advanced({ when, body }, asker)
    const { features } = parseContent(await reply) as PlaygroundResponse
    const results = features.flatMap(({ environments }) => environments[environment] ?? [])
    const decisions = results.map(toDecision)
    const states = decisions.map(({ enabled, reasons }) => `${enabled ? 'on' : 'off'} (${reasons.at(-1) ?? 'unknown'})`)
    const text = `${feature} in ${environment}: ${states.slice(0, 3).join('; ') || 'no result, the state is unknown'}.`
    return { content: { featureName: feature, environment, at: at ?? null, decisions }, text }
  },
})

/** Tools that explain why a flag is on or off. */
export const explainTools: readonly Tool[] = [explainDecision]
