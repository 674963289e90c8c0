import type { SafeguardDefinition, SafeguardTrip } from '@burgee/protocol/administration/safeguard'
import type { Constraint, VariantDefinition } from '@burgee/protocol/feature'
import type { ColumnType } from 'kysely'
import type { Bit, Json, Millis } from '../../columns.ts'

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
    /** Milliseconds that the active milestone was active before `active_since`. */
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
  /** Safeguards of a flag in an environment. */
  safeguards: {
    id: string
    feature_name: string
    environment: string
    /** Plan whose removal also deletes the safeguard; null for a safeguard without a plan. */
    plan_id: string | null
    definition: Json<SafeguardDefinition>
    /** Name of the alert that trips the safeguard; null if the server checks a metric instead. */
    alert_name: string | null
    /** Name of the impact metric that it reads, without the type; null for other sources. */
    metric_name: string | null
    /** Start of the values that count. */
    armed_at: Millis
    /** Time of the next check; null if the safeguard has tripped or waits for an alert. */
    check_at: Millis | null
    /** Time since which the condition has held. */
    breached_since: Millis | null
    /** 1 while the plan must not progress, because there are too few values. */
    held: Bit
    trip: ColumnType<SafeguardTrip | null, string | null, string | null>
    created_by_user_id: number
    created_at: Millis
  }
  /** Tokens with which other systems send alerts. */
  signal_endpoints: {
    name: string
    token_hash: string
    created_by_user_id: number
    created_at: Millis
    last_used_at: Millis | null
  }
}
