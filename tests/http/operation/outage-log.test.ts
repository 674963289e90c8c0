import { monotonicClock } from '@burgee/kit/monotonic-clock'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readyPlace } from '../../support/place.ts'
import { openRelay, type Relay } from '../../support/relay.ts'
import { until } from '../../support/wait.ts'
import { startServer, type TestServer } from '../scenario.ts'

/** Log lines of an outage of PostgreSQL: their number follows from its duration, not from the number of requests. */
const FEATURES = '/api/admin/projects/default/features'
const REQUESTS = 25
const INTERVAL_MS = 60_000

const BEGINS = 'warn Changes from other nodes may arrive late'
const ENDS = 'info Changes from other nodes arrive in time again'
const REFUSED = 'error The database is temporarily unavailable'

describe.runIf(inject('driver') === 'postgres')('while PostgreSQL is unreachable', () => {
  let relay: Relay
  let server: TestServer
  let skippedMs = 0
  beforeAll(async () => {
    const place = await readyPlace()
    const url = new URL(String(place.options.databaseUrl))
    relay = await openRelay({ host: url.hostname, port: Number(url.port) })
    url.port = String(relay.port)
    const behind = { ...place, options: { databaseUrl: url.href }, remove: async () => {} }
    server = await startServer({}, Date.now, {
      place: behind,
      monotonic: monotonicClock(() => performance.now() + skippedMs),
    })
    return async () => {
      await relay.close()
      await place.remove()
    }
  })
  afterAll(() => server.close())

  const create = (name: string) => server.call({ as: 'admin', call: `POST ${FEATURES}`, body: { name } })
  const linesWith = (beginning: string) => server.logged.filter((line) => line.startsWith(beginning))
  /** Sends changes and downloads, and returns the statuses of each. */
  async function ask(): Promise<readonly [changes: ReadonlySet<number>, downloads: ReadonlySet<number>]> {
    const times = Array.from({ length: REQUESTS }, (_one, index) => index)
    const changes = await Promise.all(times.map((index) => create(`refused-${index}`)))
    const downloads = await Promise.all(
      times.map(() => server.call({ as: 'client', call: 'GET /api/client/features' })),
    )
    return [new Set(changes.map(({ statusCode }) => statusCode)), new Set(downloads.map((reply) => reply.statusCode))]
  }

  test('the log has one line at the start, one per minute of refused changes, and one at the end', async () => {
    expect((await create('before')).statusCode).toBe(201)
    expect((await server.call({ as: 'client', call: 'GET /api/client/features' })).statusCode).toBe(200)
    server.logged.splice(0)
    relay.become('refused')
    await until(() => linesWith(BEGINS).length > 0)
    const refused = [new Set([503]), new Set([200])]
    expect(await ask()).toEqual(refused)
    expect(await ask()).toEqual(refused)
    skippedMs += INTERVAL_MS
    expect(await ask()).toEqual(refused)
    relay.become('through')
    await until(() => linesWith(ENDS).length > 0)
    await until(async () => (await create('after')).statusCode === 201)

    expect(linesWith(BEGINS)).toHaveLength(1)
    expect(linesWith(ENDS)).toHaveLength(1)
    expect(linesWith(REFUSED)).toHaveLength(2)
    expect(linesWith(REFUSED)[1]).toContain(`(${2 * REQUESTS - 1} more since the last one)`)
    expect(server.logged.filter((line) => line.includes('\n'))).toEqual([])
    const others = server.logged.filter((line) => ![BEGINS, ENDS, REFUSED].some((known) => line.startsWith(known)))
    expect(others).toEqual([])
  })
})
