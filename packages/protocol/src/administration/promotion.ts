import Type, { type Static } from 'typebox'
import { FeatureName } from '../admin-feature.ts'
import { AdminStrategy, StrategyInput } from '../targeting/strategy.ts'
import { StoredVariant, VariantInput } from '../targeting/variant.ts'

/** What a flag is in an environment, part by part; each can be promoted without the others. */
export const PROMOTED_PARTS = ['enabled', 'strategies', 'variants'] as const
export type PromotedPart = (typeof PROMOTED_PARTS)[number]

/** Most flags of one promotion: whoever writes meanwhile waits for all of it. */
export const MOST_PROMOTED = 200

const EnvironmentName = Type.String({ minLength: 1, maxLength: 100 })
const Parts = Type.Array(Type.Enum([...PROMOTED_PARTS]), { minItems: 1, maxItems: PROMOTED_PARTS.length })
/** Names the state that a preview has seen. */
const Seen = Type.String({ minLength: 1, maxLength: 200 })

/** A flag in an environment. */
export const FlagState = Type.Object({
  enabled: Type.Boolean(),
  /** In their order. */
  strategies: Type.Array(AdminStrategy),
  variants: Type.Array(StoredVariant),
})
export type FlagState = Static<typeof FlagState>

/** Which flags of a project are compared: all, or those that are named. */
export const ComparisonQuery = Type.Object({
  /** Names with commas between them. */
  features: Type.Optional(Type.String({ maxLength: 100_000 })),
})
export type ComparisonQuery = Static<typeof ComparisonQuery>

/** A flag in two environments; what it is there only where that differs. */
export const ComparedFlag = Type.Object({
  name: Type.String(),
  /** Parts that differ. */
  differences: Type.Array(Type.Enum([...PROMOTED_PARTS])),
  from: Type.Optional(FlagState),
  to: Type.Optional(FlagState),
})
export type ComparedFlag = Static<typeof ComparedFlag>

/** Flags of a project in two environments, by name; archived ones are left out. */
export const Comparison = Type.Object({ features: Type.Array(ComparedFlag) })
export type Comparison = Static<typeof Comparison>

/** What is to be promoted: parts of flags, from another environment. */
export const PromotionWish = Type.Object({
  from: EnvironmentName,
  features: Type.Array(FeatureName, { minItems: 1, maxItems: MOST_PROMOTED }),
  parts: Parts,
})
export type PromotionWish = Static<typeof PromotionWish>

/** A flag that would change, as it is and as it would be. */
export const PlannedFlag = Type.Object({
  name: Type.String(),
  before: FlagState,
  after: FlagState,
  /** What is done, as change requests name it. */
  actions: Type.Array(Type.String()),
  /** Names the state in both environments. */
  seen: Type.String(),
})
export type PlannedFlag = Static<typeof PlannedFlag>

/** What a promotion would do. */
export const PromotionPlan = Type.Object({
  features: Type.Array(PlannedFlag),
  /** Permissions that the caller lacks there to do it directly. */
  missingPermissions: Type.Array(Type.String()),
})
export type PromotionPlan = Static<typeof PromotionPlan>

const SeenFlag = Type.Object({ name: FeatureName, seen: Seen })

/** Body of a promotion, once its plan was seen. */
export const PromotionRequest = Type.Object({
  from: EnvironmentName,
  /** With `seen` as the plan has it: a flag that has moved on since refuses all. */
  features: Type.Array(SeenFlag, { minItems: 1, maxItems: MOST_PROMOTED }),
  parts: Parts,
  /** Puts it into the caller's draft of a change request, and changes nothing. */
  asChangeRequest: Type.Optional(Type.Boolean()),
})
export type PromotionRequest = Static<typeof PromotionRequest>

/** What a promotion has done. */
export const PromotionResult = Type.Object({
  /** Flags that were changed, each with the name of its state there now: with it the promotion is undone. */
  features: Type.Array(Type.Object({ name: Type.String(), seen: Type.String() })),
  /** How many changes went into the draft, and its id; null where it was done directly. */
  changeRequest: Type.Union([Type.Object({ id: Type.Integer(), changes: Type.Integer() }), Type.Null()]),
})
export type PromotionResult = Static<typeof PromotionResult>

/** A flag that becomes again what it was, if it is still as `seen` says. */
export const RestoredFlag = Type.Object({
  ...SeenFlag.properties,
  state: Type.Object({
    enabled: Type.Boolean(),
    strategies: Type.Array(StrategyInput, { maxItems: 1000 }),
    variants: Type.Array(VariantInput, { maxItems: 500 }),
  }),
})
export type RestoredFlag = Static<typeof RestoredFlag>

/** Body that undoes a promotion. */
export const PromotionUndo = Type.Object({
  features: Type.Array(RestoredFlag, { minItems: 1, maxItems: MOST_PROMOTED }),
})
export type PromotionUndo = Static<typeof PromotionUndo>
