import type { EventAgent } from '@burgee/protocol/administration/agent'
import type { Tag } from '@burgee/protocol/event'
import type { ColumnType, Generated } from 'kysely'
import type { Json, Millis } from '../../columns.ts'

/** Event log. */
export interface EventTables {
  events: {
    /** Id of the event. Event ids increase in commit order and are never reused. */
    id: Generated<number>
    created_at: Millis
    type: string
    created_by: string
    created_by_user_id: number
    project: string | null
    environment: string | null
    feature_name: string | null
    data: Json<unknown>
    pre_data: Json<unknown>
    tags: Json<Tag[]>
    /**
     * Environment in which the event changes what SDKs download. '' stands for all environments; null means that no SDK
     * download changes.
     */
    reach: string | null
    /** IP address of the caller. */
    address: string | null
    /** Data that allows a past state to be reconstructed by undoing the change; never shown to clients. */
    undo: ColumnType<unknown, string | null | undefined, string | null>
    /** Agent that caused the event; null for all other events. */
    agent: ColumnType<EventAgent | null, string | null | undefined, string | null>
  }
}
