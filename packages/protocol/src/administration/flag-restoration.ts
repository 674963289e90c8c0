import Type, { type Static } from 'typebox'
import { ChangeInput } from './change-request.ts'
import { FlagDifference, HistoryPointQuery } from './flag-history.ts'

const EnvironmentNames = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 100 })

/**
 * Flag properties that can be restored. Excludes the parent, because removing a parent may turn the flag on for more
 * users.
 */
export const RESTORED_DETAILS = ['description', 'type', 'impressionData', 'tags', 'links'] as const
export type RestoredDetail = (typeof RESTORED_DETAILS)[number]

/** Body that restores a flag to a moment: the listed parts, or everything if none are listed. */
export const RestorationInput = Type.Object({
  ...HistoryPointQuery.properties,
  environments: Type.Optional(EnvironmentNames),
  details: Type.Optional(Type.Array(Type.Enum([...RESTORED_DETAILS]), { minItems: 1, maxItems: 10 })),
  /** Last event of the flag that the caller has seen. If there is a newer one, nothing is changed. */
  lastEventId: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
})
export type RestorationInput = Static<typeof RestorationInput>

/**
 * Effects on who gets the flag in an environment. `turns-on`: it is off and will be on. `changes-who`: it stays on, but
 * for other users. `nobody`: no additional users get it.
 */
export const AUDIENCE_EFFECTS = ['turns-on', 'changes-who', 'nobody'] as const

/** Preview of a restoration, including the parts that it does not change. */
export const Restoration = Type.Object({
  /** Current last event of the flag. */
  lastEventId: Type.Integer(),
  /** Differences of the flag's own properties, from now to the moment. */
  details: Type.Array(FlagDifference),
  environments: Type.Array(
    Type.Object({
      environment: Type.String(),
      opens: Type.Enum([...AUDIENCE_EFFECTS]),
      /** True if it was on without an enabled strategy, which means on for everyone. It stays off, or is turned off. */
      staysOff: Type.Boolean(),
      /** Differences from now to the moment. */
      differences: Type.Array(FlagDifference),
      /** Changes to make, in the format of change requests. */
      changes: Type.Array(ChangeInput),
    }),
  ),
})
export type Restoration = Static<typeof Restoration>
