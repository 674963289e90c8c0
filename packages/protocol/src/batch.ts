import Type, { type Static } from 'typebox'
import { FeatureName } from './admin-feature.ts'
import { NO_IGNORED_RESTRICTION } from './targeting/restriction.ts'
import { VariantInput } from './targeting/variant.ts'

/** Bodies that are about several flags, or about flags in relation to others. Source: wire protocol */

const Names = Type.Array(FeatureName, { minItems: 1, maxItems: 5000 })

/** Body that names flags. */
export const FeatureNames = Type.Object({ features: Names })

/** Body that makes flags stale, or not. */
export const StaleFeatures = Type.Object({ features: Names, stale: Type.Boolean() })

/** Reply of what archiving flags would mean. */
export const ArchiveCheck = Type.Object({
  parentsWithChildFeatures: Type.Array(Type.String()),
  hasDeletedDependencies: Type.Boolean(),
})

/** Body of a copy of a flag. */
export const CloneFeature = Type.Object({ name: FeatureName, replaceGroupId: Type.Optional(Type.Boolean()) })
export type CloneFeature = Static<typeof CloneFeature>

/** Body of a move to another project. */
export const MoveFeature = Type.Object({ newProjectId: Type.String({ minLength: 1, maxLength: 100 }) })

/** Body of a new order of strategies. */
export const SortOrders = Type.Array(
  Type.Object({ id: Type.String(), sortOrder: Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 }) }),
  { maxItems: 1000 },
)
export type SortOrders = Static<typeof SortOrders>

/** Body of the same variants in several environments. */
export const VariantsBatch = Type.Object({
  environments: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 100 }),
  variants: Type.Array(VariantInput, { maxItems: 500 }),
})

/** Body of a parent that a flag is to have: on, on with one of some variants, or off. */
export const DependencyInput = Type.Object(
  {
    feature: FeatureName,
    enabled: Type.Optional(Type.Boolean()),
    variants: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 500 })),
  },
  NO_IGNORED_RESTRICTION,
)
export type DependencyInput = Static<typeof DependencyInput>
