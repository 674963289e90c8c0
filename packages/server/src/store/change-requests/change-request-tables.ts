import type { ChangeAction, ChangeRequestState } from '@burgee/protocol/administration/change-request'
import type { Generated } from 'kysely'
import type { Bit, Json, Millis } from '../columns.ts'

/** What a flag or a segment was like when a change of it was proposed: hashes of its parts. */
export type ChangeBase =
  | {
      readonly project: string
      readonly archived: boolean
      readonly enabled: boolean
      readonly variants: string
      /** By id of the strategy. */
      readonly strategies: Readonly<Record<string, string>>
      readonly parents: string
      /** What the change brings along that is not of its flag; of older ones it is not known. */
      readonly used?: string | undefined
    }
  | { readonly segment: string }

/** Tables of change requests. */
export interface ChangeRequestTables {
  /**
   * Environments of projects that take changes by change request; a row that is not enabled keeps the number, and one stays while its project does
   * without the environment: to take it away and bring it back opens nothing.
   */
  change_request_settings: { project: string; environment: string; enabled: Bit; required_approvals: number }
  change_requests: {
    id: Generated<number>
    project: string
    environment: string
    title: string
    state: ChangeRequestState
    /** When each state was reached, the last time. */
    state_times: Json<Readonly<Partial<Record<ChangeRequestState, number>>>>
    /** Of a person who is gone the name stays. */
    created_by_user_id: number
    created_by: string
    created_at: Millis
    scheduled_at: Millis | null
    scheduled_by_user_id: number | null
    schedule_status: 'pending' | 'failed' | 'suspended' | null
    schedule_reason: string | null
  }
  change_request_changes: {
    id: Generated<number>
    request_id: number
    /** Null for a change of a segment. */
    feature_name: string | null
    segment_id: number | null
    segment_name: string | null
    action: ChangeAction
    payload: Json<unknown>
    base: Json<ChangeBase>
    created_by_user_id: number
    created_by: string
    created_at: Millis
  }
  change_request_opinions: {
    request_id: number
    user_id: number
    opinion: 'approved' | 'rejected'
    created_at: Millis
  }
  /** Who is asked to approve. */
  change_request_approvers: { request_id: number; user_id: number }
  change_request_comments: {
    id: Generated<number>
    request_id: number
    text: string
    created_by_user_id: number
    created_by: string
    created_at: Millis
  }
}
