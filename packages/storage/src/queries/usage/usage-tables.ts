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
    /** Metadata that users enter for the application. */
    description: Generated<string | null>
    url: Generated<string | null>
    color: Generated<string | null>
    icon: Generated<string | null>
    /** 1 if only holders of public tokens have reported the application. */
    by_public_token: Generated<Bit>
  }
  /** Projects and environments for which an application has registered; `*` for tokens of all projects. */
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
   * Projects of the tokens with which an instance registered, or `*` for all projects. For an instance without rows,
   * the projects are unknown.
   */
  client_instance_projects: { app_name: string; instance_id: string; environment: string; project: string }
  /** Flag names that SDKs requested but that no flag has. Only the most recent ones are stored. */
  unknown_flags: { name: string; app_name: string; environment: string; last_seen_at: Millis }
  /**
   * Projects of the tokens with which a name was requested, or `*` for all projects. For a name without rows, the
   * projects are unknown.
   */
  unknown_flag_projects: { name: string; app_name: string; environment: string; project: string }
}
