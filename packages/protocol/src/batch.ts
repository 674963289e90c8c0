import Type, { type Static } from 'typebox'
import { FeatureName } from './admin-feature.ts'
import { NO_IGNORED_RESTRICTION } from './targeting/restriction.ts'
import { VariantInput } from './targeting/variant.ts'

/** Schemas for requests that concern several flags, and for relations between flags. Source: wire protocol */

const Names = Type.Array(FeatureName, { minItems: 1, maxItems: 5000 })

/** Request body with the names of flags. */
export const FeatureNames = Type.Object({ features: Names })

/** Request body that marks flags as stale or as not stale. */
export const StaleFeatures = Type.Object({ features: Names, stale: Type.Boolean() })

/** Response with the consequences that archiving flags would have. */
export const ArchiveCheck = Type.Object({
  parentsWithChildFeatures: Type.Array(Type.String()),
  hasDeletedDependencies: Type.Boolean(),
})

/** Request body that copies a flag. */
export const CloneFeature = Type.Object({ name: FeatureName, replaceGroupId: Type.Optional(Type.Boolean()) })
export type CloneFeature = Static<typeof CloneFeature>

/** Request body that moves a flag to another project. */
export const MoveFeature = Type.Object({ newProjectId: Type.String({ minLength: 1, maxLength: 100 }) })

/** Request body with a new order of strategies. */
export const SortOrders = Type.Array(
  Type.Object({ id: Type.String(), sortOrder: Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 }) }),
  { maxItems: 1000 },
)
export type SortOrders = Static<typeof SortOrders>

/** Request body that sets the same variants in several environments. */
export const VariantsBatch = Type.Object({
  environments: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 100 }),
  variants: Type.Array(VariantInput, { maxItems: 500 }),
})

/**
 * Request body that adds a parent flag to a flag. The child requires the parent to be on, on with one of several
 * variants, or off.
 */
export const DependencyInput = Type.Object(
  {
    feature: FeatureName,
    enabled: Type.Optional(Type.Boolean()),
    variants: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 500 })),
  },
  NO_IGNORED_RESTRICTION,
)
export type DependencyInput = Static<typeof DependencyInput>
