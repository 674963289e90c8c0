import type { Constraint, VariantDefinition } from '@burgee/protocol/feature'
import type { ManifestType } from '@burgee/protocol/openfeature/manifest'
import type { Generated } from 'kysely'
import type { Bit, Json, Millis } from '../../columns.ts'

/** Tables of flags, their strategies, segments and tags. */
export interface FeatureTables {
  features: {
    name: string
    project: string
    type: string
    description: string | null
    stale: Bit
    impression_data: Bit
    created_at: Millis
    archived_at: Millis | null
    last_seen_at: Millis | null
    /** 1 if the flag exceeded the expected lifetime of its type at the last check. */
    potentially_stale: Generated<Bit>
    /** Author of the flag, taken from its creation event; null if that event no longer exists. */
    created_by: Generated<string | null>
    created_by_user_id: Generated<number | null>
  }
  /** Declared value type of a flag, and the default value of that type as JSON. */
  feature_values: { feature_name: string; value_type: ManifestType; default_value: string }
  /** Lifecycle stages that a flag has reached: 'pre-live', 'live', 'completed'. */
  feature_stages: {
    feature_name: string
    stage: 'pre-live' | 'live' | 'completed'
    entered_at: Millis
    /** 'kept' or 'discarded' if the stage is 'completed', otherwise null. */
    status: string | null
    status_value: string | null
  }
  feature_environments: {
    feature_name: string
    environment: string
    enabled: Bit
    variants: Json<VariantDefinition[]>
    last_seen_at: Millis | null
  }
  feature_strategies: {
    id: string
    feature_name: string
    environment: string
    name: string
    title: string | null
    disabled: Bit
    parameters: Json<Record<string, string>>
    constraints: Json<Constraint[]>
    variants: Json<VariantDefinition[]>
    sort_order: number
    created_at: Millis
  }
  feature_strategy_segments: { strategy_id: string; segment_id: number }
  /** Strategies that give one user a flag until a time. */
  self_targets: {
    strategy_id: string
    /** Value of `userId` in the context. */
    user_id: string
    variant: string | null
    expires_at: Millis
    created_by_user_id: number
  }
  segments: {
    id: Generated<number>
    name: string
    description: string | null
    project: string | null
    constraints: Json<Constraint[]>
    created_by: string
    created_at: Millis
  }
  tag_types: { name: string; description: string | null; icon: string | null }
  tags: { type: string; value: string }
  feature_tags: { feature_name: string; type: string; value: string }
  feature_dependencies: { child: string; parent: string; enabled: Bit; variants: Json<string[]> }
  /** Flags whose reminders are snoozed until a date. */
  feature_snoozes: { feature_name: string; until: Millis; created_by: string }
}
