import { Reply } from '@burgee/kit/http/route'
import { InactiveUsers, UserIds } from '@burgee/protocol/user'
import { execute } from '../../core/execute.ts'
import { GUARDED_LIST, WRITE } from '../../core/http/problem-lists.ts'
import { type HttpWorld, type Routes, route } from '../../core/http/route.ts'
import { DONE } from '../../core/http/route-parts.ts'
import { getInactivityCutoff, readInactiveUsers, removeInactive } from './people/inactive-users.ts'

const INACTIVE = '/api/admin/user-admin/inactive'
const common = { permission: 'ADMIN', tag: 'Users' } as const

/** Routes that list and delete users who have been inactive for a number of days. Source: wire protocol */
export const inactiveUserRoutes: Routes = [
  route({
    ...common,
    method: 'GET',
    url: INACTIVE,
    summary: 'Lists inactive users.',
    replies: { 200: { description: 'Inactive users', schema: InactiveUsers } },
    problems: GUARDED_LIST,
    handle: async (_input, world) => ({
      version: 1,
      inactiveUsers: await world.db.view((reader) => readInactiveUsers(reader, getInactiveSince(world))),
    }),
  }),
  route({
    ...common,
    method: 'POST',
    url: `${INACTIVE}/delete`,
    summary: 'Deletes inactive users atomically.',
    body: UserIds,
    replies: DONE,
    problems: [...WRITE, 'ConflictError'],
    handle: async ({ body, access: { actor } }, world) => {
      await execute(world, actor, removeInactive, { ids: body.ids, since: getInactiveSince(world), self: actor.userId })
      return new Reply(200)
    },
  }),
]

function getInactiveSince({ clock, options }: HttpWorld): number {
  return getInactivityCutoff(clock(), options)
}
