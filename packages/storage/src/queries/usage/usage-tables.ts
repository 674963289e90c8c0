import type { Generated } from 'kysely'
import type { Bit, Json, Millis } from '../../columns.ts'

/** Tables of usage counts, and of the applications and instances that report them. */
export interface UsageTables {
  client_metrics: { environment: string; app_name: string; feature_name: string; hour: Millis; yes: number; no: number }
  client_metrics_variants: {
    environment: string
    app_name: string
    feature_name: string
    hour: Millis
    variant: string
    count: number
  }
  client_applications: {
    app_name: string
    strategies: Json<string[]>
    first_seen_at: Millis
    last_seen_at: Millis
    /** Description that users have entered for the application. */
    description: Generated<string | null>
    url: Generated<string | null>
    color: Generated<string | null>
    icon: Generated<string | null>
    /** 1 if only clients with public tokens have reported the application. */
    by_public_token: Generated<Bit>
  }
  /** Projects and environments for which an application has registered; `*` stands for a token for all projects. */
  client_application_reach: { app_name: string; project: string; environment: string }
  client_instances: {
    app_name: string
    instance_id: string
    environment: string
    sdk_version: string | null
    address: string | null
    last_seen_at: Millis
    by_public_token: Generated<Bit>
    first_seen_at: Generated<Millis | null>
  }
  /**
   * Projects of the tokens with which an instance registered, or `*` for all projects. If an instance has no rows, its
   * projects are unknown.
   */
  client_instance_projects: { app_name: string; instance_id: string; environment: string; project: string }
  /** Names that SDKs have requested but that no flag has. Only the most recently requested names are stored. */
  unknown_flags: { name: string; app_name: string; environment: string; last_seen_at: Millis }
  /**
   * Projects of the tokens with which a name was requested, or `*` for all projects. If a name has no rows, its
   * projects are unknown.
   */
  unknown_flag_projects: { name: string; app_name: string; environment: string; project: string }
}
