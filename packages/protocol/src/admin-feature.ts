import Type, { type Static } from 'typebox'
import { FeatureLink } from './administration/feature-link.ts'
import { FeatureStage } from './administration/feature-stage.ts'
import { FeatureCreator } from './administration/project-status.ts'
import { Tag } from './event.ts'
import { SdkGap } from './sdk/sdk-gap.ts'
import { NO_IGNORED_RESTRICTION } from './targeting/restriction.ts'
import { AdminStrategy } from './targeting/strategy.ts'
import { StoredVariant } from './targeting/variant.ts'

/**
 * Flags in the admin API. Source: the established server's wire protocol; unknown properties are ignored except where a
 * schema forbids them.
 */

/** A name that may stand in a URL as it is (checked by the service), at most 100 characters. */
export const FeatureName = Type.String({ minLength: 1, maxLength: 100 })

/** Longest free text anywhere: descriptions, titles. */
const TextOrNull = Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])

/** Body that asks whether a flag could have this name, and in a project if one is given. */
export const FeatureNameCheck = Type.Object({ name: FeatureName, projectId: Type.Optional(FeatureName) })

/** Body of a new flag. */
export const CreateFeature = Type.Object(
  {
    name: FeatureName,
    type: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    description: Type.Optional(TextOrNull),
    impressionData: Type.Optional(Type.Boolean()),
    /** Means nothing, as a new flag is off in every environment; older scripts send it. */
    enabled: Type.Optional(Type.Boolean()),
    tags: Type.Optional(
      Type.Array(Type.Object({ type: FeatureName, value: Type.String({ minLength: 2, maxLength: 50 }) })),
    ),
  },
  NO_IGNORED_RESTRICTION,
)
export type CreateFeature = Static<typeof CreateFeature>

/**
 * Body that replaces what can change of a flag; omitted properties keep their value. A flag that was read may be sent back
 * whole: the service rejects properties that restrict who gets it and differ from what is stored.
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
  /** The name of the flag. */
  name: Type.String(),
  environment: Type.String(),
  /** The type of the environment. */
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
  lastSeenAt: Type.Union([Type.String(), Type.Null()], { deprecated: true }),
  archivedAt: TextOrNull,
  /** Null where its creation is so long ago that nothing tells of it. */
  createdBy: Type.Union([FeatureCreator, Type.Null()]),
  /** The last stage that it has reached. */
  lifecycle: FeatureStage,
}

/** A flag, for people. */
export const AdminFeature = Type.Object({
  ...FEATURE,
  archived: Type.Boolean(),
  variants: Type.Array(StoredVariant, { deprecated: true }),
  environments: Type.Array(AdminFeatureEnvironment),
  tags: Type.Array(Tag),
  dependencies: Type.Array(Type.Unknown()),
  children: Type.Array(Type.String()),
  links: Type.Array(FeatureLink),
  /** An addition of `GET`: applications that ask for the flag by an SDK which does not know every part; absent without any. */
  sdkGaps: Type.Optional(Type.Array(SdkGap)),
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
      /** How many strategies it has there that are not disabled. */
      enabledStrategyCount: Type.Integer(),
      /** The largest percentage that one of these lets in of those it is for; null where none says one. */
      rollout: Type.Union([Type.Number(), Type.Null()]),
      variantCount: Type.Integer(),
    }),
  ),
})
export type FeatureListItem = Static<typeof FeatureListItem>

/** Reply of lists of flags. */
export const FeatureList = Type.Object({ version: Type.Integer(), features: Type.Array(FeatureListItem) })
export type FeatureList = Static<typeof FeatureList>
