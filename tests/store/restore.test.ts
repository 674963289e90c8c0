import { createTokenCache } from '@burgee/server/core/access/tokens/token-cache'
import { createToken, removeToken, toNewToken } from '@burgee/server/core/access/tokens/tokens'
import { type Change, execute } from '@burgee/server/core/execute'
import { openSettings, setOrigins } from '@burgee/server/core/settings'
import { SYSTEM } from '@burgee/server/core/world'
import { createDocuments } from '@burgee/server/delivery/documents/documents'
import { createDownloads } from '@burgee/serving/sdk/downloads'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Backup, keptRows } from '../support/backup.ts'
import { copyOfDatabase, type FreshDatabase, freshDatabase, postgresLook } from '../support/postgres.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { until } from '../support/wait.ts'
import { type Node, startNode, turn } from './nodes.ts'
import { deaf, endWorldNodes, openNodeDatabase, startWorldNode, type WorldNode } from './world-nodes.ts'

let place: FreshDatabase
let look: TestDatabase
beforeEach(async () => {
  place = await freshDatabase()
  await (await openNodeDatabase(place.url)).close()
  look = await postgresLook(place.url)
})
afterEach(async () => {
  await endWorldNodes()
  await look.close()
  await place.remove()
})

const epochOf = async () => String((await look.row('select epoch from database_epoch'))?.epoch)
const restores = (node: WorldNode) => node.logged.filter((line) => line.includes('restored'))
/** Waits longer than the polling interval. */
const aLook = () => new Promise((resolve) => setTimeout(resolve, 700))

/** Starts nodes on a database with three events, and takes a backup of the state after the first. */
async function nodesWithBackup(count: number, hearing = deaf): Promise<{ nodes: WorldNode[]; backup: Backup }> {
  const nodes = await Promise.all(Array.from({ length: count }, () => startWorldNode(place.url, hearing)))
  await nodes[0]?.create('kept')
  const backup = await keptRows(place.url)
  for (const name of ['lost-1', 'lost-2']) await nodes[0]?.create(name)
  for (const node of nodes) await until(() => node.heard.at(-1) === 3)
  return { nodes, backup }
}

describe('rows that are put back beneath running nodes', () => {
  test('both nodes start the same new epoch, once, and receive later events', async () => {
    const { nodes, backup } = await nodesWithBackup(2)
    const before = await epochOf()
    await backup.restore()
    for (const node of nodes) await until(() => node.restored.length > 0)
    const epoch = await epochOf()
    expect(epoch).not.toBe(before)
    for (const node of nodes) expect(node.restored).toEqual([{ epoch, id: 1, madeAt: expect.any(Number) }])
    await nodes[1]?.create('other')
    for (const node of nodes) await until(() => node.heard.length === 4)
    expect(nodes.map(({ heard }) => heard)).toEqual([
      [1, 2, 3, 2],
      [1, 2, 3, 2],
    ])
    await aLook()
    expect(await epochOf()).toBe(epoch)
    for (const node of nodes)
      expect([restores(node), node.restored]).toEqual([[expect.anything()], [expect.anything()]])
    await backup.remove()
  })

  test.each([
    ['another node has written as many changes since', 2],
    ['another node has written more changes since', 5],
    ['another node has written fewer changes since', 1],
  ])('get detected although %s', async (_name, changes) => {
    const { nodes, backup } = await nodesWithBackup(1)
    const before = await epochOf()
    // one transaction, so that no poll sees a state in between
    await look.rows('begin')
    await look.rows('delete from events where id > 1')
    for (let change = 0; change < changes; change += 1) {
      await look.rows(
        "insert into events (id, created_at, type, created_by, created_by_user_id, data, pre_data, tags, reach) overriding system value values (?, 1, 'feature-created', 'x', 1, 'null', 'null', '[]', '')",
        2 + change,
      )
    }
    await look.rows('commit')
    await until(() => nodes[0]?.restored.length === 1)
    expect(nodes[0]?.restored).toMatchObject([{ id: 1 + changes }])
    expect(await epochOf()).not.toBe(before)
    await backup.remove()
  })

  test("get detected by the node's next change, before its reply", async () => {
    const node = await startWorldNode(place.url, deaf)
    const before = await epochOf()
    for (const name of ['kept', 'lost-1', 'lost-2']) await node.create(name)
    // restored and changed in one transaction, so that no poll sees a state in between
    const setBack: Change<undefined, void> = async (tx) => {
      await tx.deleteFrom('events').where('id', '>', 1).execute()
      await sql`select setval(pg_get_serial_sequence('events', 'id'), 1)`.execute(tx)
      return { result: undefined, events: [{ type: 'feature-created' }] }
    }
    await execute(node.world, SYSTEM, setBack, undefined)
    expect(node.restored).toMatchObject([{ id: 2 }])
    expect(node.restored[0]?.epoch).not.toBe(before)
  })

  test('get detected if the epoch was removed by hand', async () => {
    const node = await startWorldNode(place.url, deaf)
    await look.rows('delete from database_epoch')
    await until(() => node.restored.length === 1)
    expect(await epochOf()).toMatch(/^[0-9a-f]{16}$/)
  })

  test('a subscriber that cannot reload is notified again by the next poll', async () => {
    const { nodes, backup } = await nodesWithBackup(1)
    let tries = 0
    nodes[0]?.world.broadcast.subscribe(
      () => {},
      async () => {
        tries += 1
        if (tries < 3) throw new Error('The database is away')
      },
    )
    await backup.restore()
    await until(() => tries === 3)
    await aLook()
    expect(tries).toBe(3)
    expect(new Set(nodes[0]?.restored.map(({ epoch }) => epoch))).toEqual(new Set([await epochOf()]))
    await backup.remove()
  })

  test('everything in memory is what the backup holds: downloads, tokens, settings', async () => {
    const node = await startWorldNode(place.url, deaf)
    const { world } = node
    const [tokens, downloads] = [createTokenCache(world), createDownloads(createDocuments(world))]
    const settings = await openSettings(world, {
      frontendApiOrigins: ['https://configured.example'],
      maintenanceMode: false,
    })
    const plan = (tokenName: string) => toNewToken({ tokenName, type: 'client', environment: 'development' })
    const older = await execute(world, SYSTEM, createToken, plan('older'))
    const backup = await keptRows(place.url)
    const newer = await execute(world, SYSTEM, createToken, plan('newer'))
    await execute(world, SYSTEM, removeToken, { token: older.row.id })
    await execute(world, SYSTEM, setOrigins, { frontendApiOrigins: ['https://later.example'] })
    await node.create('later')
    const scope = { environment: 'development', projects: ['*'] }
    const held = async () => [
      (await tokens.find(older.secret))?.name,
      (await tokens.find(newer.secret))?.name,
      settings.frontendApiOrigins(),
      (await downloads.get(scope, false)).find('later') !== undefined,
    ]
    expect(await held()).toEqual([undefined, 'newer', ['https://later.example'], true])
    await backup.restore()
    await until(() => node.restored.length === 1)
    // tokens, downloads and settings are read again independently of each other
    await expect.poll(held).toEqual(['older', undefined, ['https://configured.example'], false])
    expect((await downloads.get(scope, false)).revision.epoch).toBe(await epochOf())
    await backup.remove()
  })
})

test('another database in place of the first is read again, in its own epoch', async () => {
  const node = await startWorldNode(place.url, deaf)
  await node.create('one')
  const other = await freshDatabase()
  const elsewhere = await startWorldNode(other.url, deaf)
  await elsewhere.create('two')
  const copy = await copyOfDatabase(other.url)
  await look.close()
  await copy.takePlaceOf(place.url)
  look = await postgresLook(place.url)
  await until(() => node.restored.length === 1)
  const epoch = await epochOf()
  expect(node.restored).toMatchObject([{ epoch, id: 1 }])
  await endWorldNodes()
  await other.remove()
})

describe('two servers in separate processes', () => {
  const nodes: Node[] = []
  afterAll(() => Promise.all(nodes.map((node) => node.kill())))

  test('have the same tags again after their database was replaced by a copy', async () => {
    nodes.push(...(await Promise.all([startNode(place.url), startNode(place.url)])))
    const [a, b] = nodes as [Node, Node]
    const features = 'projects/default/features'
    expect((await a.admin('POST', features, { name: 'switched' })).status).toBe(201)
    await look.close()
    const copy = await copyOfDatabase(place.url)
    await until(() => turn(a, 'switched', 'on'))
    const lost = await until(async () => {
      const [one, two] = await Promise.all([a.download(), b.download()])
      return one.headers.get('etag') === two.headers.get('etag') ? one.headers.get('etag') : undefined
    })
    await copy.takePlaceOf(place.url)
    look = await postgresLook(place.url)
    const tags = await until(async () => {
      const replies = await Promise.all([a.download(undefined, lost), b.download(undefined, lost)])
      const found = replies.map((reply) => reply.headers.get('etag'))
      return replies.every(({ status }) => status === 200) && found[0] === found[1] ? found : undefined
    })
    expect(tags[0]).toContain(`:${await epochOf()}.`)
    for (const node of [a, b]) {
      const { features: found } = (await (await node.download()).json()) as { features: { enabled: boolean }[] }
      expect(found.map(({ enabled }) => enabled)).toEqual([false])
    }
    // a node whose connection had been cut reports the restore once the database is reachable again
    const noticed = /The database was restored or replaced|It was restored, or is not the database of the snapshot/
    await until(() => nodes.every(({ process }) => noticed.test(process.output())))
  })
})
