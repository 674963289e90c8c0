import Type, { type Static } from 'typebox'
import { Tag } from './event.ts'
import { Constraint, Payload, VariantOverride } from './feature.ts'

/**
 * Bodies of the admin API. Source: the established server's wire protocol; unknown properties are ignored except
 * where a schema forbids them.
 */

/** A name that may stand in a URL as it is (checked by the service), at most 100 characters. */
export const FeatureName = Type.String({ minLength: 1, maxLength: 100 })

/** Longest free text anywhere: descriptions, titles. */
const Text = Type.String({ maxLength: 5000 })
const TextOrNull = Type.Union([Text, Type.Null()])

/** Operators that constraints may use. Source: spec "Constraint result item", client-specification 6.1. */
export const OPERATORS = [
  'NOT_IN',
  'IN',
  'STR_ENDS_WITH',
  'STR_STARTS_WITH',
  'STR_CONTAINS',
  'NUM_EQ',
  'NUM_GT',
  'NUM_GTE',
  'NUM_LT',
  'NUM_LTE',
  'DATE_AFTER',
  'DATE_BEFORE',
  'SEMVER_EQ',
  'SEMVER_GT',
  'SEMVER_GTE',
  'SEMVER_LT',
  'SEMVER_LTE',
  'REGEX',
  'IN_CIDR',
] as const

/** A constraint as people write it; the operator is checked, and nothing else may be in it. */
export const ConstraintInput = Type.Object(
  {
    contextName: Type.String({ minLength: 1, maxLength: 100 }),
    operator: Type.Enum([...OPERATORS]),
    values: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }))),
    value: Type.Optional(Type.String({ maxLength: 1000 })),
    inverted: Type.Optional(Type.Boolean()),
    caseInsensitive: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type ConstraintInput = Static<typeof ConstraintInput>

/** A variant as people write it; weights of variable ones are spread anew by the server. */
export const VariantInput = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  weight: Type.Integer({ minimum: 0, maximum: 1000 }),
  weightType: Type.Optional(Type.Enum(['variable', 'fix'])),
  stickiness: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  payload: Type.Optional(
    Type.Object({ type: Type.Enum(['json', 'csv', 'string', 'number']), value: Type.String({ maxLength: 65_536 }) }),
  ),
  overrides: Type.Optional(Type.Array(VariantOverride)),
})
export type VariantInput = Static<typeof VariantInput>

/** Body that asks whether a flag could have this name, and in a project if one is given. */
export const FeatureNameCheck = Type.Object({ name: FeatureName, projectId: Type.Optional(FeatureName) })

/** Body of a new flag. */
export const CreateFeature = Type.Object({
  name: FeatureName,
  type: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  description: Type.Optional(TextOrNull),
  impressionData: Type.Optional(Type.Boolean()),
  tags: Type.Optional(
    Type.Array(Type.Object({ type: FeatureName, value: Type.String({ minLength: 2, maxLength: 50 }) })),
  ),
})
export type CreateFeature = Static<typeof CreateFeature>

/** Body that replaces what can change of a flag; what is left out keeps its value. */
export const UpdateFeature = Type.Object({
  name: Type.Optional(FeatureName),
  type: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  description: Type.Optional(TextOrNull),
  stale: Type.Optional(Type.Boolean()),
  impressionData: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  archived: Type.Optional(Type.Boolean()),
})
export type UpdateFeature = Static<typeof UpdateFeature>

/** A JSON Patch (RFC 6902). */
export const Patch = Type.Array(
  Type.Object({
    op: Type.Enum(['add', 'remove', 'replace', 'copy', 'move', 'test']),
    path: Type.String({ maxLength: 1000 }),
    from: Type.Optional(Type.String({ maxLength: 1000 })),
    value: Type.Optional(Type.Unknown()),
  }),
  { maxItems: 1000 },
)
export type Patch = Static<typeof Patch>

/** Number of a segment; a database integer. */
export const SegmentId = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })

const StrategyName = Type.String({ minLength: 1, maxLength: 100 })

/** Body of a new strategy. A `flexibleRollout` without `rollout` among its parameters is for nobody. */
export const StrategyInput = Type.Object({
  name: StrategyName,
  title: Type.Optional(TextOrNull),
  disabled: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  sortOrder: Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })),
  parameters: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 65_536 }))),
  constraints: Type.Optional(Type.Array(ConstraintInput)),
  segments: Type.Optional(Type.Array(SegmentId, { maxItems: 100 })),
  variants: Type.Optional(Type.Array(VariantInput)),
})
export type StrategyInput = Static<typeof StrategyInput>

/**
 * Body that replaces a strategy. Name, title, disabled, parameters, segments and order stay where they are left out;
 * constraints and variants that are left out are none. Source: wire protocol
 */
export const UpdateStrategy = Type.Object({ ...StrategyInput.properties, name: Type.Optional(StrategyName) })
export type UpdateStrategy = Static<typeof UpdateStrategy>

/** A variant as stored. */
const StoredVariant = Type.Object({
  name: Type.String(),
  weight: Type.Number(),
  weightType: Type.String(),
  stickiness: Type.String(),
  payload: Type.Optional(Payload),
  overrides: Type.Optional(Type.Array(VariantOverride)),
})

/** A strategy as the admin API shows it. */
export const AdminStrategy = Type.Object({
  id: Type.String(),
  name: Type.String(),
  title: TextOrNull,
  disabled: Type.Boolean(),
  sortOrder: Type.Integer(),
  parameters: Type.Record(Type.String(), Type.String()),
  constraints: Type.Array(Constraint),
  segments: Type.Array(Type.Integer()),
  variants: Type.Array(StoredVariant),
})
export type AdminStrategy = Static<typeof AdminStrategy>

/** A flag in one environment, for people. */
export const AdminFeatureEnvironment = Type.Object({
  name: Type.String(),
  lastSeenAt: TextOrNull,
  enabled: Type.Boolean(),
  type: Type.String(),
  sortOrder: Type.Integer(),
  variantCount: Type.Integer(),
  strategies: Type.Array(AdminStrategy),
  variants: Type.Array(StoredVariant),
})
export type AdminFeatureEnvironment = Static<typeof AdminFeatureEnvironment>

/** Reply of `GET …/features/{name}/environments/{environment}`. */
export const FeatureEnvironment = Type.Object({
  /** Of the flag. */
  name: Type.String(),
  environment: Type.String(),
  /** Of the environment. */
  type: Type.String(),
  enabled: Type.Boolean(),
  strategies: Type.Array(Type.Object({ ...AdminStrategy.properties, featureName: Type.String() })),
})
export type FeatureEnvironment = Static<typeof FeatureEnvironment>

/** What a flag and its entry in a list have in common. */
const FEATURE = {
  name: Type.String(),
  type: Type.String(),
  description: TextOrNull,
  project: Type.String(),
  stale: Type.Boolean(),
  /** Older than flags of its type are meant to live. */
  potentiallyStale: Type.Boolean(),
  impressionData: Type.Boolean(),
  favorite: Type.Boolean(),
  createdAt: Type.String(),
  lastSeenAt: TextOrNull,
  archivedAt: TextOrNull,
}

/** A flag, for people. */
export const AdminFeature = Type.Object({
  ...FEATURE,
  archived: Type.Boolean(),
  variants: Type.Array(StoredVariant),
  environments: Type.Array(AdminFeatureEnvironment),
  tags: Type.Array(Tag),
  dependencies: Type.Array(Type.Unknown()),
  children: Type.Array(Type.String()),
})
export type AdminFeature = Static<typeof AdminFeature>

/** A flag in a list: its environments without their strategies. */
export const FeatureListItem = Type.Object({
  ...FEATURE,
  tags: Type.Array(Tag),
  environments: Type.Array(
    Type.Object({
      name: Type.String(),
      enabled: Type.Boolean(),
      type: Type.String(),
      sortOrder: Type.Integer(),
      lastSeenAt: TextOrNull,
      hasStrategies: Type.Boolean(),
      hasEnabledStrategies: Type.Boolean(),
      variantCount: Type.Integer(),
    }),
  ),
})
export type FeatureListItem = Static<typeof FeatureListItem>

/** Reply of lists of flags. */
export const FeatureList = Type.Object({ version: Type.Integer(), features: Type.Array(FeatureListItem) })
export type FeatureList = Static<typeof FeatureList>

/** Reply of the variants of a flag in an environment. */
export const Variants = Type.Object({ version: Type.Integer(), variants: Type.Array(StoredVariant) })
export type Variants = Static<typeof Variants>
