import Type, { type Static } from 'typebox'
import { ChangeInput } from './change-request.ts'
import { FlagDifference, HistoryPointQuery } from './flag-history.ts'

const EnvironmentNames = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 100 })

/**
 * Properties of a flag that can be restored. The parent cannot be restored, because removing a parent can turn the flag
 * on for more users.
 */
export const RESTORED_DETAILS = ['description', 'type', 'impressionData', 'tags', 'links'] as const
export type RestoredDetail = (typeof RESTORED_DETAILS)[number]

/** Body that restores the listed parts of a flag to a point in time. If the list is omitted, all parts are restored. */
export const RestorationInput = Type.Object({
  ...HistoryPointQuery.properties,
  environments: Type.Optional(EnvironmentNames),
  details: Type.Optional(Type.Array(Type.Enum([...RESTORED_DETAILS]), { minItems: 1, maxItems: 10 })),
  /** Id of the last event of the flag that the caller has seen. If a newer event exists, nothing is restored. */
  lastEventId: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
})
export type RestorationInput = Static<typeof RestorationInput>

/**
 * Effects of a restoration on the audience of a flag in an environment. `turns-on`: the flag is off and will be on.
 * `changes-who`: the flag remains on, but for different users. `nobody`: the flag will be on for no additional users.
 */
export const AUDIENCE_EFFECTS = ['turns-on', 'changes-who', 'nobody'] as const

/** Preview of a restoration, including parts that it would not change. */
export const Restoration = Type.Object({
  /** Id of the flag's latest event. */
  lastEventId: Type.Integer(),
  /** Differences in the properties of the flag itself, between now and the point in time. */
  details: Type.Array(FlagDifference),
  environments: Type.Array(
    Type.Object({
      environment: Type.String(),
      opens: Type.Enum([...AUDIENCE_EFFECTS]),
      /**
       * True if the flag was on without an enabled strategy at that point in time, and so was on for everyone. In this
       * case, the restored flag is off.
       */
      staysOff: Type.Boolean(),
      /** Differences between now and the point in time. */
      differences: Type.Array(FlagDifference),
      /** Changes that the restoration would make, in the format of change requests. */
      changes: Type.Array(ChangeInput),
    }),
  ),
})
export type Restoration = Static<typeof Restoration>
