import { Inbox } from '@burgee/protocol/administration/inbox'
import { GUARDED_LIST } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { requirePerson } from '../../core/http/route-parts.ts'
import { readInbox } from './inbox.ts'

/** Route for the tasks that await the current user. The route is not part of the wire protocol. */
export const inboxRoutes: Routes = [
  route({
    method: 'GET',
    url: '/api/admin/user/inbox',
    permission: null,
    tag: 'Me',
    summary: 'Lists the pending tasks of the current user, across all projects.',
    description:
      'Change requests to review, to apply, and with a failed schedule; integrations whose last delivery failed; tokens that expire within 14 days; flags to archive; and the drafts of the user, which `total` does not count. An item stays until its task is done: reading it removes nothing. A flag should be archived if no code refers to it anymore and no SDK has evaluated it for `unusedFlagDays`; snoozing the flag removes the item.',
    replies: { 200: { description: 'Tasks of the user', schema: Inbox } },
    problems: [...GUARDED_LIST, 'InvalidOperationError'],
    handle: ({ access }, world) => {
      requirePerson(access)
      const times = { now: world.clock(), unusedFlagDays: world.options.unusedFlagDays }
      return world.db.view((reader) => readInbox(reader, access.actor, times))
    },
  }),
]
