import type { Generated } from 'kysely'
import type { Bit, Json, Millis } from '../../columns.ts'

/** Tables of integrations. */
export interface IntegrationTables {
  integrations: {
    id: Generated<number>
    provider: string
    enabled: Bit
    description: string | null
    /** Parameters that are not secret. */
    open_parameters: Json<Record<string, string>>
    /** Secret parameters, each encrypted with the key BURGEE_SECRET_KEY. */
    sealed_parameters: Json<Record<string, string>>
    event_types: Json<string[]>
    only_projects: Json<string[]>
    only_environments: Json<string[]>
    /** Id of the last event that was examined for delivery. */
    seen_event_id: number
    created_at: Millis
  }
  /** User who added the project to the integration. If a project has no row, the user is unknown. */
  integration_project_grants: { integration_id: number; project: string; granted_by: number }
  /** Pending deliveries, in event order. */
  integration_deliveries: {
    integration_id: number
    event_id: number
    /** Number of failed delivery attempts. */
    attempts: number
    /** Number of HTTP calls already completed for this event; an event may need several calls. */
    part: number
    due_at: Millis
  }
  /** Delivery log: the most recent attempts for each integration. */
  integration_attempts: {
    id: Generated<number>
    integration_id: number
    event_id: number | null
    created_at: Millis
    attempt: number
    state: 'success' | 'failed'
    status: number | null
    duration_ms: number
    /** Error message, without secrets; empty if the attempt succeeded. */
    error: string
    next_at: Millis | null
  }
  /** Lease held by the node that delivers events; only one of the nodes that share a PostgreSQL database has it. */
  integration_lease: { name: string; holder: string; until_ms: number }
}
