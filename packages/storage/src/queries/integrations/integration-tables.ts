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
    /** Id of the last event that was checked for delivery. */
    seen_event_id: number
    created_at: Millis
  }
  /** User who added each project to an integration. If a project has no row, that user is unknown. */
  integration_project_grants: { integration_id: number; project: string; granted_by: number }
  /** Pending deliveries, in the order of events. */
  integration_deliveries: {
    integration_id: number
    event_id: number
    /** Number of failed delivery attempts. */
    attempts: number
    /** Number of completed HTTP calls for this event; one event may need several. */
    part: number
    due_at: Millis
  }
  /** Delivery log: the last attempts of each integration. */
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
  /** Lease of the one node that delivers events, among all nodes of a PostgreSQL database. */
  integration_lease: { name: string; holder: string; until_ms: number }
}
