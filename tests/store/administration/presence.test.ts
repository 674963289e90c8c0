import type { FlagPeople } from '@burgee/protocol/user'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../support/postgres.ts'
import { type SessionCall, sessionCall } from '../../ui/support/session-call.ts'
import { create, type Node, startNode } from '../nodes.ts'

/** Presence across nodes: each user sends requests to a different node on the same database. */
const ME = '/api/admin/user/presence'
const FLAG = { project: 'default', feature: 'checkout' }
const PASSWORD = 'a-horse-of-two-nodes'

let place: FreshDatabase
const nodes: Node[] = []
let ada: SessionCall
let grace: SessionCall

beforeAll(async () => {
  place = await freshDatabase()
  const first = await startNode(place.url)
  nodes.push(first)
  const second = await startNode(place.url)
  nodes.push(second)
  await create(first, FLAG.feature)
  ada = await personAt(first, 'Ada')
  grace = await personAt(second, 'Grace')
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.kill()))
  await place.remove()
})

/** Creates a user on a node and logs in there. */
async function personAt(node: Node, name: string): Promise<SessionCall> {
  const person = { username: name.toLowerCase(), password: PASSWORD }
  const made = await node.admin('POST', 'user-admin', { ...person, name, rootRole: 2 })
  expect(made.status).toBe(201)
  return sessionCall(node, person)
}

const presentFor = async (call: SessionCall) => {
  const { present } = await call<FlagPeople>('GET', `/api/admin/projects/default/features/${FLAG.feature}/people`)
  return present.map(({ name }) => name)
}
const looks = (call: SessionCall) => call('PUT', ME, FLAG)
const leaves = (call: SessionCall) => call('DELETE', `${ME}?${new URLSearchParams(FLAG)}`)
const seen = async () => [await presentFor(ada), await presentFor(grace)]

test('people at two nodes see each other at once, and each goes at once', async () => {
  expect(await seen()).toEqual([[], []])
  await looks(ada)
  expect(await seen()).toEqual([[], ['Ada']])
  await looks(grace)
  expect(await seen()).toEqual([['Grace'], ['Ada']])
  await leaves(ada)
  expect(await seen()).toEqual([['Grace'], []])
  await leaves(grace)
  expect(await seen()).toEqual([[], []])
})

test('a user who hides at one node is hidden at the other', async () => {
  await looks(ada)
  await ada('PUT', `${ME}/shown`, { shown: false })
  expect(await presentFor(grace)).toEqual([])
  await ada('PUT', `${ME}/shown`, { shown: true })
  await looks(ada)
  expect(await presentFor(grace)).toEqual(['Ada'])
})
