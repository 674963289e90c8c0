import Type, { type Static, type TSchema } from 'typebox'
import { HistoryPointQuery, HistoryStart } from './administration/flag-history.ts'
import { Payload, VariantDefinition } from './feature.ts'

/**
 * Schemas for the playground, which returns evaluation results for a context, with their reasons. Source: spec
 * "Playground request" and "Playground response".
 */

/** RFC 3339 timestamp with a time zone. */
const DateTime = Type.String({
  pattern:
    '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])[Tt ]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d)$',
})

/**
 * Evaluation context in the playground. Values with unknown names are accepted, whatever their type, but only strings
 * are evaluated.
 */
export const PlaygroundContext = Type.Object(
  {
    appName: Type.String({ minLength: 1 }),
    currentTime: Type.Optional(DateTime),
    environment: Type.Optional(Type.String()),
    properties: Type.Optional(Type.Record(Type.String(), Type.String())),
    remoteAddress: Type.Optional(Type.String()),
    sessionId: Type.Optional(Type.String()),
    userId: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
)
export type PlaygroundContext = Static<typeof PlaygroundContext>

const EnvironmentName = Type.String({ pattern: '^[a-zA-Z0-9~_.-]+$', maxLength: 100 })
const ProjectList = Type.Optional(Type.Union([Type.Array(Type.String({ minLength: 1 })), Type.Literal('*')]))

/**
 * Body of `POST /api/admin/playground/advanced`. A string with commas stands for several values. Burgee extensions:
 * with `event` or `at`, flags are evaluated in the state that they had at that event or time; with `features`, only the
 * named flags are evaluated.
 */
export const PlaygroundRequest = Type.Object({
  environments: Type.Array(EnvironmentName, { minItems: 1 }),
  projects: ProjectList,
  features: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 1000 })),
  context: PlaygroundContext,
  ...HistoryPointQuery.properties,
})
export type PlaygroundRequest = Static<typeof PlaygroundRequest>

/** Request body of `POST /api/admin/playground`: one environment and one context, which is used unchanged. */
export const SimplePlaygroundRequest = Type.Object({
  environment: EnvironmentName,
  projects: ProjectList,
  context: PlaygroundContext,
})
export type SimplePlaygroundRequest = Static<typeof SimplePlaygroundRequest>

/** True, false, or 'unknown' if this server cannot decide. */
const Decision = Type.Union([Type.Boolean(), Type.Literal('unknown')])

const ConstraintResult = Type.Object({
  contextName: Type.String(),
  operator: Type.String(),
  caseInsensitive: Type.Boolean(),
  inverted: Type.Boolean(),
  values: Type.Array(Type.String()),
  value: Type.Optional(Type.String()),
  result: Type.Boolean(),
})

const SegmentResult = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  result: Type.Boolean(),
  constraints: Type.Array(ConstraintResult),
})

const ResultVariant = Type.Object({
  name: Type.String(),
  enabled: Type.Boolean(),
  payload: Type.Optional(Payload),
  feature_enabled: Type.Optional(Type.Boolean()),
})

/** Result of a strategy: a boolean, or the reason why there is no boolean result. */
const StrategyResult = Type.Union([
  Type.Boolean(),
  Type.Object({
    evaluationStatus: Type.Enum(['incomplete', 'unevaluated']),
    enabled: Type.Union([Type.Literal(false), Type.Literal('unknown')]),
  }),
])

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/**
 * Explains why a rollout percentage included or excluded a context. Burgee extension.
 *
 * - `stickiness`: the context field on which the bucket depends; or `default` (userId, or else sessionId) or `random`.
 * - `stickinessValue`: the string that was hashed; null if there was none, or if the bucket was random.
 * - `bucket`: 1 to 100; `random` if each evaluation draws a random bucket; null if the context lacks the field, in
 *   which case it is excluded.
 * - `limit`: the rollout percentage; buckets up to and including this number are included. Null if the percentage is
 *   not a number, in which case every context is excluded.
 */
export const RolloutDecision = Type.Object({
  stickiness: Type.String(),
  stickinessValue: Nullable(Type.String()),
  groupId: Type.String(),
  bucket: Nullable(Type.Union([Type.Integer(), Type.Literal('random')])),
  limit: Nullable(Type.Number()),
})
export type RolloutDecision = Static<typeof RolloutDecision>

/**
 * Explains how a variant was chosen from a list. Burgee extension.
 *
 * - `source`: whether the list belongs to the strategy or to the flag.
 * - `stickinessValue`: the string that was hashed; null if each evaluation draws a random variant.
 * - `bucket`: 1 to `total`, which is the sum of the weights; null if an override decided, or if no variant has a
 *   weight.
 * - `ranges`: for each variant that has a weight, the buckets above `from`, up to and including `to`.
 * - `chosen`: name of the chosen variant; null if none was chosen.
 */
export const VariantDecision = Type.Object({
  source: Type.Enum(['strategy', 'feature']),
  stickiness: Type.String(),
  stickinessValue: Nullable(Type.String()),
  groupId: Type.String(),
  bucket: Nullable(Type.Number()),
  total: Type.Number(),
  chosen: Nullable(Type.String()),
  override: Type.Optional(Type.Object({ contextName: Type.String(), value: Type.String() })),
  ranges: Type.Array(Type.Object({ name: Type.String(), from: Type.Number(), to: Type.Number() })),
})
export type VariantDecision = Static<typeof VariantDecision>

/**
 * Strategy, with the results of all its parts. `decision` is present if the strategy has a rollout percentage, even if
 * a constraint is not met. `variantDecision` is present if the strategy has variants.
 */
export const PlaygroundStrategy = Type.Object({
  name: Type.String(),
  id: Type.String(),
  title: Type.Optional(Type.String()),
  disabled: Type.Union([Type.Boolean(), Type.Null()]),
  parameters: Type.Record(Type.String(), Type.String()),
  result: StrategyResult,
  constraints: Type.Array(ConstraintResult),
  segments: Type.Array(SegmentResult),
  links: Type.Object({ edit: Type.String() }),
  variant: Type.Optional(ResultVariant),
  variants: Type.Optional(Type.Array(VariantDefinition)),
  decision: Type.Optional(RolloutDecision),
  variantDecision: Type.Optional(VariantDecision),
})
export type PlaygroundStrategy = Static<typeof PlaygroundStrategy>

/** Parent flag because of which its child is off for a context, and the reason. Burgee extension. */
export const UnsatisfiedDependency = Type.Object({
  feature: Type.String(),
  reason: Type.Enum([
    'parent does not exist',
    'parent has parents',
    'parent is off',
    'parent is on',
    'parent has another variant',
  ]),
})
export type UnsatisfiedDependency = Static<typeof UnsatisfiedDependency>

const RESULT = {
  name: Type.String(),
  projectId: Type.String(),
  strategies: Type.Object({ result: Decision, data: Type.Array(PlaygroundStrategy) }),
  isEnabledInCurrentEnvironment: Type.Boolean(),
  isEnabled: Type.Boolean(),
  hasUnsatisfiedDependency: Type.Boolean(),
  unsatisfiedDependencies: Type.Optional(Type.Array(UnsatisfiedDependency)),
  variant: Type.Union([ResultVariant, Type.Null()]),
  feature_enabled: Type.Boolean(),
  variants: Type.Array(VariantDefinition),
  variantDecision: Type.Optional(VariantDecision),
}

/**
 * Result of one flag in one environment for one context. `variantDecision` explains how `variant` was chosen; it is
 * absent if the flag is off or has no variants. `unsatisfiedDependencies` lists the parent flags because of which the
 * flag is off; it is absent if there are none.
 */
export const PlaygroundResult = Type.Object({
  ...RESULT,
  environment: Type.String(),
  context: Type.Object({ appName: Type.String({ minLength: 1 }) }, { additionalProperties: Type.String() }),
})
export type PlaygroundResult = Static<typeof PlaygroundResult>

const Warnings = Type.Optional(
  Type.Object({
    invalidContextProperties: Type.Optional(Type.Array(Type.String())),
    /**
     * Flags for which there is no result, because part of their state at the requested time is unknown. Burgee
     * extension.
     */
    unknownFlags: Type.Optional(Type.Array(Type.Object({ name: Type.String(), knownFrom: HistoryStart }))),
  }),
)

/** Response of `POST /api/admin/playground/advanced`. */
export const PlaygroundResponse = Type.Object({
  features: Type.Array(
    Type.Object({
      name: Type.String(),
      projectId: Type.String(),
      environments: Type.Record(Type.String(), Type.Array(PlaygroundResult)),
    }),
  ),
  input: PlaygroundRequest,
  warnings: Warnings,
})
export type PlaygroundResponse = Static<typeof PlaygroundResponse>

/** Response of `POST /api/admin/playground`. */
export const SimplePlaygroundResponse = Type.Object({
  input: SimplePlaygroundRequest,
  features: Type.Array(Type.Object(RESULT)),
  warnings: Warnings,
})
export type SimplePlaygroundResponse = Static<typeof SimplePlaygroundResponse>
