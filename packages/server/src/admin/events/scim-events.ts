import type { EventType } from '@burgee/protocol/event'

/** Event types written by an identity provider's operations, keyed by method and path. */
export const SCIM_EVENTS: Readonly<Record<string, readonly EventType[]>> = {
  'POST /scim/v2/Groups': ['group-created', 'group-user-added', 'pat-deleted', 'user-updated'],
  'DELETE /scim/v2/Groups/:id': ['group-deleted'],
  'PATCH /scim/v2/Groups/:id': [
    'group-updated',
    'group-user-added',
    'group-user-removed',
    'pat-deleted',
    'user-updated',
  ],
  'PUT /scim/v2/Groups/:id': ['group-updated', 'group-user-added', 'group-user-removed', 'pat-deleted', 'user-updated'],
  'POST /scim/v2/Users': ['user-created'],
  'DELETE /scim/v2/Users/:id': ['user-deleted'],
  'PATCH /scim/v2/Users/:id': ['pat-deleted', 'user-updated'],
  'PUT /scim/v2/Users/:id': ['pat-deleted', 'user-updated'],
}
