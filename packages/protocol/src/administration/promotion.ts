import Type, { type Static } from 'typebox'
import { FeatureName } from '../admin-feature.ts'
import { AdminStrategy, StrategyInput } from '../targeting/strategy.ts'
import { StoredVariant, VariantInput } from '../targeting/variant.ts'

/** Parts of a flag's state in an environment. Each part can be promoted separately. */
export const PROMOTED_PARTS = ['enabled', 'strategies', 'variants'] as const
export type PromotedPart = (typeof PROMOTED_PARTS)[number]

/** Maximum number of flags per promotion. A promotion blocks other writes until it is complete. */
export const MAX_PROMOTED_FLAGS = 200

const EnvironmentName = Type.String({ minLength: 1, maxLength: 100 })
const Parts = Type.Array(Type.Enum([...PROMOTED_PARTS]), { minItems: 1, maxItems: PROMOTED_PARTS.length })
/** Identifier of the state on which a preview was based. */
const StateId = Type.String({ minLength: 1, maxLength: 200 })

/** State of a flag in an environment. */
export const FlagState = Type.Object({
  enabled: Type.Boolean(),
  /** In evaluation order. */
  strategies: Type.Array(AdminStrategy),
  variants: Type.Array(StoredVariant),
})
export type FlagState = Static<typeof FlagState>

/** Flags of a project to compare: all flags, or the named flags. */
export const ComparisonQuery = Type.Object({
  /** Comma-separated names. */
  features: Type.Optional(Type.String({ maxLength: 15_000 })),
})
export type ComparisonQuery = Static<typeof ComparisonQuery>

/** Flag in two environments. `from` and `to` are present only if the flag differs. */
export const ComparedFlag = Type.Object({
  name: Type.String(),
  /** Parts that differ. */
  differences: Type.Array(Type.Enum([...PROMOTED_PARTS])),
  from: Type.Optional(FlagState),
  to: Type.Optional(FlagState),
})
export type ComparedFlag = Static<typeof ComparedFlag>

/** Unarchived flags of a project in two environments, by name. */
export const Comparison = Type.Object({ features: Type.Array(ComparedFlag) })
export type Comparison = Static<typeof Comparison>

/** Promotion to preview: parts of flags from another environment. */
export const PromotionPlanRequest = Type.Object({
  from: EnvironmentName,
  features: Type.Array(FeatureName, { minItems: 1, maxItems: MAX_PROMOTED_FLAGS }),
  parts: Parts,
})
export type PromotionPlanRequest = Static<typeof PromotionPlanRequest>

/** Flag that would change, with its state before and after the change. */
export const PlannedFlag = Type.Object({
  name: Type.String(),
  before: FlagState,
  after: FlagState,
  /** Actions to perform, with the names used in change requests. */
  actions: Type.Array(Type.String()),
  /** Identifier of the state in both environments. */
  seen: Type.String(),
})
export type PlannedFlag = Static<typeof PlannedFlag>

/** Preview of a promotion. */
export const PromotionPlan = Type.Object({
  features: Type.Array(PlannedFlag),
  /** Permissions that the caller lacks to promote directly. */
  missingPermissions: Type.Array(Type.String()),
})
export type PromotionPlan = Static<typeof PromotionPlan>

const FlagWithStateId = Type.Object({ name: FeatureName, seen: StateId })

/** Body of a promotion, after its preview. */
export const PromotionRequest = Type.Object({
  from: EnvironmentName,
  /** Flags with `seen` from the preview. If one flag has changed since then, the whole promotion is rejected. */
  features: Type.Array(FlagWithStateId, { minItems: 1, maxItems: MAX_PROMOTED_FLAGS }),
  parts: Parts,
  /** True to add the changes to the caller's draft change request instead of applying them. */
  asChangeRequest: Type.Optional(Type.Boolean()),
})
export type PromotionRequest = Static<typeof PromotionRequest>

/** Result of a promotion. */
export const PromotionResult = Type.Object({
  /** Changed flags. `seen` identifies their new state and is needed to undo the promotion. */
  features: Type.Array(Type.Object({ name: Type.String(), seen: Type.String() })),
  /** Draft change request and the number of changes added to it; null if the promotion was applied directly. */
  changeRequest: Type.Union([Type.Object({ id: Type.Integer(), changes: Type.Integer() }), Type.Null()]),
})
export type PromotionResult = Static<typeof PromotionResult>

/** Flag to restore, if its state still matches `seen`. */
export const RestoredFlag = Type.Object({
  ...FlagWithStateId.properties,
  state: Type.Object({
    enabled: Type.Boolean(),
    strategies: Type.Array(StrategyInput, { maxItems: 1000 }),
    variants: Type.Array(VariantInput, { maxItems: 500 }),
  }),
})
export type RestoredFlag = Static<typeof RestoredFlag>

/** Body that undoes a promotion. */
export const PromotionUndo = Type.Object({
  features: Type.Array(RestoredFlag, { minItems: 1, maxItems: MAX_PROMOTED_FLAGS }),
})
export type PromotionUndo = Static<typeof PromotionUndo>
