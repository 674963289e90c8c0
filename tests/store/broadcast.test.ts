import { createTokenCache } from '@burgee/server/core/access/tokens/token-cache'
import { createToken, removeToken, toNewToken } from '@burgee/server/core/access/tokens/tokens'
import { execute } from '@burgee/server/core/execute'
import { SYSTEM } from '@burgee/server/core/world'
import type { Database, Reader } from '@burgee/storage/database'
import { insertEvents } from '@burgee/storage/queries/events/events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase, postgresLook } from '../support/postgres.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { until } from '../support/wait.ts'
import { deaf, endWorldNodes, openNodeDatabase, startWorldNode } from './world-nodes.ts'

let place: FreshDatabase
let look: TestDatabase
beforeAll(async () => {
  place = await freshDatabase()
  await (await open()).close()
  look = await postgresLook(place.url)
})
afterAll(async () => {
  await look.close()
  await place.remove()
})

const open = () => openNodeDatabase(place.url)
const startNode = (change?: (db: Database) => Database) => startWorldNode(place.url, change)
afterAll(endWorldNodes)

const EVENT = { type: 'feature-created', featureName: 'failed' } as const

const idsAfter = async (id: number) =>
  (await look.rows('select id from events where id > ? order by id', id)).map((row) => row.id)
const lastId = async () => Number((await look.row('select max(id) as id from events'))?.id ?? 0)

describe('events of all nodes', () => {
  test('reach every node, once and in the order of ids, while both write', async () => {
    const before = await lastId()
    const nodes = [await startNode(), await startNode()]
    const names = Array.from({ length: 100 }, (_, index) => index)
    await Promise.all(nodes.flatMap((node, of) => names.map((name) => node.create(`both-${of}-${name}`))))
    const ids = await idsAfter(before)
    expect(ids).toHaveLength(200)
    for (const { heard } of nodes) await until(() => heard.length >= ids.length)
    expect(nodes.map(({ heard }) => heard)).toEqual([ids, ids])
  })

  test('cause no further read on the node that wrote them, and neither do its own hints', async () => {
    const node = await startNode()
    const before = await lastId()
    node.asked.length = 0
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 20 }, (_, index) => node.create(`own-${round}-${index}`)))
    }
    expect(node.heard).toEqual(await idsAfter(before))
    // the node also polls twice a second, and may find events after their commit but before its reply
    const looks = node.asked.filter((text) => text.includes('"database_epoch"')).length
    expect(looks).toBeLessThan(20)
    const reads = node.asked.filter((text) => /^select \* from "events"/.test(text)).length
    expect(reads).toBeLessThanOrEqual(looks)
  })

  test('reach nodes in groups despite ids of failed changes', async () => {
    const [one, two] = [await startNode(), await startNode()]
    const before = await lastId()
    const fail = () =>
      execute(one.world, SYSTEM, async () => ({ result: 1, events: [EVENT, { ...EVENT, data: 1n }] }), {}).catch(
        () => {},
      )
    const late = () =>
      one.world.db
        .write(async (tx) => {
          await insertEvents(tx, SYSTEM, [EVENT], Date.now())
          throw new Error('late')
        })
        .catch(() => {})
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => [
        ...[one.create(`gaps-one-${index}`), index % 3 === 0 ? late() : fail()],
        ...[two.create(`gaps-two-${index}`)],
      ]).flat(),
    )
    const ids = await idsAfter(before)
    for (const { heard } of [one, two]) await until(() => heard.length >= ids.length)
    expect([one.heard, two.heard]).toEqual([ids, ids])
    expect(ids.at(-1)).toBeGreaterThan(before + ids.length)
  })

  test('reach the writing node before its write returns, after those of other nodes', async () => {
    const [one, two] = [await startNode(deaf), await startNode(deaf)]
    const before = await lastId()
    await one.create('first')
    await two.create('second')
    expect(two.heard).toEqual(await idsAfter(before))
  })

  test('reach nodes after gaps in the ids', async () => {
    const node = await startNode()
    const before = await lastId()
    await expect(
      execute(node.world, SYSTEM, async () => ({ result: 1, events: [{ type: 'feature-created', data: 1n }] }), {}),
    ).rejects.toThrow()
    await look.rows("select nextval(pg_get_serial_sequence('events', 'id'))")
    await node.create('after-a-gap')
    expect(node.heard).toEqual(await idsAfter(before))
    expect(node.heard).not.toContain(before + 1)
  })

  test('reach nodes although their notifications are lost', async () => {
    const [speaker, listener] = [await startNode(), await startNode(deaf)]
    const before = await lastId()
    await speaker.create('unannounced')
    await until(() => listener.heard.length > 0)
    expect(listener.heard).toEqual(await idsAfter(before))
  })

  test('reach the node that wrote them even if they cannot be read, and no node twice', async () => {
    let isBroken = false
    const breakable = (db: Database): Database => {
      const reader: Reader = {
        get fn() {
          return db.reader.fn
        },
        get selectFrom() {
          if (isBroken) throw new Error('The reader is broken')
          return db.reader.selectFrom.bind(db.reader)
        },
      }
      return { ...deaf(db), reader }
    }
    const [node, other] = [await startNode(breakable), await startNode()]
    const before = await lastId()
    isBroken = true
    await other.create('not-to-be-read')
    await node.create('own')
    const [theirs, own] = await idsAfter(before)
    expect(node.heard).toEqual([own])
    isBroken = false
    await until(() => node.heard.length > 1)
    await node.create('later')
    expect(node.heard).toEqual([own, theirs, await lastId()])
    expect(node.logged).toEqual([
      'Changes from other nodes may arrive late',
      'Changes from other nodes arrive in time again',
    ])
  })
})

describe('a token that another node removes', () => {
  test.each([
    ['is refused', (db: Database) => db],
    ['is refused although the notification is lost', deaf],
  ])('%s', async (_name, hearing) => {
    const [one, two] = [await startNode(), await startNode(hearing)]
    const cache = createTokenCache(two.world)
    const body = { tokenName: 'shared', type: 'client' as const, environment: 'development' }
    const made = await execute(one.world, SYSTEM, createToken, toNewToken(body))
    await until(async () => (await cache.find(made.secret)) !== undefined)
    await execute(one.world, SYSTEM, removeToken, { token: made.row.id })
    await until(async () => (await cache.find(made.secret)) === undefined)
  })
})

describe('notifications', () => {
  test('arrive without a look, and again after the connection was cut', async () => {
    const [writer, db] = [await startNode(), await open()]
    let hints = 0
    const troubles: unknown[] = []
    const watch = db.watch?.(
      () => {
        hints += 1
      },
      (error) => troubles.push(error),
    )
    await until(() => hints === 1)
    await writer.create('hinted')
    await until(() => hints === 2)
    // other listening connections are cut as well; their nodes find missed events by polling
    await look.rows(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_listening_channels%' and pid <> pg_backend_pid()",
    )
    await until(() => hints === 3)
    expect(troubles).toHaveLength(1)
    await writer.create('hinted-again')
    await until(() => hints === 4)
    await watch?.close()
    await writer.create('unheard')
    await db.close()
    expect(hints).toBe(4)
  })
})
