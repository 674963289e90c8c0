import Type, { type Static } from 'typebox'
import { ChangeInput } from './change-request.ts'
import { FlagDifference, HistoryPointQuery } from './flag-history.ts'

const EnvironmentNames = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 100 })

/**
 * Flag properties that can be restored. Excludes the parent, because removing a parent can turn the flag on for more
 * users.
 */
export const RESTORED_DETAILS = ['description', 'type', 'impressionData', 'tags', 'links'] as const
export type RestoredDetail = (typeof RESTORED_DETAILS)[number]

/** Body that restores the listed parts of a flag to a point in time. Restores all parts if the list is omitted. */
export const RestorationInput = Type.Object({
  ...HistoryPointQuery.properties,
  environments: Type.Optional(EnvironmentNames),
  details: Type.Optional(Type.Array(Type.Enum([...RESTORED_DETAILS]), { minItems: 1, maxItems: 10 })),
  /** Last event of the flag that the caller has seen. If a newer event exists, nothing is changed. */
  lastEventId: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
})
export type RestorationInput = Static<typeof RestorationInput>

/**
 * Effects of a restoration on the audience of a flag in an environment. `turns-on`: the flag is off and will be on.
 * `changes-who`: the flag stays on, but for other users. `nobody`: the flag is on for no additional users.
 */
export const AUDIENCE_EFFECTS = ['turns-on', 'changes-who', 'nobody'] as const

/** Preview of a restoration, including the parts that the restoration does not change. */
export const Restoration = Type.Object({
  /** Current last event of the flag. */
  lastEventId: Type.Integer(),
  /** Differences of the properties of the flag itself, from now to the point in time. */
  details: Type.Array(FlagDifference),
  environments: Type.Array(
    Type.Object({
      environment: Type.String(),
      opens: Type.Enum([...AUDIENCE_EFFECTS]),
      /**
       * True if the flag was on without an enabled strategy at that time, that is, on for everyone. In this case, the
       * restoration leaves the flag off or turns it off.
       */
      staysOff: Type.Boolean(),
      /** Differences from now to the point in time. */
      differences: Type.Array(FlagDifference),
      /** Changes to make, in the format of change requests. */
      changes: Type.Array(ChangeInput),
    }),
  ),
})
export type Restoration = Static<typeof Restoration>
