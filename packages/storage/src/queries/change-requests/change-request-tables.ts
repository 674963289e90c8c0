import type { ChangeAction, ChangeRequestState, PreviousState } from '@burgee/protocol/administration/change-request'
import type { DefaultStrategy } from '@burgee/protocol/targeting/strategy'
import type { Generated } from 'kysely'
import type { Bit, Json, Millis } from '../../columns.ts'

/**
 * State of a flag or segment when a change to it was proposed, stored as hashes. Comparing the hashes with the current
 * state reveals later edits.
 */
export type ChangeBase =
  | {
      readonly project: string
      readonly archived: boolean
      readonly enabled: boolean
      readonly variants: string
      /** Hash of each strategy, by strategy id. */
      readonly strategies: Readonly<Record<string, string>>
      readonly parents: string
      /** Hash of the segments or default strategy to which the change refers; undefined in older requests. */
      readonly used?: string | undefined
    }
  | { readonly segment: string }

/** State before a request was applied, stored with the request's first change to each flag. */
export interface AppliedRecord {
  readonly by: { readonly id: number; readonly username: string }
  /** State of the flag in the environment; undefined for a segment. */
  readonly before?: PreviousState | undefined
  /** Strategy that was added automatically when the flag was turned on. */
  readonly added?: DefaultStrategy | undefined
}

/**
 * Base on which a change was proposed. After the change request was applied, also contains the state from before that.
 */
export type StoredBase = ChangeBase & { readonly applied?: AppliedRecord }

/** Tables of change requests. */
export interface ChangeRequestTables {
  /**
   * Change-request settings of environments, by project. If change requests are turned off, the row keeps the number of
   * required approvals. The row also remains if the environment is removed from the project, so that the protection is
   * restored if it is added again.
   */
  change_request_settings: { project: string; environment: string; enabled: Bit; required_approvals: number }
  change_requests: {
    id: Generated<number>
    project: string
    environment: string
    title: string
    state: ChangeRequestState
    /** Last time at which the change request entered each state. */
    state_times: Json<Readonly<Partial<Record<ChangeRequestState, number>>>>
    /** The author's name is preserved when the account is deleted. */
    created_by_user_id: number
    created_by: string
    created_at: Millis
    scheduled_at: Millis | null
    scheduled_by_user_id: number | null
    schedule_status: 'pending' | 'failed' | 'suspended' | null
    schedule_reason: string | null
    /** 1 if an apply of files created the request, and no one has edited its changes since then; null in old rows. */
    from_files: Bit | null
  }
  change_request_changes: {
    id: Generated<number>
    request_id: number
    /** Name of the changed flag; null if the change is to a segment. */
    feature_name: string | null
    segment_id: number | null
    segment_name: string | null
    action: ChangeAction
    payload: Json<unknown>
    base: Json<StoredBase>
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
  /** Users who were asked to approve a change request. */
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
