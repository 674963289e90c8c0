import { Reply, type Route, routesFor } from '@burgee/kit/http/route'
import { InactiveUsers, UserIds } from '@burgee/protocol/user'
import { inactiveUsers, removeInactive } from '../../services/access/inactive-users.ts'
import { execute } from '../../services/execute.ts'
import type { World } from '../../services/world.ts'
import { DONE, WRITE } from '../route-parts.ts'
import type { Access } from './auth.ts'

const route = routesFor<Access>()
const INACTIVE = '/api/admin/user-admin/inactive'
const DAY_MS = 24 * 3_600_000
const common = { permission: 'ADMIN', tag: 'Users' } as const

/** People who have not been here for a number of days. Source: wire protocol */
export function inactiveUserRoutes(world: World, days: number): Route<Access>[] {
  const since = () => world.clock() - days * DAY_MS
  return [
    route({
      ...common,
      method: 'GET',
      url: INACTIVE,
      summary: 'Users who have neither logged in nor used a token of theirs for long.',
      replies: { 200: { description: 'Inactive users', schema: InactiveUsers } },
      problems: ['AuthenticationRequired', 'NoAccessError'],
      handle: async () => ({
        version: 1,
        inactiveUsers: await world.db.view((reader) => inactiveUsers(reader, since())),
      }),
    }),
    route({
      ...common,
      method: 'POST',
      url: `${INACTIVE}/delete`,
      summary: 'Removes users who are inactive, all or none.',
      body: UserIds,
      replies: DONE,
      problems: [...WRITE, 'ConflictError'],
      handle: async ({ body, access: { actor } }) => {
        await execute(world, actor, removeInactive, { ids: body.ids, since: since(), self: actor.userId })
        return new Reply(200)
      },
    }),
  ]
}
