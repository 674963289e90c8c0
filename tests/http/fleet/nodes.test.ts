import type { Delivery, Fleet } from '@burgee/protocol/administration/delivery-receipt'
import type { OpenBroadcast } from '@burgee/server/delivery/events/shared-broadcast'
import { FleetBook } from '@burgee/server/delivery/fleet/fleet-book'
import { readPosition } from '@burgee/storage/epochs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { endWorldNodes, startWorldNode } from '../../store/world-nodes.ts'
import { type EmptyPlace, readyPlace } from '../../support/place.ts'
import { until } from '../../support/wait.ts'
import { startServer, type TestServer } from '../scenario.ts'

/** Another server node of the same database, which reports its connections. */
const FLAG = '/api/admin/projects/default/features/checkout'
const RECEIPT = `GET ${FLAG}/environments/development/delivery`

describe.runIf(inject('driver') === 'postgres')('with two server nodes', () => {
  let place: EmptyPlace
  let server: TestServer
  let other: FleetBook
  let schema: string
  /** Sends a payload on the channel of the nodes. */
  let notify: (payload: string) => Promise<void>

  beforeAll(async () => {
    place = await readyPlace()
    server = await startServer({}, Date.now, { place: { ...place, remove: async () => {} } })
    await server.admin('POST /api/admin/projects/default/features', { name: 'checkout' })
    // loads the flags of the environment
    await server.call({ as: 'client', call: 'GET /api/client/features' })
    const node = await startWorldNode(String(place.options.databaseUrl))
    const { epoch, id } = await readPosition(node.world.db.reader)
    const revision = { epoch, id }
    schema = String(
      (await sql<{ name: string }>`select current_schema()::text as name`.execute(node.world.db.reader)).rows[0]?.name,
    )
    notify = async (payload) => {
      await node.world.db.count((tx) => sql`select pg_notify('burgee_nodes', ${payload})`.execute(tx))
    }
    other = new FleetBook(node.world, {
      delivered: () => {},
      documents: { peek: () => ({ version: 1, revision, flags: [], segments: new Map(), changes: [] }) },
      subscribe: (node.world.broadcast as OpenBroadcast).subscribeToNodes,
    })
    const headers = { 'unleash-connection-id': '0f8fad5b-d9cb-469f-a165-000000000001', 'unleash-appname': 'till' }
    const caller = { method: 'GET', url: '/', headers, params: {}, remoteAddress: '10.0.0.1', id: '1' }
    other.connections.recordUnchanged({ environment: 'development', projects: ['default'] }, caller, revision)
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

  test('messages of another form, and of installations in other schemas, are ignored', async () => {
    const row = ['development', ['default'], 'till', 1, 1, 1]
    const message = (name: string, rows: readonly unknown[], node = name) =>
      JSON.stringify({ node, name, report: 1, edges: 0, rows })
    const wrong = [
      '{"node":"x","rows":[1]}',
      message('wrong-row', [1]),
      message('wrong-projects', [row.with(1, [7])]),
      message('wrong-time', [row.with(5, 1e300)]),
      message('wrong-count', [row.with(4, -1)]),
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
