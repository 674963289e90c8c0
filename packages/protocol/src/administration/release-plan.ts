import Type, { type Static } from 'typebox'
import { Constraint } from '../feature.ts'
import { ConstraintInput } from '../targeting/constraint.ts'
import { NO_IGNORED_RESTRICTION } from '../targeting/restriction.ts'
import { SegmentId } from '../targeting/segment.ts'
import { StoredVariant, VariantInput } from '../targeting/variant.ts'
import { Safeguard } from './safeguard.ts'

/** Release templates and release plans. Source: wire protocol "Guarded releases" */

/** Maximum number of milestones of a template or plan. */
export const MAX_MILESTONES = 50
/** Maximum number of strategies of a milestone. */
export const MAX_MILESTONE_STRATEGIES = 30
/** Maximum time between two milestones: one year, in minutes. */
export const MAX_INTERVAL_MINUTES = 525_600

const TextOrNull = Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])
const TimeOrNull = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const Name = Type.String({ minLength: 1, maxLength: 200 })
const SortOrder = Type.Integer({ minimum: 0, maximum: 1_000_000 })

/** Time after which the next milestone starts, counted while the flag is on in the environment. */
export const TransitionCondition = Type.Object({
  intervalMinutes: Type.Integer({ minimum: 1, maximum: MAX_INTERVAL_MINUTES }),
})
export type TransitionCondition = Static<typeof TransitionCondition>

/** Body of a strategy of a milestone. An `id` in the body of a template is ignored. */
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

/** Body of a milestone. */
export const MilestoneInput = Type.Object({
  name: Name,
  sortOrder: Type.Optional(SortOrder),
  transitionCondition: Type.Optional(Type.Union([TransitionCondition, Type.Null()])),
  strategies: Type.Optional(Type.Array(MilestoneStrategyInput, { maxItems: MAX_MILESTONE_STRATEGIES })),
})
export type MilestoneInput = Static<typeof MilestoneInput>

/** Body of a release template. */
export const ReleaseTemplateInput = Type.Object({
  name: Name,
  description: Type.Optional(TextOrNull),
  milestones: Type.Optional(Type.Array(MilestoneInput, { maxItems: MAX_MILESTONES })),
})
export type ReleaseTemplateInput = Static<typeof ReleaseTemplateInput>

/** Strategy of a milestone. While the milestone is active, SDKs receive a strategy with the same id. */
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

/** Milestone of a template or plan. The times are null in a template. */
export const Milestone = Type.Object({
  id: Type.String(),
  name: Type.String(),
  sortOrder: Type.Integer(),
  /** Id of the template or plan. */
  releasePlanDefinitionId: Type.String(),
  /** Time of the last start. */
  startedAt: TimeOrNull,
  /** Time after which the next milestone starts; null if it is started by hand. */
  transitionCondition: Type.Union([TransitionCondition, Type.Null()]),
  /** Time at which the next milestone was started automatically. */
  progressionExecutedAt: TimeOrNull,
  /** Time at which progressions of the plan were paused in this milestone. */
  pausedAt: TimeOrNull,
  strategies: Type.Array(MilestoneStrategy),
})
export type Milestone = Static<typeof Milestone>

/** Release template: milestones that a plan copies. */
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

/** Body that adds a plan to a flag in an environment. */
export const ReleasePlanInput = Type.Object({ templateId: Type.String({ minLength: 1, maxLength: 100 }) })
export type ReleasePlanInput = Static<typeof ReleasePlanInput>

/** Plan of a flag in an environment. */
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
   * Time at which the next milestone starts; null if no milestone is due, for example while the plan is paused or the
   * flag is off.
   */
  nextMilestoneAt: TimeOrNull,
  milestones: Type.Array(Milestone),
  /** Template from which the milestones were copied. The template has possibly been changed or deleted since. */
  releasePlanTemplateId: Type.String(),
  safeguards: Type.Array(Safeguard),
})
export type ReleasePlan = Static<typeof ReleasePlan>

/** Body that sets when the milestone after a given milestone starts. */
export const ProgressionInput = Type.Object({
  targetMilestone: Type.String({ minLength: 1, maxLength: 100 }),
  transitionCondition: TransitionCondition,
})
export type ProgressionInput = Static<typeof ProgressionInput>
