import Type, { type Static } from 'typebox'
import { FeatureListItem, FeatureName } from '../admin-feature.ts'

/** Schemas for flags that are candidates for removal. Burgee extension. */

const Time = Type.String()
const Kind = Type.Enum(['marked', 'overdue', 'open', 'unseen'])

/** Reason why a flag is a candidate for removal. */
export const StaleReason = Type.Union([
  /** A user has marked the flag as stale. */
  Type.Object({ kind: Type.Literal('marked') }),
  /** The flag is older than the expected lifetime of its type. */
  Type.Object({ kind: Type.Literal('overdue'), lifetimeDays: Type.Integer() }),
  /** The flag has been on for everyone in all of its production environments since `since`, without changes. */
  Type.Object({ kind: Type.Literal('open'), since: Time, environments: Type.Array(Type.String()) }),
  /** No SDK has reported the flag since `since`; null if no SDK ever has. */
  Type.Object({ kind: Type.Literal('unseen'), since: Type.Union([Time, Type.Null()]) }),
])
export type StaleReason = Static<typeof StaleReason>

/** Flag that is a candidate for removal. */
export const StaleFlag = Type.Object({
  feature: FeatureListItem,
  reasons: Type.Array(StaleReason),
  /** Creator of the flag. */
  owner: Type.Union([Type.String(), Type.Null()]),
  /** End of the pause, and the user who snoozed the flag. */
  snooze: Type.Union([Type.Object({ until: Time, createdBy: Type.String() }), Type.Null()]),
})
export type StaleFlag = Static<typeof StaleFlag>

/** Query of the candidates for removal. */
export const StaleSearch = Type.Object({
  project: Type.Optional(Type.String({ maxLength: 100 })),
  reason: Type.Optional(Kind),
  /** True to return only snoozed flags; false to exclude snoozed flags. */
  snoozed: Type.Optional(Type.Boolean()),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
})
export type StaleSearch = Static<typeof StaleSearch>

/**
 * Response with the candidates for removal. `total` is the number of matches, `snoozed` the number of snoozed flags.
 */
export const StaleFlags = Type.Object({
  flags: Type.Array(StaleFlag),
  total: Type.Integer(),
  snoozed: Type.Integer(),
})
export type StaleFlags = Static<typeof StaleFlags>

/** Query of the number of candidates. */
export const StaleCountSearch = Type.Pick(StaleSearch, ['project'])

/** Response with the number of candidates, excluding snoozed flags, and the number of snoozed flags. */
export const StaleCount = Type.Pick(StaleFlags, ['total', 'snoozed'])
export type StaleCount = Static<typeof StaleCount>

/** Body that snoozes flags until a time; null cancels the snooze. */
export const SnoozeFeatures = Type.Object({
  features: Type.Array(FeatureName, { minItems: 1, maxItems: 5000 }),
  until: Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()]),
})
export type SnoozeFeatures = Static<typeof SnoozeFeatures>
