import Type, { type Static } from 'typebox'
import { Tag } from '../event.ts'
import { Constraint } from '../feature.ts'
import { AdminStrategy } from '../targeting/strategy.ts'
import { StoredVariant } from '../targeting/variant.ts'
import { FeatureLink } from './feature-link.ts'

/** What a flag was in one environment. */
export const EnvironmentThen = Type.Object({
  name: Type.String(),
  enabled: Type.Boolean(),
  /** In their order. */
  strategies: Type.Array(AdminStrategy),
  variants: Type.Array(StoredVariant),
})
export type EnvironmentThen = Static<typeof EnvironmentThen>

/** What a flag asked of its parent. */
export const ParentThen = Type.Object({
  feature: Type.String(),
  enabled: Type.Boolean(),
  variants: Type.Array(Type.String()),
})
export type ParentThen = Static<typeof ParentThen>

const TextOrNull = Type.Union([Type.String(), Type.Null()])

/** All that people decide about a flag, as it was at a moment. */
export const FlagThen = Type.Object({
  name: Type.String(),
  project: Type.String(),
  type: Type.String(),
  description: TextOrNull,
  impressionData: Type.Boolean(),
  stale: Type.Boolean(),
  createdAt: Type.String(),
  archivedAt: TextOrNull,
  /** In the order of environments now; those that are gone come last. */
  environments: Type.Array(EnvironmentThen),
  dependencies: Type.Array(ParentThen),
  tags: Type.Array(Tag),
  links: Type.Array(FeatureLink),
})
export type FlagThen = Static<typeof FlagThen>

/** What a segment was at a moment. */
export const SegmentThen = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: TextOrNull,
  project: TextOrNull,
  constraints: Type.Array(Constraint),
})
export type SegmentThen = Static<typeof SegmentThen>

/**
 * Why the log cannot tell what was before: `trimmed`, older events were removed; `imported`, it was brought in as it is;
 * `untold`, an event does not say enough; `too-far`, more has happened since than is read at once.
 */
export const HISTORY_ENDS = ['trimmed', 'imported', 'untold', 'too-far'] as const
export type HistoryEnd = (typeof HISTORY_ENDS)[number]

/** From where on a history is known. */
export const KnownFrom = Type.Object({
  /** The first event after which all is known; null where there is none yet. */
  eventId: Type.Union([Type.Integer(), Type.Null()]),
  at: TextOrNull,
  why: Type.Enum([...HISTORY_ENDS]),
})
export type KnownFrom = Static<typeof KnownFrom>

/** A flag at a moment, or from when on that is known. */
export const FlagMoment = Type.Object({
  /** The last event that had happened by then, of those that concern the flag; null where none had. */
  eventId: Type.Union([Type.Integer(), Type.Null()]),
  /** When that was. */
  at: TextOrNull,
  isKnown: Type.Boolean(),
  /** Null where it is not known that far back, and where there was no such flag. */
  flag: Type.Union([FlagThen, Type.Null()]),
  /** The segments that its strategies used, as they were then. */
  segments: Type.Array(SegmentThen),
  /** Ids of segments that it used, and of which it is not known what they were. */
  untoldSegments: Type.Array(Type.Integer()),
  /** Present where something is not known. */
  knownFrom: Type.Union([KnownFrom, Type.Null()]),
})
export type FlagMoment = Static<typeof FlagMoment>

/** What may differ of a flag between two moments. */
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
export type FlagPart = (typeof FLAG_PARTS)[number]

/** One thing that differs between two moments: what it was, and what it is; null for what was not there. */
export const FlagDifference = Type.Object({
  part: Type.Enum([...FLAG_PARTS]),
  environment: Type.Optional(Type.String()),
  before: Type.Unknown(),
  after: Type.Unknown(),
})
export type FlagDifference = Static<typeof FlagDifference>

/** Which moment is meant: right after an event, or a time; of both one. */
export const MomentQuery = Type.Object({
  event: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Right after this event.' })),
  at: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'At this time, ISO 8601.' })),
})
export type MomentQuery = Static<typeof MomentQuery>

/** Two moments to compare; the second is now where it is left out. */
export const HistoryQuery = Type.Object({
  ...MomentQuery.properties,
  toEvent: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Compared with right after this event.' }),
  ),
  toAt: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Compared with this time; without both with now.' }),
  ),
})
export type HistoryQuery = Static<typeof HistoryQuery>

/** Reply of a flag at a moment, and what was different at another one. */
export const FlagHistory = Type.Object({
  moment: FlagMoment,
  compared: FlagMoment,
  /** Null where one of both is not known. */
  changes: Type.Union([Type.Array(FlagDifference), Type.Null()]),
})
export type FlagHistory = Static<typeof FlagHistory>
