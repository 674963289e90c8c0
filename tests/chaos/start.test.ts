import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee } from '../support/burgee.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { openRelay, type Relay } from '../support/relay.ts'

/** Starts while the database is down. */
let database: FreshDatabase
let relay: Relay
let node: BurgeeProcess

beforeEach(async () => {
  database = await freshDatabase()
  const { hostname, port } = new URL(database.url)
  relay = await openRelay({ host: hostname, port: Number(port) })
  relay.become('refused')
})
afterEach(async () => {
  node.kill('SIGKILL')
  await node.ended
  await relay.close()
  await database.remove()
})

function start(env: Readonly<Record<string, string>>): BurgeeProcess {
  const url = new URL(database.url)
  url.hostname = '127.0.0.1'
  url.port = String(relay.port)
  node = runBurgee(['server'], { DATABASE_URL: url.href, HTTP_PORT: '0', HTTP_HOST: '127.0.0.1', ...env })
  return node
}

test('a server waits for its database, logs that once, and starts when it is there', async () => {
  start({})
  await node.find(/WARN: The database could not be opened: .*Retrying for 60 seconds \(DATABASE_WAIT\)/)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  relay.become('through')
  const port = await node.find(/listening on port (\d+)/)
  expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200)
  expect(node.output().match(/Retrying for/g)).toHaveLength(1)
})

test('it exits with the reason if DATABASE_WAIT is 0', async () => {
  start({ DATABASE_WAIT: '0' })
  expect(await node.ended).toBe(1)
  expect(node.errors()).toMatch(/The database could not be opened: /)
})
