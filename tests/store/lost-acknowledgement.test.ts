import { randomBytes } from 'node:crypto'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { type BurgeeServer, createServer } from '@burgee/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { optionsOf } from '../http/scenario.ts'
import { CHEAP } from '../support/password-cost.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { openRelay, type Relay } from '../support/relay.ts'

/** Starts whose commit succeeds and whose connection is cut before the reply. */
let place: FreshDatabase
let relay: Relay
beforeEach(async () => {
  place = await freshDatabase()
  const { hostname, port } = new URL(place.url)
  relay = await openRelay({ host: hostname, port: Number(port) })
})
afterEach(async () => {
  await relay.close()
  await place.remove()
})

const QUARTER_HOUR_MS = 15 * 60_000

async function start(given: object = {}, clock = Date.now): Promise<{ server: BurgeeServer; warned: string[] }> {
  const url = new URL(place.url)
  url.hostname = '127.0.0.1'
  url.port = String(relay.port)
  const warned: string[] = []
  const logger = { ...SILENT, warn: (line: string) => void warned.push(line) }
  const own = { databaseUrl: url.href, port: 0, host: '127.0.0.1', keepDocuments: false, databaseWait: 20 }
  const options = optionsOf({ ...own, ...given })
  return {
    server: await createServer({
      options,
      clock,
      monotonic: PROCESS_CLOCK,
      random: randomBytes,
      logger,
      passwordCost: CHEAP,
    }),
    warned,
  }
}

/** Drops the acknowledgment of the commit that stores the password. */
function loseCommit(): Promise<void> {
  let isStored = false
  return relay.cutBeforeReply(
    (bytes) => {
      isStored ||= bytes.includes('passwordHash')
      return isStored && bytes.includes('commit\0')
    },
    (bytes) => bytes.includes('COMMIT\0'),
  )
}

const logIn = async (server: BurgeeServer, password: string | undefined): Promise<number> => {
  const payload = { username: 'admin', password }
  return (await server.app.inject({ method: 'POST', url: '/auth/simple/login', payload })).statusCode
}

test('a first start prints the password that holds', async () => {
  const cut = loseCommit()
  const { server } = await start()
  await cut
  expect(server.isNew).toBe(true)
  expect(server.firstLogin).toMatchObject({ username: 'admin', made: 'new' })
  expect(await logIn(server, server.firstLogin?.password)).toBe(200)
  await server.close()
})

test('a later start that generates a new password prints the valid one', async () => {
  await (await start()).server.close()
  const cut = loseCommit()
  const { server } = await start({}, () => Date.now() + QUARTER_HOUR_MS)
  await cut
  expect(server.isNew).toBe(false)
  expect(server.firstLogin).toMatchObject({ username: 'admin', made: 'anew' })
  expect(await logIn(server, server.firstLogin?.password)).toBe(200)
  await server.close()
})

test('a first start with a configured password is still the first one, without a warning that it has no effect', async () => {
  const cut = loseCommit()
  const { server, warned } = await start({ defaultAdminPassword: 'nothing to guess here' })
  await cut
  expect(server.isNew).toBe(true)
  expect(server.firstLogin).toEqual({ username: 'admin', password: undefined, made: 'configured' })
  expect(warned.filter((line) => line.includes('no effect'))).toEqual([])
  expect(await logIn(server, 'nothing to guess here')).toBe(200)
  await server.close()
})
