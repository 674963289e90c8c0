import Type, { type Static } from 'typebox'
import { FeatureListItem, FeatureName } from '../admin-feature.ts'
import { CodeStatus } from './removal.ts'

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
  /** Name of the user who created the flag. */
  owner: Type.Union([Type.String(), Type.Null()]),
  /** Places of the flag in the code; null if no scan has found the flag. */
  code: Type.Union([CodeStatus, Type.Null()]),
  /** Time until which the flag is snoozed, and the user who snoozed it. */
  snooze: Type.Union([Type.Object({ until: Time, createdBy: Type.String() }), Type.Null()]),
})
export type StaleFlag = Static<typeof StaleFlag>

/** Query that selects candidates for removal. */
export const StaleSearch = Type.Object({
  project: Type.Optional(Type.String({ maxLength: 100 })),
  reason: Type.Optional(Kind),
  /** True to return only snoozed flags; false to return only flags that are not snoozed. */
  snoozed: Type.Optional(Type.Boolean()),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
})
export type StaleSearch = Static<typeof StaleSearch>

/**
 * Response with a page of candidates for removal. `total` is the number of matching flags, `snoozed` the number of
 * snoozed flags.
 */
export const StaleFlags = Type.Object({
  flags: Type.Array(StaleFlag),
  total: Type.Integer(),
  snoozed: Type.Integer(),
})
export type StaleFlags = Static<typeof StaleFlags>

/** Query that selects candidates for removal to be counted. */
export const StaleCountSearch = Type.Pick(StaleSearch, ['project'])

/** Response with the number of candidates that are not snoozed, and the number of snoozed flags. */
export const StaleCount = Type.Pick(StaleFlags, ['total', 'snoozed'])
export type StaleCount = Static<typeof StaleCount>

/** Request body that snoozes flags until a time; null ends the snooze. */
export const SnoozeFeatures = Type.Object({
  features: Type.Array(FeatureName, { minItems: 1, maxItems: 5000 }),
  until: Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()]),
})
export type SnoozeFeatures = Static<typeof SnoozeFeatures>
