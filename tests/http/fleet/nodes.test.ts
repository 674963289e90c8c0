import { SeriesRegistry } from '@burgee/kit/series/series'
import type { Delivery, Fleet } from '@burgee/protocol/administration/delivery-receipt'
import type { OpenBroadcast } from '@burgee/server/delivery/events/shared-broadcast'
import { FleetBook } from '@burgee/server/delivery/fleet/fleet-book'
import { registerFleetSeries } from '@burgee/server/delivery/fleet/fleet-series'
import { type Revision, readPosition } from '@burgee/storage/epochs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { endWorldNodes, startWorldNode } from '../../store/world-nodes.ts'
import { type EmptyPlace, readyPlace } from '../../support/place.ts'
import { until } from '../../support/wait.ts'
import { startServer, type TestServer } from '../scenario.ts'

/** Another server node on the same database, which reports its connections. */
const FLAG = '/api/admin/projects/default/features/checkout'
const ID = '0f8fad5b-d9cb-469f-a165-000000000001'
const RECEIPT = `GET ${FLAG}/environments/development/delivery`

describe.runIf(inject('driver') === 'postgres')('with two server nodes', () => {
  let place: EmptyPlace
  let server: TestServer
  let other: FleetBook
  let schema: string
  let readCurrent: () => Promise<Revision>
  /** Records a poll by an SDK at the other node. */
  let pollOther: (revision: Revision, sdk?: string, connection?: string) => void
  /** Sends a payload on the channel between nodes. */
  let notify: (payload: string) => Promise<void>

  beforeAll(async () => {
    place = await readyPlace()
    server = await startServer({}, Date.now, { place: { ...place, remove: async () => {} } })
    await server.admin('POST /api/admin/projects/default/features', { name: 'checkout' })
    // makes the server load the flags of the environment
    await server.call({ as: 'client', call: 'GET /api/client/features' })
    const node = await startWorldNode(String(place.options.databaseUrl))
    readCurrent = () => readPosition(node.world.db.reader)
    let revision = await readCurrent()
    const { rows } = await node.world.db.count((tx) =>
      sql<{ name: string }>`select current_schema()::text as name`.execute(tx),
    )
    schema = rows[0]?.name ?? ''
    notify = async (payload) => {
      await node.world.db.count((tx) => sql`select pg_notify('burgee_nodes', ${payload})`.execute(tx))
    }
    other = new FleetBook(node.world, {
      delivered: () => {},
      documents: { peek: () => ({ version: 1, revision, flags: [], segments: new Map(), changes: [] }) },
      subscribe: (node.world.broadcast as OpenBroadcast).subscribeToNodes,
    })
    pollOther = (position, sdk = 'unleash-node-sdk:6.12.1', connection = ID) => {
      revision = position
      const headers = { 'unleash-connection-id': connection, 'unleash-appname': 'till', 'unleash-sdk': sdk }
      const caller = { method: 'GET', url: '/', headers, params: {}, remoteAddress: '10.0.0.1', id: '1' }
      other.connections.recordUnchanged({ environment: 'development', projects: ['default'] }, caller, position)
    }
    pollOther(revision)
  })
  afterAll(async () => {
    other.close()
    await server.close()
    await endWorldNodes()
    await place.remove()
  })

  const read = (): Promise<Delivery> => server.admin(RECEIPT)

  test('a receipt contains the connections of the other node, as counts without ids', async () => {
    await until(async () => (await read()).processes.known === 1)
    expect(await read()).toMatchObject({ nodes: 1, processes: { known: 1, held: 1, waiting: [] } })
    await server.admin(`POST ${FLAG}/environments/development/on`)
    const { processes } = await read()
    expect(processes).toMatchObject({ known: 1, held: 0 })
    expect(processes.waiting).toMatchObject([{ appName: 'till', connectionId: null, connections: 1 }])
  })

  test('the fleet lists both nodes', async () => {
    const { nodes, applications }: Fleet = await server.admin('GET /api/admin/fleet')
    expect(nodes.map(({ isThis }) => isThis)).toEqual([true, false])
    expect(applications).toMatchObject([{ appName: 'till', connections: 1 }])
  })

  const poll = async (headers: Record<string, string>) => {
    const reply = await server.call({ as: 'client', call: 'GET /api/client/features', headers })
    const tag = { 'if-none-match': String(reply.headers.etag) }
    await server.call({ as: 'client', call: 'GET /api/client/features', headers: { ...headers, ...tag } })
  }

  test('a process whose polls reach both nodes counts once, with the newest revision', async () => {
    const headers = { 'unleash-connection-id': ID, 'unleash-appname': 'till' }
    await poll(headers)
    await until(async () => (await read()).processes.held === 1)
    expect((await read()).processes).toMatchObject({ known: 1, held: 1, waiting: [] })
    await server.admin(`POST ${FLAG}/environments/development/off`)
    expect((await read()).processes).toMatchObject({ known: 1, held: 0 })
    pollOther(await readCurrent())
    await until(async () => (await read()).processes.held === 1)
    expect((await read()).processes).toMatchObject({ known: 1, held: 1, waiting: [] })
    const { applications, isIncomplete }: Fleet = await server.admin('GET /api/admin/fleet')
    expect(applications).toMatchObject([{ appName: 'till', connections: 1, isBehind: false }])
    expect(isIncomplete).toBe(false)
  })

  test('the series of both nodes together count a process that waits once', async () => {
    const registry = new SeriesRegistry()
    registerFleetSeries(registry, other)
    const countWaiting = (text: string) =>
      Number(/burgee_delivery_waiting\{environment="development"\} (\d+)/.exec(text)?.[1] ?? 0)
    const readAll = async () => {
      const own = await server.server.app.inject({ method: 'GET', url: '/internal-backstage/prometheus' })
      return countWaiting(own.body) + countWaiting(registry.text())
    }
    expect(await readAll()).toBe(0)
    await server.admin(`POST ${FLAG}/environments/development/on`)
    const [connection] = other.connections.list()
    await until(() => connection !== undefined && other.isBehind(connection))
    // the nodes learn from each other's reports which of them counts the process
    await until(async () => (await readAll()) === 1)
    pollOther(await readCurrent())
    // the other node tells this server that the process has the change
    await until(async () => (await readAll()) === 0)
  })

  test('a receipt is incomplete while an edge uses the other node', async () => {
    pollOther(await readCurrent(), 'burgee-edge:0.1.0', '0f8fad5b-d9cb-469f-a165-000000000002')
    await until(async () => (await read()).isIncomplete)
    expect((await read()).processes.known).toBe(1)
  })

  test('messages of another form, and of installations in other schemas, are ignored', async () => {
    const row: unknown[] = ['development', ['default'], 'till', 1, 1, false, 'AAAAAAAB']
    const head = { report: 1, part: 0, parts: 1, intervalMs: 3000, connections: 1, edges: 0, isPartial: false }
    const message = (name: string, rows: readonly unknown[], more: object = {}) =>
      JSON.stringify({ ...head, node: name, name, rows, ...more })
    const wrong = [
      '{"node":"x","rows":[1]}',
      message('wrong-row', [1]),
      message('wrong-projects', [row.with(1, [7])]),
      message('wrong-time', [row.with(4, 1e300)]),
      message('wrong-hashes', [row.with(6, 'AAAA')]),
      message('wrong-interval', [row], { intervalMs: 1e9 }),
      message('wrong-part', [row], { part: 1 }),
      message('wrong-as-unfinished', [row], { parts: 2 }),
      'no json',
      '',
    ]
    for (const text of wrong) {
      await notify(text)
      await notify(`${schema}\n${text}`)
    }
    await notify(message('without-schema', [row]))
    await notify(`other\n${message('other-schema', [row])}`)
    await notify(`${schema}\n${message('third-node', [row])}`)
    const read = async (): Promise<Fleet> => server.admin('GET /api/admin/fleet')
    await until(async () => (await read()).nodes.some(({ name }) => name.startsWith('third-node')))
    const names = (await read()).nodes.map(({ name }) => name)
    expect(names.filter((name) => /^(wrong|without|other)/.test(name))).toEqual([])
    expect(names).toHaveLength(3)
  })
})
