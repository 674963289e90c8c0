import Type, { type Static } from 'typebox'
import { FeatureName } from '../admin-feature.ts'
import { AdminStrategy, StrategyInput } from '../targeting/strategy.ts'
import { StoredVariant, VariantInput } from '../targeting/variant.ts'

/** Parts of the state that a flag has in an environment. Each part can be promoted separately. */
export const PROMOTED_PARTS = ['enabled', 'strategies', 'variants'] as const
export type PromotedPart = (typeof PROMOTED_PARTS)[number]

/** Maximum number of flags per promotion. A promotion blocks all other writes until it is complete. */
export const MAX_PROMOTED_FLAGS = 200

const EnvironmentName = Type.String({ minLength: 1, maxLength: 100 })
const Parts = Type.Array(Type.Enum([...PROMOTED_PARTS]), { minItems: 1, maxItems: PROMOTED_PARTS.length })
/** Identifier of the state that a preview was based on. */
const StateId = Type.String({ minLength: 1, maxLength: 200 })

/** State of a flag in one environment. */
export const FlagState = Type.Object({
  enabled: Type.Boolean(),
  /** In evaluation order. */
  strategies: Type.Array(AdminStrategy),
  variants: Type.Array(StoredVariant),
})
export type FlagState = Static<typeof FlagState>

/** Selection of flags to compare: all flags of a project, or the flags with the given names. */
export const ComparisonQuery = Type.Object({
  /** Comma-separated names. */
  features: Type.Optional(Type.String({ maxLength: 15_000 })),
})
export type ComparisonQuery = Static<typeof ComparisonQuery>

/** Flag whose states in two environments are compared. `from` and `to` are present only if the states differ. */
export const ComparedFlag = Type.Object({
  name: Type.String(),
  /** Parts that differ. */
  differences: Type.Array(Type.Enum([...PROMOTED_PARTS])),
  from: Type.Optional(FlagState),
  to: Type.Optional(FlagState),
})
export type ComparedFlag = Static<typeof ComparedFlag>

/** Comparison of all unarchived flags of a project in two environments, sorted by name. */
export const Comparison = Type.Object({ features: Type.Array(ComparedFlag) })
export type Comparison = Static<typeof Comparison>

/** Promotion to be previewed: parts of flags to copy from another environment. */
export const PromotionPlanRequest = Type.Object({
  from: EnvironmentName,
  features: Type.Array(FeatureName, { minItems: 1, maxItems: MAX_PROMOTED_FLAGS }),
  parts: Parts,
})
export type PromotionPlanRequest = Static<typeof PromotionPlanRequest>

/** Flag that a promotion would change, with its state before and after the change. */
export const PlannedFlag = Type.Object({
  name: Type.String(),
  before: FlagState,
  after: FlagState,
  /** Changes to be made, named as in change requests. */
  actions: Type.Array(Type.String()),
  /** Identifier of the states of the flag in both environments. */
  seen: Type.String(),
})
export type PlannedFlag = Static<typeof PlannedFlag>

/** Preview of a promotion. */
export const PromotionPlan = Type.Object({
  features: Type.Array(PlannedFlag),
  /** Permissions that the caller would need to promote directly, but does not have. */
  missingPermissions: Type.Array(Type.String()),
})
export type PromotionPlan = Static<typeof PromotionPlan>

const FlagWithStateId = Type.Object({ name: FeatureName, seen: StateId })

/** Request body of a promotion that was previewed. */
export const PromotionRequest = Type.Object({
  from: EnvironmentName,
  /**
   * Flags, each with the value of `seen` from the preview. If a single flag has changed since the preview, the whole
   * promotion is rejected.
   */
  features: Type.Array(FlagWithStateId, { minItems: 1, maxItems: MAX_PROMOTED_FLAGS }),
  parts: Parts,
  /** True to add the changes to the caller's draft change request instead of applying them directly. */
  asChangeRequest: Type.Optional(Type.Boolean()),
})
export type PromotionRequest = Static<typeof PromotionRequest>

/** Result of a promotion. */
export const PromotionResult = Type.Object({
  /** Changed flags. `seen` identifies the new state of a flag; it is needed to undo the promotion. */
  features: Type.Array(Type.Object({ name: Type.String(), seen: Type.String() })),
  /**
   * Draft change request, and the number of changes that were added to it; null if the promotion was applied directly.
   */
  changeRequest: Type.Union([Type.Object({ id: Type.Integer(), changes: Type.Integer() }), Type.Null()]),
})
export type PromotionResult = Static<typeof PromotionResult>

/** Flag to restore to its earlier state, provided that its current state still matches `seen`. */
export const RestoredFlag = Type.Object({
  ...FlagWithStateId.properties,
  state: Type.Object({
    enabled: Type.Boolean(),
    strategies: Type.Array(StrategyInput, { maxItems: 1000 }),
    variants: Type.Array(VariantInput, { maxItems: 500 }),
  }),
})
export type RestoredFlag = Static<typeof RestoredFlag>

/** Request body that undoes a promotion. */
export const PromotionUndo = Type.Object({
  features: Type.Array(RestoredFlag, { minItems: 1, maxItems: MAX_PROMOTED_FLAGS }),
})
export type PromotionUndo = Static<typeof PromotionUndo>
