import type { Generated } from 'kysely'
import type { Bit, Json, Millis } from '../columns.ts'

/** Tables of integrations. */
export interface IntegrationTables {
  integrations: {
    id: Generated<number>
    provider: string
    enabled: Bit
    description: string | null
    /** Parameters that everybody may see. */
    open_parameters: Json<Record<string, string>>
    /** The others, each under the key of BURGEE_SECRET_KEY. */
    sealed_parameters: Json<Record<string, string>>
    event_types: Json<string[]>
    only_projects: Json<string[]>
    only_environments: Json<string[]>
    /** The last event of which it is known whether it is to be delivered. */
    seen_event_id: number
    created_at: Millis
  }
  /** Who named each project of an integration; a name without a row was granted by nobody who is known. */
  integration_project_grants: { integration_id: number; project: string; granted_by: number }
  /** What waits, in the order of events. */
  integration_deliveries: {
    integration_id: number
    event_id: number
    /** Tries that have failed. */
    attempts: number
    /** How many of the calls that one event makes are done. */
    part: number
    due_at: Millis
  }
  /** The last tries of each. */
  integration_attempts: {
    id: Generated<number>
    integration_id: number
    event_id: number | null
    created_at: Millis
    attempt: number
    state: 'success' | 'failed'
    status: number | null
    duration_ms: number
    /** Without secrets; empty where there was none. */
    error: string
    next_at: Millis | null
  }
  /** Which node delivers, of those of one PostgreSQL. */
  integration_lease: { name: string; holder: string; until_ms: number }
}
