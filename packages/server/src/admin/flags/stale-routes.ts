import { Reply } from '@burgee/kit/http/route'
import {
  SnoozeFeatures,
  StaleCount,
  StaleCountSearch,
  StaleFlags,
  StaleSearch,
} from '@burgee/protocol/administration/stale-flags'
import { execute } from '../../core/execute.ts'
import { SEARCH, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE, ProjectParams } from '../../core/http/route-parts.ts'
import { snoozeFeatures } from '../stale/snoozes.ts'

const STALE = '/api/admin/stale-flags'
const list = { method: 'GET', permission: null, tag: 'Features', problems: SEARCH } as const

/**
 * Routes for stale flags that can be removed, and for snoozing stale flags. The routes are not part of the wire
 * protocol.
 */
export const staleRoutes: Routes = [
  route({
    ...list,
    url: STALE,
    summary:
      'Lists flags that can probably be removed, with the reasons: marked as stale, past the expected lifetime of the type, on for everyone in production for 30 days, or not requested for 30 days.',
    query: StaleSearch,
    replies: { 200: { description: 'Flags with reasons', schema: StaleFlags } },
    handle: ({ query, access: { actor } }, { staleInbox }) => staleInbox.find(query, actor.hidden),
  }),
  route({
    ...list,
    url: `${STALE}/count`,
    summary: 'Counts flags that can probably be removed, and snoozed ones.',
    query: StaleCountSearch,
    replies: { 200: { description: 'Number of stale flags', schema: StaleCount } },
    handle: ({ query, access: { actor } }, { staleInbox }) => staleInbox.count(query, actor.hidden),
  }),
  route({
    method: 'POST',
    url: '/api/admin/projects/:projectId/snooze',
    permission: 'UPDATE_FEATURE',
    tag: 'Features',
    summary: 'Snoozes the reminders about flags until a time within a year, or ends the snooze (null).',
    params: ProjectParams,
    body: SnoozeFeatures,
    replies: DONE,
    problems: WRITE,
    handle: async ({ params, body, access }, world) => {
      const { features, until } = body
      const input = { project: params.projectId, features, until, by: access.actor.name }
      await execute(world, access.actor, snoozeFeatures, input)
      return new Reply(200)
    },
  }),
]
