import Type, { type Static, type TSchema } from 'typebox'
import { KnownFrom, MomentQuery } from './administration/flag-history.ts'
import { Payload, VariantDefinition } from './feature.ts'

/** Bodies of the playground: what a context would get, and why. Source: spec "Playground request", "Playground response". */

/** RFC 3339, with its zone. */
const DateTime = Type.String({
  pattern:
    '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])[Tt ]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d)$',
})

/** Context of the playground. Further names of any type are allowed; those that are no text are not evaluated. */
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
 * Body of `POST /api/admin/playground/advanced`. Texts with commas stand for several values. An addition: with `event` or
 * `at`, flags are what they were at that moment.
 */
export const PlaygroundRequest = Type.Object({
  environments: Type.Array(EnvironmentName, { minItems: 1 }),
  projects: ProjectList,
  context: PlaygroundContext,
  ...MomentQuery.properties,
})
export type PlaygroundRequest = Static<typeof PlaygroundRequest>

/** Body of `POST /api/admin/playground`: one environment, one context as it is. */
export const SimplePlaygroundRequest = Type.Object({
  environment: EnvironmentName,
  projects: ProjectList,
  context: PlaygroundContext,
})
export type SimplePlaygroundRequest = Static<typeof SimplePlaygroundRequest>

/** True, false, or not to be known here. */
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

/** What a strategy came to: a boolean, or why there is none. */
const StrategyResult = Type.Union([
  Type.Boolean(),
  Type.Object({
    evaluationStatus: Type.Enum(['incomplete', 'unevaluated']),
    enabled: Type.Union([Type.Literal(false), Type.Literal('unknown')]),
  }),
])

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/**
 * Why a percentage let a context in or not; an addition to the wire. `stickiness`: the context field the bucket is
 * drawn from, `default` (userId, else sessionId) or `random`. `stickinessValue`: the text that was hashed, null when
 * there was none or when chance decided. `bucket`: 1 to 100, `random` when chance decided (and decides anew every
 * time), null when the field is missing, which lets nobody in. `limit`: the percentage; buckets up to it are in; null
 * when it is no number, which lets nobody in.
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
 * Why a list of variants yielded this one; an addition to the wire. `source`: whose list it is. `bucket`: 1 to
 * `total`, the sum of the weights; null when an override decided, or when no variant has a weight. `ranges`: the
 * buckets of each variant that has a weight, those above `from`, up to and including `to`. `chosen`: null when the list
 * yields none. `stickinessValue`: null when chance decided, which it does anew every time.
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
 * A strategy with everything it came to. `decision` is there when a percentage decides, also when constraints fail;
 * `variantDecision` when the strategy has variants of its own.
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

/** A parent that keeps its child off for a context, and what is not as it must be; an addition to the wire. */
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
 * One flag in one environment for one context. `variantDecision` says how `variant` came about; absent when the flag is
 * off or has no variants. `unsatisfiedDependencies` names the parents that keep it off; absent where none does.
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
    /** Flags without a result: of what they were then not all is known. An addition. */
    unknownFlags: Type.Optional(Type.Array(Type.Object({ name: Type.String(), knownFrom: KnownFrom }))),
  }),
)

/** Reply of `POST /api/admin/playground/advanced`. */
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

/** Reply of `POST /api/admin/playground`. */
export const SimplePlaygroundResponse = Type.Object({
  input: SimplePlaygroundRequest,
  features: Type.Array(Type.Object(RESULT)),
  warnings: Warnings,
})
export type SimplePlaygroundResponse = Static<typeof SimplePlaygroundResponse>
