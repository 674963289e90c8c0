import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { deaf, endWorldNodes, startWorldNode, type WorldNode } from '../../store/world-nodes.ts'
import { type EmptyPlace, readyPlace } from '../../support/place.ts'
import { openRelay, type Relay } from '../../support/relay.ts'
import { until } from '../../support/wait.ts'
import { startServer, type TestServer } from '../scenario.ts'

/** Servers whose notifications fail although they can read the database. Another server makes changes. */
const LISTEN = 'listen burgee_events'
const PROPAGATION_LIMIT_MS = 1000
const STABLE_MS = 10_000
const BEGINS = 'warn Notifications failed: changes from other nodes arrive by polling'
const ENDS = 'info Change notifications from other nodes work again'

/** Replaces `LISTEN` with a statement of the same length. */
const replaceListen = (statement: string) => (bytes: Buffer) =>
  Buffer.from(bytes.toString('latin1').replace(LISTEN, statement.padEnd(LISTEN.length)), 'latin1')

describe.runIf(inject('driver') === 'postgres')('while notifications fail and reads work', () => {
  let place: EmptyPlace
  let relay: Relay
  let server: TestServer
  let author: WorldNode
  let skippedMs = 0
  beforeEach(async () => {
    skippedMs = 0
    place = await readyPlace()
    const url = new URL(String(place.options.databaseUrl))
    author = await startWorldNode(url.href, deaf)
    relay = await openRelay({ host: url.hostname, port: Number(url.port) })
    url.port = String(relay.port)
    const behind = { ...place, options: { databaseUrl: url.href }, remove: async () => {} }
    server = await startServer({}, () => Date.now() + skippedMs, { place: behind })
  })
  afterEach(async () => {
    await server.close()
    await endWorldNodes()
    await relay.close()
    await place.remove()
  })

  const endListeners = () =>
    server.db.rows(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%listen%' and pid <> pg_backend_pid()",
    )
  const linesWith = (beginning: string) => server.logged.filter((line) => line.startsWith(beginning))
  const ready = async () => (await server.call({ call: 'GET /ready' })).json()
  const isListening = async () => {
    const series = await server.call({ call: 'GET /internal-backstage/prometheus' })
    return /^burgee_database_listening (\d)$/m.exec(series.body)?.[1]
  }
  /** Advances the time until notifications count as working. */
  const untilRecovered = () =>
    until(() => {
      skippedMs += STABLE_MS / 10
      return linesWith(ENDS).length > 0
    })
  /** Makes changes on the other server and returns the longest time until an SDK of this server receives one. */
  async function measurePropagation(): Promise<number> {
    let longest = 0
    for (let change = 0; change < 3; change += 1) {
      const name = `unannounced-${change}`
      await author.create(name)
      const began = performance.now()
      await until(async () =>
        (await server.call({ as: 'client', call: 'GET /api/client/features' })).body.includes(name),
      )
      longest = Math.max(longest, performance.now() - began)
    }
    return longest
  }

  test.each([
    ['ends the connection at LISTEN', () => undefined, undefined],
    ['refuses LISTEN', replaceListen('lissen'), undefined],
    ['accepts LISTEN without effect', replaceListen('select 1'), /LISTEN has no effect/],
  ])(
    '%s: changes arrive within a second, and probe, metric and log name the failure once',
    async (_way, alter, reason) => {
      expect(await ready()).not.toHaveProperty('notifications')
      expect(await isListening()).toBe('1')
      relay.alterRequests((bytes) => (bytes.includes(LISTEN) ? alter(bytes) : bytes))
      await endListeners()
      await until(() => linesWith(BEGINS).length > 0)
      await until(async () => reason === undefined || reason.test((await ready()).notifications))
      expect(await measurePropagation()).toBeLessThan(PROPAGATION_LIMIT_MS)
      expect(await ready()).toMatchObject({ health: 'GOOD', notifications: expect.stringMatching(/^failed since 20/) })
      expect(await isListening()).toBe('0')
      skippedMs += STABLE_MS
      await author.create('while-failing')
      expect(await isListening()).toBe('0')
      relay.alterRequests((bytes) => bytes)
      await untilRecovered()
      expect(await ready()).not.toHaveProperty('notifications')
      expect(await isListening()).toBe('1')
      expect([linesWith(BEGINS).length, linesWith(ENDS).length]).toEqual([1, 1])
    },
  )

  test('a connection that ends after each LISTEN is one failure in the log', async () => {
    const endings = 4
    for (let ended = 0; ended < endings; ended += 1) await until(async () => (await endListeners()).length === 1)
    await until(() => linesWith(BEGINS).length > 0)
    expect(await ready()).toHaveProperty('notifications')
    await untilRecovered()
    expect([linesWith(BEGINS).length, linesWith(ENDS).length]).toEqual([1, 1])
  })
})
