import Type, { type Static } from 'typebox'

/** Schemas of overrides that give one user a flag, or one of its variants, for a limited time. Burgee extension. */

/** Maximum number of overrides of a flag in an environment. */
export const MAX_SELF_TARGETS = 20
/** Maximum duration of an override, in minutes. */
export const MAX_SELF_TARGET_MINUTES = 1440
const DEFAULT_MINUTES = 60

/** Request body that gives a user a flag. */
export const SelfTargetInput = Type.Object({
  /** Value of `userId` in the context that the application passes to its SDK. */
  userId: Type.String({ minLength: 1, maxLength: 200 }),
  /** Name of the variant that the user gets; without a name, the flag is on without a variant. */
  variant: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  minutes: Type.Integer({ minimum: 1, maximum: MAX_SELF_TARGET_MINUTES, default: DEFAULT_MINUTES }),
})
export type SelfTargetInput = Static<typeof SelfTargetInput>

/** Override of one user. */
export const SelfTarget = Type.Object({
  /** Id of the strategy that gives the user the flag. */
  id: Type.String(),
  userId: Type.String(),
  variant: Type.Union([Type.String(), Type.Null()]),
  expiresAt: Type.String({ format: 'date-time' }),
  createdByUserId: Type.Integer(),
})
export type SelfTarget = Static<typeof SelfTarget>
