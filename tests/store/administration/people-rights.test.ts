import type { Grant } from '@burgee/protocol/grant'
import { changeRole, createRole } from '@burgee/server/admin/access/rights/roles'
import { setRoles } from '@burgee/server/admin/projects/role-assignments'
import { createPeopleRights } from '@burgee/server/core/access/rights/people-rights'
import { hasPermission } from '@burgee/server/core/access/rights/rights'
import { execute } from '@burgee/server/core/execute'
import { SYSTEM } from '@burgee/server/core/world'
import { insertUser } from '@burgee/storage/queries/access/users'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../support/postgres.ts'
import { until } from '../../support/wait.ts'
import { deaf, endWorldNodes, startWorldNode } from '../world-nodes.ts'

/** Permissions are stored in memory, so other nodes learn of changes by notification or by polling. */
let place: FreshDatabase
beforeAll(async () => {
  place = await freshDatabase()
})
afterAll(async () => {
  await endWorldNodes()
  await place.remove()
})

const SWITCH = 'UPDATE_FEATURE_ENVIRONMENT'
const inProduction = (grants: readonly Grant[]) =>
  hasPermission({ grants, hidden: [] }, SWITCH, { project: 'default', environment: 'production' })
const ADMIN = [{ permission: 'ADMIN' }]

test.each([
  ['that receives hints', undefined],
  ['that only looks', deaf],
])('a change of a role reaches another node %s, which reads only after it', async (name, hearing) => {
  const one = await startWorldNode(place.url)
  const other = await startWorldNode(place.url, hearing)
  const [here, there] = [createPeopleRights(one.world), createPeopleRights(other.world)]
  const user = await one.world.db.count((tx) =>
    insertUser(tx, {
      username: name,
      email: null,
      name: null,
      password_hash: '',
      root_role: 3,
      must_change_password: 0,
      login_attempts: 0,
      address_verified: 1,
      created_at: 1,
      seen_at: null,
    }),
  )
  const permissions = [{ name: SWITCH, environment: 'production' }]
  const body = { name: `Switcher ${name}`, type: 'custom', permissions } as const
  const role = await execute(one.world, SYSTEM, createRole, body)
  expect([inProduction(await here.getGrants(user)), inProduction(await there.getGrants(user))]).toEqual([false, false])

  const holder = { project: 'default', kind: 'user', id: user.id } as const
  await execute(one.world, SYSTEM, setRoles, { ...holder, roles: [role.id], giver: ADMIN })
  expect(inProduction(await here.getGrants(user))).toBe(true)
  await until(async () => inProduction(await there.getGrants(user)))

  await new Promise((resolve) => setTimeout(resolve, 700))
  await there.getGrants(user)
  const asked = other.asked.filter((sql) => /role|group|member/.test(sql)).length
  for (let time = 0; time < 20; time += 1) expect(inProduction(await there.getGrants(user))).toBe(true)
  expect(other.asked.filter((sql) => /role|group|member/.test(sql)).length).toBe(asked)

  const taken = { ...body, permissions: [{ name: SWITCH, environment: 'development' }] }
  await execute(one.world, SYSTEM, changeRole, { id: role.id, body: taken })
  expect(inProduction(await here.getGrants(user))).toBe(false)
  await until(async () => !inProduction(await there.getGrants(user)))
})
