import type { Constraint, VariantDefinition } from '@burgee/protocol/feature'
import type { Json, Millis } from '../../columns.ts'

/** Strategy of a stored milestone. */
export interface StoredMilestoneStrategy {
  readonly id: string
  readonly strategyName: string
  readonly title: string | null
  readonly sortOrder: number
  readonly parameters: Record<string, string>
  readonly constraints: Constraint[]
  readonly variants: VariantDefinition[]
  readonly segments: number[]
}

/** Stored milestone of a template or plan. Times are milliseconds since 1970. */
export interface StoredMilestone {
  readonly id: string
  readonly name: string
  readonly sortOrder: number
  /** Minutes after which the next milestone starts; null if it is started by hand. */
  readonly intervalMinutes: number | null
  /**
   * Last start of a milestone that is no longer active. The start time of the active milestone is stored in the plan.
   */
  readonly startedAt: Millis | null
  readonly progressionExecutedAt: Millis | null
  readonly strategies: readonly StoredMilestoneStrategy[]
}

/** Tables of release templates and release plans. */
export interface ReleaseTables {
  release_plan_templates: {
    id: string
    name: string
    description: string | null
    milestones: Json<StoredMilestone[]>
    created_by_user_id: number
    created_at: Millis
    archived_at: Millis | null
  }
  release_template_segments: { template_id: string; segment_id: number }
  /** Plans, at most one for each flag and environment. */
  release_plans: {
    id: string
    feature_name: string
    environment: string
    template_id: string
    name: string
    description: string | null
    milestones: Json<StoredMilestone[]>
    created_by_user_id: number
    created_at: Millis
    /** Milestone whose strategies the flag currently has. */
    active_milestone_id: string
    /** Start of the active milestone: the first time at which it was active and the flag was on. */
    started_at: Millis | null
    /**
     * Time at which the clock of the active milestone was last started; null while the flag is off or the plan is
     * paused.
     */
    active_since: Millis | null
    /** Milliseconds that the active milestone counted before `active_since`. */
    elapsed_ms: number
    /**
     * Milliseconds after which the next milestone starts; null if there is no next milestone or it is started by hand.
     */
    interval_ms: number | null
    /** Time at which the next milestone starts; null if none is due. */
    due_at: Millis | null
    paused_at: Millis | null
  }
  release_plan_segments: { plan_id: string; segment_id: number }
}
