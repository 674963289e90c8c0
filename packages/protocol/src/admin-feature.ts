import Type, { type Static } from 'typebox'
import { FeatureLink } from './administration/feature-link.ts'
import { FeatureStage } from './administration/feature-stage.ts'
import { ManagedBy } from './administration/managed-by.ts'
import { FeatureCreator } from './administration/project-status.ts'
import { Tag } from './event.ts'
import { SdkGap } from './sdk/sdk-gap.ts'
import { NO_IGNORED_RESTRICTION } from './targeting/restriction.ts'
import { AdminStrategy, DefaultStrategy } from './targeting/strategy.ts'
import { StoredVariant } from './targeting/variant.ts'

/**
 * Flags in the admin API. Source: the wire protocol of Unleash. Unknown properties are ignored unless a schema forbids
 * them.
 */

/** URL-safe name of at most 100 characters. The service checks which characters the name contains. */
export const FeatureName = Type.String({ minLength: 1, maxLength: 100 })

/** Text of at most 5000 characters without further restrictions, for descriptions and titles. */
const TextOrNull = Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])

/** Body that asks whether a flag name is available, optionally in a project. */
export const FeatureNameCheck = Type.Object({ name: FeatureName, projectId: Type.Optional(FeatureName) })

/** Body of a new flag. */
export const CreateFeature = Type.Object(
  {
    name: FeatureName,
    type: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    description: Type.Optional(TextOrNull),
    impressionData: Type.Optional(Type.Boolean()),
    /** The value is ignored, because a new flag is off in every environment. Older scripts send this property. */
    enabled: Type.Optional(Type.Boolean()),
    tags: Type.Optional(
      Type.Array(Type.Object({ type: FeatureName, value: Type.String({ minLength: 2, maxLength: 50 }) })),
    ),
  },
  NO_IGNORED_RESTRICTION,
)
export type CreateFeature = Static<typeof CreateFeature>

/**
 * Body that replaces the mutable properties of a flag; omitted properties keep their values. Clients may send back a
 * complete flag in the form in which they received it. The service rejects properties that restrict the audience of the
 * flag if they differ from the stored values.
 */
export const UpdateFeature = Type.Object(
  {
    name: Type.Optional(FeatureName),
    type: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    description: Type.Optional(TextOrNull),
    stale: Type.Optional(Type.Boolean()),
    impressionData: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  },
  { 'x-never-ignored': [] },
)
export type UpdateFeature = Static<typeof UpdateFeature>

/** State of a flag in one environment, as the admin API returns it. */
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

/** Response of `GET …/features/{name}/environments/{environment}`. */
export const FeatureEnvironment = Type.Object({
  /** Name of the flag. */
  name: Type.String(),
  environment: Type.String(),
  /** Type of the environment. */
  type: Type.String(),
  enabled: Type.Boolean(),
  strategies: Type.Array(Type.Object({ ...AdminStrategy.properties, featureName: Type.String() })),
  /**
   * Strategy that would be added if the flag were turned on, because it has no enabled strategy: the project's default
   * strategy, or a strategy for all users if there is no default. Absent if the flag has an enabled strategy. Burgee
   * extension.
   */
  addedStrategy: Type.Optional(DefaultStrategy),
})
export type FeatureEnvironment = Static<typeof FeatureEnvironment>

/** Response to turning a flag on. Burgee extension. */
export const TurnedOn = Type.Object({
  /** Enabled strategies, in order; the flag is on for users who match at least one of them. */
  strategies: Type.Array(AdminStrategy),
  /** Id of the strategy that was added because the flag had no enabled strategy; absent if the flag already had one. */
  addedStrategyId: Type.Optional(Type.String()),
})
export type TurnedOn = Static<typeof TurnedOn>

/** Properties that a flag and its list entry have in common. */
const FEATURE = {
  name: Type.String(),
  type: Type.String(),
  description: TextOrNull,
  project: Type.String(),
  stale: Type.Boolean(),
  /** True if the flag is older than the expected lifetime of its type. */
  potentiallyStale: Type.Boolean(),
  impressionData: Type.Boolean(),
  favorite: Type.Boolean(),
  createdAt: Type.String(),
  lastSeenAt: Type.Union([Type.String(), Type.Null()], { deprecated: true }),
  archivedAt: TextOrNull,
  /** Creator of the flag; null if the flag is so old that no record of its creator exists. */
  createdBy: Type.Union([FeatureCreator, Type.Null()]),
  /** Latest stage that the flag has reached. */
  lifecycle: FeatureStage,
}

/** Flag as the admin API returns it. */
export const AdminFeature = Type.Object({
  ...FEATURE,
  archived: Type.Boolean(),
  variants: Type.Array(StoredVariant, { deprecated: true }),
  environments: Type.Array(AdminFeatureEnvironment),
  tags: Type.Array(Tag),
  dependencies: Type.Array(Type.Unknown()),
  children: Type.Array(Type.String()),
  links: Type.Array(FeatureLink),
  /**
   * Applications whose SDK does not support everything that the flag uses. Contained only in responses to `GET`, and
   * absent if there are no such applications. Burgee extension.
   */
  sdkGaps: Type.Optional(Type.Array(SdkGap)),
  /**
   * Repository and file from which the flag was applied. Contained only in responses to `GET`, and absent if no file
   * describes the flag. Burgee extension.
   */
  managedBy: Type.Optional(ManagedBy),
})
export type AdminFeature = Static<typeof AdminFeature>

/** Audience of a strategy, as lists show it: which users it matches, without the operands of its conditions. */
const ListStrategy = Type.Object({
  name: Type.String(),
  /** Rollout percentage; null if the strategy selects users by another rule. */
  rollout: Type.Union([Type.Number(), Type.Null()]),
  /** Ids of the segments that the strategy uses. */
  segments: Type.Array(Type.Integer()),
  /**
   * Context fields that the strategy needs: those of its constraints, and the stickiness field unless the stickiness is
   * a default.
   */
  fields: Type.Array(Type.String()),
})
export type ListStrategy = Static<typeof ListStrategy>

/** Flag as lists contain it. Environments of flags in lists omit strategies. */
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
      /** Number of enabled strategies in the environment. */
      enabledStrategyCount: Type.Integer(),
      /** Largest rollout percentage of the enabled strategies; null if none of them has a percentage. */
      rollout: Type.Union([Type.Number(), Type.Null()]),
      /** True if one of the enabled strategies matches all users. Burgee extension. */
      matchesAll: Type.Boolean(),
      /** The only enabled strategy; null if several strategies or none are enabled. Burgee extension. */
      onlyStrategy: Type.Union([ListStrategy, Type.Null()]),
      variantCount: Type.Integer(),
      /**
       * Release plan of the flag in this environment. This property and the ones below are omitted if there is no
       * release plan.
       */
      releasePlans: Type.Optional(
        Type.Array(
          Type.Object({
            id: Type.String(),
            name: Type.String(),
            pausedAt: TextOrNull,
            /** Safeguard that has tripped and paused the plan. Burgee extension. */
            trippedSafeguard: Type.Optional(
              Type.Object({
                metricName: Type.String(),
                /** Condition of the safeguard; absent if an alert triggers it. */
                operator: Type.Optional(Type.Enum(['>', '<'])),
                threshold: Type.Optional(Type.Number()),
              }),
            ),
          }),
        ),
      ),
      /** Name of the active milestone. */
      milestoneName: Type.Optional(Type.String()),
      /** Position of the active milestone, counted from 0. */
      milestoneOrder: Type.Optional(Type.Integer()),
      totalMilestones: Type.Optional(Type.Integer()),
    }),
  ),
})
export type FeatureListItem = Static<typeof FeatureListItem>

/** Response with a list of flags. */
export const FeatureList = Type.Object({ version: Type.Integer(), features: Type.Array(FeatureListItem) })
export type FeatureList = Static<typeof FeatureList>
