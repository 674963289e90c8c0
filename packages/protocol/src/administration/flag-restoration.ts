import Type, { type Static } from 'typebox'
import { ChangeInput } from './change-request.ts'
import { FlagDifference, MomentQuery } from './flag-history.ts'

const EnvironmentNames = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 100 })

/** What of a flag itself is brought back; its parent is not, as taking one away opens the flag. */
export const RESTORED_DETAILS = ['description', 'type', 'impressionData', 'tags', 'links'] as const
export type RestoredDetail = (typeof RESTORED_DETAILS)[number]

/** Body that brings a flag back to what it was at a moment: what is named, or all where nothing is. */
export const RestorationInput = Type.Object({
  ...MomentQuery.properties,
  environments: Type.Optional(EnvironmentNames),
  details: Type.Optional(Type.Array(Type.Enum([...RESTORED_DETAILS]), { minItems: 1, maxItems: 10 })),
  /** The last event of the flag that was seen: where there is a newer one, nothing is done. */
  lastEventId: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
})
export type RestorationInput = Static<typeof RestorationInput>

/**
 * Whom an environment may let in that it does not now: `turns-on`, the flag is off there and will be on; `changes-who`,
 * it is on and stays on, for others.
 */
export const OPENINGS = ['turns-on', 'changes-who', 'nobody'] as const

/** What bringing a flag back would do, and what it leaves as it is. */
export const Restoration = Type.Object({
  /** The last event of the flag by now. */
  lastEventId: Type.Integer(),
  /** What differs of the flag itself, from now to then. */
  details: Type.Array(FlagDifference),
  environments: Type.Array(
    Type.Object({
      environment: Type.String(),
      opens: Type.Enum([...OPENINGS]),
      /** It was on without an enabled strategy, which is on for everybody: it stays off, or goes off. */
      staysOff: Type.Boolean(),
      /** From now to then. */
      differences: Type.Array(FlagDifference),
      /** The changes that are made, as a change request takes them. */
      changes: Type.Array(ChangeInput),
    }),
  ),
})
export type Restoration = Static<typeof Restoration>
