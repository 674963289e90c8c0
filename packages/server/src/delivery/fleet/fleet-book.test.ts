import { toNetwork } from '@burgee/kit/http/client-network'
import type { Logger } from '@burgee/kit/log/logger'
import type { Database } from '@burgee/storage/database'
import { expect, test } from 'vitest'
import { createBroadcast } from '../events/broadcast.ts'
import { FleetBook } from './fleet-book.ts'

const NOW = 1_000_000
const SCOPE = { environment: 'development', projects: ['default'] }
const CALLER = {
  method: 'GET',
  url: '/',
  headers: { 'unleash-appname': 'edge', 'unleash-connection-id': 'an-edge' },
  params: {},
  remoteAddress: '10.0.0.1',
  id: 'r',
}
const silent = (): void => {}
const LOGGER: Logger = { debug: silent, info: silent, warn: silent, error: silent, fatal: silent }

test('after a restore, revisions of the earlier epoch do not count', async () => {
  let epoch = 'before'
  const broadcast = createBroadcast(LOGGER)
  const world = { clock: () => NOW, broadcast, db: {} as Database, random: () => Buffer.alloc(16), debug: undefined }
  const book = new FleetBook(world, {
    delivered: () => {},
    documents: {
      peek: () => ({ version: 1, revision: { epoch, id: 900 }, flags: [], segments: new Map(), changes: [] }),
    },
    // no other node, so that the database is not used
    subscribe: undefined,
  })
  const row = { ...SCOPE, kind: 'processes', appName: 'till', revision: 900, connections: 3, oldest: NOW } as const
  book.connections.recordUnchanged(SCOPE, CALLER, { epoch, id: 900 })
  book.edges.addHoldings(SCOPE, { caller: CALLER, network: toNetwork(CALLER.remoteAddress) }, [row])
  const [connection] = book.connections.list()
  if (connection === undefined) throw new Error('The connection is missing')
  expect(book.getHeld(connection)).toBe(900)
  expect([...(book.edges.list()[0]?.holdings.values() ?? [])].flat()).toHaveLength(1)
  epoch = 'after'
  await broadcast.notifyRestored({ epoch, id: 12 })
  expect(book.getHeld(connection)).toBe(0)
  expect([...(book.edges.list()[0]?.holdings.values() ?? [])].flat()).toEqual([])
  book.close()
})
