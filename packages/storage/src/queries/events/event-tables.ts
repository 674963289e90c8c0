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
    /** Name of the environment whose SDK download the event changes. '' means all environments, null means none. */
    reach: string | null
    /** IP address of the caller. */
    address: string | null
    /** Additional data for undoing the change when a past state is reconstructed; never shown. */
    undo: ColumnType<unknown, string | null | undefined, string | null>
    /** Mark of the agent that caused the event; null for all other events. */
    agent: ColumnType<EventAgent | null, string | null | undefined, string | null>
  }
}
