import { createTokenCache } from '@burgee/server/core/access/tokens/token-cache'
import { createToken, removeToken, toNewToken } from '@burgee/server/core/access/tokens/tokens'
import { execute } from '@burgee/server/core/execute'
import { SYSTEM } from '@burgee/server/core/world'
import { readPosition } from '@burgee/storage/epochs'
import { touchTokens } from '@burgee/storage/queries/usage/token-callers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { openRelay, type Relay } from '../support/relay.ts'
import { until } from '../support/wait.ts'
import { endWorldNodes, openNodeDatabase, startWorldNode, type WorldNode } from './world-nodes.ts'

/** A node accepts tokens that only another node has seen before, while the database is down. */
let place: FreshDatabase
let relay: Relay
let here: WorldNode
let other: WorldNode

beforeAll(async () => {
  place = await freshDatabase()
  await (await openNodeDatabase(place.url)).close()
  const url = new URL(place.url)
  relay = await openRelay({ host: url.hostname, port: Number(url.port) })
  url.hostname = '127.0.0.1'
  url.port = String(relay.port)
  here = await startWorldNode(url.href)
  other = await startWorldNode(place.url)
})
afterAll(async () => {
  relay.become('through')
  await endWorldNodes()
  await relay.close()
  await place.remove()
})
beforeEach(() => relay.become('through'))

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Creates a token that the other node saw in use `agoMs` ago. */
const usedThere = async (name: string, agoMs: number, type: 'client' | 'admin' = 'client') => {
  const body = type === 'client' ? { tokenName: name, type, environment: 'development' } : { tokenName: name, type }
  const made = await execute(other.world, SYSTEM, createToken, toNewToken(body))
  const use = new Map([[made.row.id, { at: Date.now() - agoMs, by: undefined }]])
  await other.world.db.write((tx) => touchTokens(tx, use))
  return made
}

/** Removes a token at the other node, and waits until this node has received the event of the removal. */
async function removedThere(token: string): Promise<void> {
  await execute(other.world, SYSTEM, removeToken, { token })
  const { id } = await readPosition(other.world.db.reader)
  await until(() => here.heard.includes(id))
}

describe('a token that was used at another node, while the database is away', () => {
  test.each([
    ['of SDKs, a moment ago, is accepted', 0, 'client', true],
    ['of SDKs, hours ago, is accepted', 23 * 60 * MINUTE_MS, 'client', true],
    ['of SDKs, two days ago, is not', 2 * DAY_MS, 'client', false],
    ['of an administrator is not', 0, 'admin', false],
  ] as const)('%s', async (name, agoMs, type, isAccepted) => {
    const { row, secret } = await usedThere(name, agoMs, type)
    const cache = createTokenCache(here.world)
    await cache.loadUsed()
    relay.become('refused')
    const found = await cache.find(secret).then(
      (token) => token?.id,
      () => 'the database is away',
    )
    expect(found).toBe(isAccepted ? row.id : 'the database is away')
  })

  test('works if its first use came after the first read', async () => {
    const cache = createTokenCache(here.world)
    await cache.loadUsed()
    const { row, secret } = await usedThere('late', 0)
    await cache.loadUsed()
    relay.become('refused')
    expect((await cache.find(secret))?.id).toBe(row.id)
  })

  test('fails if it was removed', async () => {
    const { row, secret } = await usedThere('removed', 0)
    const cache = createTokenCache(here.world)
    await cache.loadUsed()
    await removedThere(row.id)
    relay.become('refused')
    await expect(cache.find(secret)).rejects.toThrow()
  })

  test('fails if it was removed during the read', async () => {
    const { row, secret } = await usedThere('removed meanwhile', 0)
    const cache = createTokenCache(here.world)
    const reading = cache.loadUsed()
    await removedThere(row.id)
    await reading
    relay.become('refused')
    await expect(cache.find(secret)).rejects.toThrow()
  })
})
