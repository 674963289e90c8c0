import type { SafeguardDefinition, SafeguardTrip } from '@burgee/protocol/administration/safeguard'
import type { Constraint, VariantDefinition } from '@burgee/protocol/feature'
import type { ColumnType } from 'kysely'
import type { Bit, Json, Millis } from '../../columns.ts'

/** Strategy in a stored milestone. */
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

/** Milestone of a release template or release plan, as stored. Times are milliseconds since 1970. */
export interface StoredMilestone {
  readonly id: string
  readonly name: string
  readonly sortOrder: number
  /** Minutes after which the next milestone starts; null if the next milestone is started manually. */
  readonly intervalMinutes: number | null
  /**
   * Time at which the milestone was last started, if it is no longer active. For the active milestone, the plan
   * contains the start time.
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
  /** Release plans, at most one for each flag and environment. */
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
    /** Milestone whose strategies the flag currently uses. */
    active_milestone_id: string
    /** Start of the active milestone: the first time at which the milestone was active while the flag was on. */
    started_at: Millis | null
    /**
     * Time at which the clock of the active milestone was last started; null while the flag is off or the plan is
     * paused.
     */
    active_since: Millis | null
    /** Time in milliseconds for which the active milestone ran before `active_since`. */
    elapsed_ms: number
    /**
     * Milliseconds after which the next milestone starts; null if there is no next milestone or it is started manually.
     */
    interval_ms: number | null
    /** Time at which the next milestone starts; null if none is scheduled. */
    due_at: Millis | null
    paused_at: Millis | null
  }
  release_plan_segments: { plan_id: string; segment_id: number }
  /** Safeguards of a flag in an environment. */
  safeguards: {
    id: string
    feature_name: string
    environment: string
    /**
     * Plan that the safeguard belongs to: the safeguard is deleted together with the plan; null for a safeguard without
     * a plan.
     */
    plan_id: string | null
    definition: Json<SafeguardDefinition>
    /** Name of the alert that trips the safeguard; null if the server checks a metric instead. */
    alert_name: string | null
    /** Name of the impact metric that the safeguard checks, without the metric type; null for other sources. */
    metric_name: string | null
    /** Time from which values of the metric count. */
    armed_at: Millis
    /** Time of the next check; null if the safeguard has tripped, or if it waits for an alert instead. */
    check_at: Millis | null
    /** Time since which the condition has continuously been met; null while it is not met. */
    breached_since: Millis | null
    /** 1 while the safeguard keeps the plan from progressing because too few values were reported. */
    held: Bit
    trip: ColumnType<SafeguardTrip | null, string | null, string | null>
    created_by_user_id: number
    created_at: Millis
  }
  /** Tokens that other systems use to send alerts. */
  signal_endpoints: {
    name: string
    token_hash: string
    created_by_user_id: number
    created_at: Millis
    last_used_at: Millis | null
  }
}
