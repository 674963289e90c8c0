import Type, { type Static } from 'typebox'
import { FeatureListItem, FeatureName } from '../admin-feature.ts'

/** Flags that may go, and why; additions of this server. */

const Time = Type.String()
const Kind = Type.Enum(['marked', 'overdue', 'open', 'unseen'])

/** Why a flag may go. */
export const StaleReason = Type.Union([
  /** Somebody has marked it as stale. */
  Type.Object({ kind: Type.Literal('marked') }),
  /** It is older than flags of its type are meant to live. */
  Type.Object({ kind: Type.Literal('overdue'), lifetimeDays: Type.Integer() }),
  /** It is on for everybody in all its environments for production, and nobody has changed that since. */
  Type.Object({ kind: Type.Literal('open'), since: Time, environments: Type.Array(Type.String()) }),
  /** No SDK has reported of it since then; null where none ever has. */
  Type.Object({ kind: Type.Literal('unseen'), since: Type.Union([Time, Type.Null()]) }),
])
export type StaleReason = Static<typeof StaleReason>

/** A flag that may go. */
export const StaleFlag = Type.Object({
  feature: FeatureListItem,
  reasons: Type.Array(StaleReason),
  /** Who made it. */
  owner: Type.Union([Type.String(), Type.Null()]),
  /** Until when nobody wants to be reminded of it, and who has said so. */
  snooze: Type.Union([Type.Object({ until: Time, createdBy: Type.String() }), Type.Null()]),
})
export type StaleFlag = Static<typeof StaleFlag>

/** Query of the flags that may go. */
export const StaleSearch = Type.Object({
  project: Type.Optional(Type.String({ maxLength: 100 })),
  reason: Type.Optional(Kind),
  /** Those that are put off, instead of the others. */
  snoozed: Type.Optional(Type.Boolean()),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
})
export type StaleSearch = Static<typeof StaleSearch>

/** Reply of the flags that may go; `total` is how many the query finds, `snoozed` how many are put off. */
export const StaleFlags = Type.Object({
  flags: Type.Array(StaleFlag),
  total: Type.Integer(),
  snoozed: Type.Integer(),
})
export type StaleFlags = Static<typeof StaleFlags>

/** Query of how many they are. */
export const StaleCountSearch = Type.Pick(StaleSearch, ['project'])

/** Reply of how many may go, without those that are put off, and how many these are. */
export const StaleCount = Type.Pick(StaleFlags, ['total', 'snoozed'])
export type StaleCount = Static<typeof StaleCount>

/** Body that puts flags off until a time, or takes that back. */
export const SnoozeFeatures = Type.Object({
  features: Type.Array(FeatureName, { minItems: 1, maxItems: 5000 }),
  until: Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()]),
})
export type SnoozeFeatures = Static<typeof SnoozeFeatures>
