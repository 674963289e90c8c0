import Type, { type Static } from 'typebox'
import { Tag } from '../event.ts'
import { Constraint } from '../feature.ts'
import { AdminStrategy } from '../targeting/strategy.ts'
import { StoredVariant } from '../targeting/variant.ts'
import { FeatureLink } from './feature-link.ts'

/** State of a flag in one environment at a point in time. */
export const EnvironmentSnapshot = Type.Object({
  name: Type.String(),
  enabled: Type.Boolean(),
  /** In evaluation order. */
  strategies: Type.Array(AdminStrategy),
  variants: Type.Array(StoredVariant),
})
export type EnvironmentSnapshot = Static<typeof EnvironmentSnapshot>

/** State that a flag requires of its parent, at a point in time. */
export const ParentSnapshot = Type.Object({
  feature: Type.String(),
  enabled: Type.Boolean(),
  variants: Type.Array(Type.String()),
})
export type ParentSnapshot = Static<typeof ParentSnapshot>

const TextOrNull = Type.Union([Type.String(), Type.Null()])

/** Complete configuration of a flag at a point in time. */
export const FlagSnapshot = Type.Object({
  name: Type.String(),
  project: Type.String(),
  type: Type.String(),
  description: TextOrNull,
  impressionData: Type.Boolean(),
  stale: Type.Boolean(),
  createdAt: Type.String(),
  archivedAt: TextOrNull,
  /** Environments in their current order, followed by deleted environments. */
  environments: Type.Array(EnvironmentSnapshot),
  dependencies: Type.Array(ParentSnapshot),
  tags: Type.Array(Tag),
  links: Type.Array(FeatureLink),
})
export type FlagSnapshot = Static<typeof FlagSnapshot>

/** Segment at a point in time. */
export const SegmentSnapshot = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: TextOrNull,
  project: TextOrNull,
  constraints: Type.Array(Constraint),
})
export type SegmentSnapshot = Static<typeof SegmentSnapshot>

/**
 * Reasons why the history reaches no further back. `trimmed`: older events were deleted. `imported`: the flag was
 * imported in the state that it had then. `untold`: an event does not contain all information. `too-far`: a single
 * request would have to read too many later events.
 */
export const HISTORY_ENDS = ['trimmed', 'imported', 'untold', 'too-far'] as const
export type HistoryEnd = (typeof HISTORY_ENDS)[number]

/** Point at which the known history starts. */
export const HistoryStart = Type.Object({
  /** First event from which on the history is complete; null if there is no such event yet. */
  eventId: Type.Union([Type.Integer(), Type.Null()]),
  at: TextOrNull,
  why: Type.Enum([...HISTORY_ENDS]),
})
export type HistoryStart = Static<typeof HistoryStart>

/** Flag at a point in time, or the point at which its known history starts. */
export const FlagHistoryPoint = Type.Object({
  /** Last event of the flag up to that point in time; null if there was none. */
  eventId: Type.Union([Type.Integer(), Type.Null()]),
  /** Time of the event `eventId`. */
  at: TextOrNull,
  isKnown: Type.Boolean(),
  /**
   * Flag at that point in time; null if the history does not reach back that far, or if the flag did not exist then.
   */
  flag: Type.Union([FlagSnapshot, Type.Null()]),
  /** Segments that the flag's strategies used, in their state at that point in time. */
  segments: Type.Array(SegmentSnapshot),
  /** Ids of segments that were used but whose state at that point in time is unknown. */
  untoldSegments: Type.Array(Type.Integer()),
  /** Point at which the known history starts; null if everything is known. */
  knownFrom: Type.Union([HistoryStart, Type.Null()]),
})
export type FlagHistoryPoint = Static<typeof FlagHistoryPoint>

/** Parts of a flag that can differ between two points in time. */
export const FLAG_PARTS = [
  'existence',
  'project',
  'description',
  'type',
  'impressionData',
  'stale',
  'archived',
  'environment',
  'enabled',
  'strategy',
  'strategyOrder',
  'variants',
  'dependencies',
  'tags',
  'links',
  'segment',
] as const

/**
 * Difference in a flag between two points in time. `before` or `after` is null if the part did not exist at that point
 * in time.
 */
export const FlagDifference = Type.Object({
  part: Type.Enum([...FLAG_PARTS]),
  environment: Type.Optional(Type.String()),
  before: Type.Unknown(),
  after: Type.Unknown(),
})
export type FlagDifference = Static<typeof FlagDifference>

/** Point in time, given as directly after an event or as a timestamp. */
export const HistoryPointQuery = Type.Object({
  event: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'State right after this event.' }),
  ),
  at: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'State at this time, ISO 8601.' })),
})
export type HistoryPointQuery = Static<typeof HistoryPointQuery>

/** Two points in time whose states are compared. The second point in time is now unless specified. */
export const HistoryQuery = Type.Object({
  ...HistoryPointQuery.properties,
  toEvent: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Compare with the state right after this event.' }),
  ),
  toAt: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Compare with this time; without both, with now.' }),
  ),
})
export type HistoryQuery = Static<typeof HistoryQuery>

/** Response with a flag at a point in time, and its differences from another point in time. */
export const FlagHistory = Type.Object({
  moment: FlagHistoryPoint,
  compared: FlagHistoryPoint,
  /** Differences between the two points in time; null if the flag is unknown at either of them. */
  changes: Type.Union([Type.Array(FlagDifference), Type.Null()]),
})
export type FlagHistory = Static<typeof FlagHistory>
