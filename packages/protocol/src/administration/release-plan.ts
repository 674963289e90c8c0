import Type, { type Static } from 'typebox'
import { Constraint } from '../feature.ts'
import { ConstraintInput } from '../targeting/constraint.ts'
import { NO_IGNORED_RESTRICTION } from '../targeting/restriction.ts'
import { SegmentId } from '../targeting/segment.ts'
import { StoredVariant, VariantInput } from '../targeting/variant.ts'
import { Safeguard } from './safeguard.ts'

/** Schemas for release templates and release plans. Source: wire protocol "Guarded releases" */

/** Maximum number of milestones in a template or plan. */
export const MAX_MILESTONES = 50
/** Maximum number of strategies in a milestone. */
export const MAX_MILESTONE_STRATEGIES = 30
/** Maximum time in minutes between two milestones: one year. */
export const MAX_INTERVAL_MINUTES = 525_600

const TextOrNull = Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])
const TimeOrNull = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const Name = Type.String({ minLength: 1, maxLength: 200 })
const SortOrder = Type.Integer({ minimum: 0, maximum: 1_000_000 })

/** Time after which the next milestone starts; only time for which the flag is on in the environment counts. */
export const TransitionCondition = Type.Object({
  intervalMinutes: Type.Integer({ minimum: 1, maximum: MAX_INTERVAL_MINUTES }),
})
export type TransitionCondition = Static<typeof TransitionCondition>

/** Strategy of a milestone in a request body. In the body of a template, an `id` is ignored. */
export const MilestoneStrategyInput = Type.Object(
  {
    strategyName: Type.String({ minLength: 1, maxLength: 100 }),
    sortOrder: Type.Optional(SortOrder),
    title: Type.Optional(TextOrNull),
    parameters: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 65_536 }))),
    constraints: Type.Optional(Type.Array(ConstraintInput)),
    variants: Type.Optional(Type.Array(VariantInput)),
    segments: Type.Optional(Type.Array(SegmentId, { maxItems: 100 })),
  },
  NO_IGNORED_RESTRICTION,
)
export type MilestoneStrategyInput = Static<typeof MilestoneStrategyInput>

/** Milestone in a request body. */
export const MilestoneInput = Type.Object({
  name: Name,
  sortOrder: Type.Optional(SortOrder),
  transitionCondition: Type.Optional(Type.Union([TransitionCondition, Type.Null()])),
  strategies: Type.Optional(Type.Array(MilestoneStrategyInput, { maxItems: MAX_MILESTONE_STRATEGIES })),
})
export type MilestoneInput = Static<typeof MilestoneInput>

/** Request body with a release template. */
export const ReleaseTemplateInput = Type.Object({
  name: Name,
  description: Type.Optional(TextOrNull),
  milestones: Type.Optional(Type.Array(MilestoneInput, { maxItems: MAX_MILESTONES })),
})
export type ReleaseTemplateInput = Static<typeof ReleaseTemplateInput>

/** Strategy in a milestone. While the milestone is active, SDKs receive this strategy with the same id. */
export const MilestoneStrategy = Type.Object({
  id: Type.String(),
  milestoneId: Type.String(),
  sortOrder: Type.Integer(),
  title: TextOrNull,
  strategyName: Type.String(),
  parameters: Type.Record(Type.String(), Type.String()),
  constraints: Type.Array(Constraint),
  variants: Type.Array(StoredVariant),
  segments: Type.Array(Type.Integer()),
})
export type MilestoneStrategy = Static<typeof MilestoneStrategy>

/** Milestone of a release template or release plan. In a template, all times are null. */
export const Milestone = Type.Object({
  id: Type.String(),
  name: Type.String(),
  sortOrder: Type.Integer(),
  /** Id of the template or plan that contains the milestone. */
  releasePlanDefinitionId: Type.String(),
  /** Time at which the milestone was last started. */
  startedAt: TimeOrNull,
  /** Time after which the next milestone starts; null if the next milestone is started manually. */
  transitionCondition: Type.Union([TransitionCondition, Type.Null()]),
  /** Time at which the next milestone was started automatically; null if it was not. */
  progressionExecutedAt: TimeOrNull,
  /** Time at which the plan was paused while this milestone was active. */
  pausedAt: TimeOrNull,
  strategies: Type.Array(MilestoneStrategy),
})
export type Milestone = Static<typeof Milestone>

/** Release template: milestones that are copied into each plan. */
export const ReleaseTemplate = Type.Object({
  id: Type.String(),
  discriminator: Type.Literal('template'),
  name: Type.String(),
  description: TextOrNull,
  createdByUserId: Type.Integer(),
  createdAt: Type.String({ format: 'date-time' }),
  milestones: Type.Array(Milestone),
  archivedAt: TimeOrNull,
})
export type ReleaseTemplate = Static<typeof ReleaseTemplate>

/** Request body that adds a release plan to a flag in an environment. */
export const ReleasePlanInput = Type.Object({ templateId: Type.String({ minLength: 1, maxLength: 100 }) })
export type ReleasePlanInput = Static<typeof ReleasePlanInput>

/** Release plan of a flag in an environment. */
export const ReleasePlan = Type.Object({
  id: Type.String(),
  discriminator: Type.Literal('plan'),
  name: Type.String(),
  description: TextOrNull,
  featureName: Type.String(),
  environment: Type.String(),
  createdByUserId: Type.Integer(),
  createdAt: Type.String({ format: 'date-time' }),
  /** Milestone whose strategies SDKs receive; null if no milestone has started. */
  activeMilestoneId: Type.Union([Type.String(), Type.Null()]),
  /**
   * Time at which the next milestone starts; null if none is scheduled, for example while the plan is paused or the
   * flag is off.
   */
  nextMilestoneAt: TimeOrNull,
  milestones: Type.Array(Milestone),
  /** Template from which the milestones were copied. The template may have been changed or deleted since. */
  releasePlanTemplateId: Type.String(),
  safeguards: Type.Array(Safeguard),
})
export type ReleasePlan = Static<typeof ReleasePlan>

/** Request body that sets when the milestone after the given one starts. */
export const ProgressionInput = Type.Object({
  targetMilestone: Type.String({ minLength: 1, maxLength: 100 }),
  transitionCondition: TransitionCondition,
})
export type ProgressionInput = Static<typeof ProgressionInput>
