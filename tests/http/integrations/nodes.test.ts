import { afterEach, describe, expect, inject, test } from 'vitest'
import { readyPlace } from '../../support/place.ts'
import { until } from '../../support/wait.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** Two servers on one database: only one delivers events, and the other takes over when the first stops. */
const ending: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of ending.splice(0).reverse()) await one.close()
})

async function start(place: Awaited<ReturnType<typeof readyPlace>>): Promise<TestServer> {
  const options = { secretKey: '1'.repeat(64), integrationAllowPrivateAddresses: true, shutdownDelay: 0 }
  const server = await startServer(options, Date.now, { place: { ...place, remove: async () => {} } })
  // the next server on this database creates them again
  await server.db.rows("delete from users where username in ('editor', 'viewer')")
  await server.server.listen()
  return server
}

const flag = (server: TestServer, name: string) => server.admin('POST /api/admin/projects/default/features', { name })
const names = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body).featureName)

describe.runIf(inject('driver') === 'postgres')('two servers on one PostgreSQL', () => {
  test('one delivers, each event once, whichever server it comes from; the other one goes on at once', async () => {
    const place = await readyPlace()
    ending.push({ close: () => place.remove() })
    const to = await startReceiver()
    ending.push(to)
    const [first, second] = [await start(place), await start(place)]
    ending.push(second)
    const body = { provider: 'webhook', enabled: true, events: ['feature-created'], parameters: { url: to.url } }
    await first.admin('POST /api/admin/addons', body)
    for (const [index, server] of [first, second, first, second, second, first].entries())
      await flag(server, `f${index}`)
    await until(() => to.received.length >= 6)
    expect(names(to)).toEqual(['f0', 'f1', 'f2', 'f3', 'f4', 'f5'])
    expect(to.mostAtOnce()).toBe(1)
    const holders = await first.db.rows('select holder from integration_lease')
    expect(holders).toHaveLength(1)
    await first.close()
    await flag(second, 'after')
    await until(() => to.received.length >= 7)
    expect(names(to).at(-1)).toBe('after')
  })
})
