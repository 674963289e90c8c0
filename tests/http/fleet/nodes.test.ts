import type { Delivery, Fleet } from '@burgee/protocol/administration/delivery-receipt'
import type { OpenBroadcast } from '@burgee/server/delivery/events/shared-broadcast'
import { FleetBook } from '@burgee/server/delivery/fleet/fleet-book'
import { readPosition } from '@burgee/storage/epochs'
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

  beforeAll(async () => {
    place = await readyPlace()
    server = await startServer({}, Date.now, { place: { ...place, remove: async () => {} } })
    await server.admin('POST /api/admin/projects/default/features', { name: 'checkout' })
    // loads the flags of the environment
    await server.call({ as: 'client', call: 'GET /api/client/features' })
    const node = await startWorldNode(String(place.options.databaseUrl))
    const { epoch, id } = await readPosition(node.world.db.reader)
    const revision = { epoch, id }
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
})
