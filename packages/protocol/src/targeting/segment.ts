import Type, { type Static } from 'typebox'
import { Constraint } from '../feature.ts'
import { ConstraintInput } from './constraint.ts'
import { NO_IGNORED_RESTRICTION } from './restriction.ts'

/** Schemas for segments. Source: wire protocol */

/** Id of a segment; a 32-bit database integer. */
export const SegmentId = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })

/**
 * Request body for a new or replaced segment. When a segment is replaced, an omitted description or project keeps its
 * stored value.
 */
export const SegmentInput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
    description: Type.Optional(Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])),
    project: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()])),
    constraints: Type.Array(ConstraintInput, { maxItems: 250 }),
  },
  NO_IGNORED_RESTRICTION,
)
export type SegmentInput = Static<typeof SegmentInput>

/** Segment in responses of the admin API. */
export const AdminSegment = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  project: Type.Union([Type.String(), Type.Null()]),
  constraints: Type.Array(Constraint),
  createdBy: Type.String(),
  createdAt: Type.String(),
  usedInProjects: Type.Integer(),
  usedInFeatures: Type.Integer(),
})
export type AdminSegment = Static<typeof AdminSegment>

/** Request and response body with the complete list of segments that a strategy uses. */
export const StrategySegments = Type.Object({
  projectId: Type.String({ minLength: 1, maxLength: 100 }),
  environmentId: Type.String({ minLength: 1, maxLength: 100 }),
  strategyId: Type.String({ minLength: 1, maxLength: 100 }),
  segmentIds: Type.Array(SegmentId, { maxItems: 100 }),
})
export type StrategySegments = Static<typeof StrategySegments>

/** Response with the list of segments. */
export const Segments = Type.Object({ segments: Type.Array(AdminSegment) })
