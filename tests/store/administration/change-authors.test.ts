import { configureChangeRequests } from '@burgee/server/admin/change-requests/change-request-settings'
import { setEnabled, switchFlag } from '@burgee/server/admin/flags/switch-flag'
import type { Actor, SystemActor } from '@burgee/server/core/access/rights/rights'
import { execute, executeFlagChange } from '@burgee/server/core/execute'
import { SYSTEM } from '@burgee/server/core/world'
import type { Author } from '@burgee/storage/queries/events/events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../support/postgres.ts'
import { endWorldNodes, startWorldNode, type WorldNode } from '../world-nodes.ts'

/**
 * The server itself may change a protected environment without a review. The server's code must identify itself as the
 * server; no other author has these rights by default.
 */
let place: FreshDatabase
let node: WorldNode
const AT = { project: 'default', environment: 'production' }

beforeAll(async () => {
  place = await freshDatabase()
  node = await startWorldNode(place.url)
  await node.create('guarded')
  const body = { changeRequestsEnabled: true, requiredApprovals: 1 }
  await execute(node.world, SYSTEM, configureChangeRequests, { ...AT, body })
})
afterAll(async () => {
  await endWorldNodes()
  await place.remove()
})

const PLAIN: Author = { name: 'ann', userId: 7, address: null }
const REFUSED: readonly (readonly [who: string, author: unknown])[] = [
  ['an author without any property of an actor', PLAIN],
  ['an actor without grants', { ...PLAIN, grants: [], hidden: [] } satisfies Actor],
  ['an actor who may only switch', { ...PLAIN, grants: [{ permission: 'UPDATE_FEATURE_ENVIRONMENT' }], hidden: [] }],
  ['an author with the id of the server', { ...PLAIN, userId: SYSTEM.userId, name: SYSTEM.name }],
]

describe('a switch in an environment that requires change requests', () => {
  test.each(REFUSED)('refuses %s in both ways that change a flag', async (_who, author) => {
    const to = { ...AT, feature: 'guarded', enabled: true }
    await expect(executeFlagChange(node.world, author as Actor, switchFlag, to)).rejects.toThrow()
    await expect(execute(node.world, author as Actor, setEnabled, to)).rejects.toThrow()
    const events = node.world.db.reader.selectFrom('events').select('type').where('feature_name', '=', 'guarded')
    expect((await events.execute()).map(({ type }) => type)).toEqual(['feature-created'])
  })

  test('allows changes of the server itself', async () => {
    const to = { ...AT, feature: 'guarded', enabled: true }
    await executeFlagChange(
      node.world,
      { ...PLAIN, name: SYSTEM.name, isSystem: true } satisfies SystemActor,
      switchFlag,
      to,
    )
    const events = node.world.db.reader.selectFrom('events').select('type').where('feature_name', '=', 'guarded')
    expect((await events.execute()).map(({ type }) => type)).toContain('feature-environment-enabled')
  })
})

test('a plain author does not compile as the author of a change', () => {
  const to = { ...AT, feature: 'guarded', enabled: true }
  const { world } = node
  // @ts-expect-error: a plain author has neither grants nor the mark of the server
  const withoutGrants = () => execute(world, PLAIN, setEnabled, to)
  const partial = { ...PLAIN, grants: [] }
  // @ts-expect-error: grants alone do not say which projects are hidden
  const withoutHidden = () => execute(world, partial, setEnabled, to)
  expect([withoutGrants, withoutHidden]).toHaveLength(2)
})
