import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Pair, type PairServer, startPair } from '../support/postgres-pair.ts'
import { openRelay, type Relay } from '../support/relay.ts'
import { until } from '../support/wait.ts'
import { report } from './report.ts'
import { runServer, type ServerNode, serverNode, TOKENS } from './server-node.ts'

/**
 * P12: after a failover of PostgreSQL, no node serves flags from a server that is not the primary, and no node needs a
 * restart.
 */
const DATABASE = 'flags'
const FLAG = 'projects/default/features/flipped/environments/development'
const MAX_STALE_MS = 2000
const MAX_UNWRITABLE_MS = 10_000
/** A node resolves the address again every five seconds. */
const NOTICED_MS = 10_000

let pair: Pair
let [x, y]: (ServerNode | undefined)[] = []
let [wayOfX, wayOfY]: (Relay | undefined)[] = []
const failures: string[] = []
let reads = 0
let isReading = true
let reading: Promise<void> | undefined

beforeAll(async () => {
  pair = await startPair({ synchronous: true })
  await pair.primary.sql(`create database ${DATABASE}`)
  wayOfX = await openRelay(pair.primary)
  wayOfY = await openRelay(pair.primary)
  const started = async (way: Relay): Promise<ServerNode> => {
    const url = `postgres://postgres@127.0.0.1:${way.port}/${DATABASE}`
    return serverNode(
      runServer({
        DATABASE_URL: url,
        KEEP_DOCUMENTS: 'false',
        RATE_LIMIT_ADMIN: '0',
        EDGE_VALIDATE_LIMIT_PER_MINUTE: '100000',
      }),
    )
  }
  x = await started(wayOfX)
  y = await started(wayOfY)
  await x.makeOn('flipped')
  reading = readAllTheTime([x, y])
}, 120_000)
afterAll(async () => {
  isReading = false
  await reading
  for (const node of [x, y]) {
    node?.process.kill('SIGKILL')
    await node?.process.ended
  }
  await wayOfX?.close()
  await wayOfY?.close()
  await pair.close()
})

/** Requests of SDKs and edges, with tokens that the node already knows. */
const SDK_REQUESTS: readonly ((node: ServerNode) => Promise<Response>)[] = [
  (node) => node.ask('/api/client/features', TOKENS.client),
  (node) => node.ask('/api/client/delta', TOKENS.client),
  (node) => node.ask('/api/frontend?userId=7', TOKENS.frontend),
  (node) =>
    fetch(`${node.base}/edge/validate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tokens: [TOKENS.client] }),
    }),
]

async function readAllTheTime(nodes: readonly ServerNode[]): Promise<void> {
  for (let turn = 0; isReading; turn += 1) {
    for (const node of nodes) {
      reads += 1
      const status = await SDK_REQUESTS[turn % SDK_REQUESTS.length]?.(node).then(
        async (reply) => {
          const text = await reply.text()
          return reply.ok ? 'answered' : `${reply.status} ${text}`
        },
        (error: unknown) => String(error),
      )
      if (status !== 'answered') failures.push(String(status))
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const isOnAt = async (node: ServerNode | undefined) => (await node?.download())?.on.includes('flipped')
const flip = async (node: ServerNode | undefined, to: 'on' | 'off') =>
  (await node?.admin('POST', `${FLAG}/${to}`))?.status
/** Returns the time until a condition holds, in milliseconds. */
async function msUntil(is: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  await until(is, 60_000)
  return Math.round(performance.now() - began)
}
const etagOf = async (node: ServerNode | undefined) =>
  (await node?.ask('/api/client/features', 'default:development.client'))?.headers.get('etag')

/** Points both nodes at a database server. Node Y is switched first. */
async function switchOver(to: PairServer): Promise<void> {
  wayOfY?.lead(to)
  wayOfX?.lead(to)
}

test('a read-only primary refuses changes with the reason, and takes them again without a restart', async () => {
  await pair.primary.sql(`alter database ${DATABASE} set default_transaction_read_only = on`)
  await pair.primary.sql(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${DATABASE}'`)
  await until(async () => (await x?.ready())?.health === 'DEGRADED', NOTICED_MS * 2)
  const isSaid = async (): Promise<boolean> => String((await x?.ready())?.database).includes('read-only')
  await until(isSaid, NOTICED_MS * 2)
  const refused = await x?.admin('POST', `${FLAG}/off`)
  expect(refused?.status).toBe(503)
  expect(await refused?.json()).toMatchObject({ message: expect.stringContaining('read-only') })
  await pair.primary.sql(`alter database ${DATABASE} reset default_transaction_read_only`)
  const ms = await msUntil(async () => (await flip(x, 'off')) === 200)
  report('P12', 'read-only maintenance ends', `changes work again after ${ms} ms`)
  expect(ms).toBeLessThan(MAX_UNWRITABLE_MS)
  await until(async () => (await x?.ready())?.health === 'GOOD', NOTICED_MS * 2)
}, 90_000)

test('a firewall that forgets connections costs the next change seconds, and nothing is refused', async () => {
  await new Promise((resolve) => setTimeout(resolve, 1200))
  wayOfX?.forget()
  const began = performance.now()
  expect(await flip(x, 'on')).toBe(200)
  const ms = Math.round(performance.now() - began)
  report('P12', 'silent drop of all connections', `the next change is written after ${ms} ms`)
  expect(ms).toBeLessThan(MAX_UNWRITABLE_MS)
  await until(async () => (await isOnAt(y)) === true)
}, 60_000)

test('a promotion, and a name that leads one node to the former primary as a lagging standby: it never serves the past', async () => {
  const [one, two] = [pair.primary, pair.standby]
  await one.stop()
  await two.sql(`alter system reset synchronous_standby_names`)
  await two.promote()
  await two.sql('select pg_reload_conf()')
  await one.start('standby')
  wayOfY?.lead(two)
  // X's host name is updated late and still resolves to the new standby
  const unwritable = await msUntil(async () => (await flip(y, 'off')) === 200)
  await until(
    async () => (await one.sql('select count(*)::int as n from pg_stat_wal_receiver'))[0]?.n === 1,
    30_000,
  ).catch(() => {})
  await one.sql('select pg_wal_replay_pause()')
  expect(await flip(y, 'on')).toBe(200)
  expect(await flip(y, 'off')).toBe(200)
  await until(async () => (await x?.ready())?.health === 'DEGRADED')
  await until(async () => String((await x?.ready())?.database).includes('standby'), NOTICED_MS * 2)
  const refused = await x?.admin('POST', `${FLAG}/off`)
  expect(refused?.status).toBe(503)
  wayOfX?.lead(two)
  const stale = await msUntil(async () => (await etagOf(x)) === (await etagOf(y)))
  expect(await isOnAt(x)).toBe(false)
  expect(await flip(x, 'on')).toBe(200)
  await until(async () => (await isOnAt(y)) === true)
  report(
    'P12',
    'promotion, late name, lagging standby',
    `changes work after ${unwritable} ms; the late node serves the primary's flags ${stale} ms after its name leads there`,
  )
  expect(stale).toBeLessThan(MAX_STALE_MS)
  expect(unwritable).toBeLessThan(MAX_UNWRITABLE_MS)
  await until(async () => (await x?.ready())?.health === 'GOOD', NOTICED_MS)
}, 120_000)

test('a former primary that comes back as one (split brain) is refused by nodes that know the new one', async () => {
  const [one, two] = [pair.primary, pair.standby]
  // `two` is the primary; `one` is promoted independently, and X's host name resolves to it for a while
  await one.sql('select pg_wal_replay_resume()')
  await until(async () => (await one.sql('select pg_last_wal_replay_lsn() as lsn'))[0]?.lsn !== null)
  const former = await etagOf(x)
  // no standby follows the promoted server
  await one.sql('alter system reset synchronous_standby_names')
  await one.sql('select pg_reload_conf()')
  await one.promote()
  await switchOver(one)
  // the newer timeline takes precedence on both nodes, although their sessions with the other server stay open
  const noticed = await msUntil(
    async () =>
      (await etagOf(x)) === (await etagOf(y)) &&
      (await etagOf(x)) !== former &&
      /timeline 3/.test(String((await x?.ready())?.server)) &&
      /timeline 3/.test(String((await y?.ready())?.server)),
  )
  const before = await etagOf(x)
  await switchOver(two)
  await new Promise((resolve) => setTimeout(resolve, 6000))
  expect(await etagOf(x)).toBe(before)
  const eventsThere = () => two.sql('select max(id) as id from events', DATABASE)
  const written = await eventsThere()
  // the change is written to the newer primary, or rejected if no connection to it is open
  expect([200, 503]).toContain(await flip(x, 'off'))
  expect(await eventsThere()).toEqual(written)
  report(
    'P12',
    'two servers that call themselves primary',
    `both nodes on the newer one after ${noticed} ms, none goes back`,
  )
  expect(noticed).toBeLessThan(NOTICED_MS)
  await switchOver(one)
}, 90_000)

test('an older timeline is accepted if the operator declares a restore there', async () => {
  const two = pair.standby
  const former = await etagOf(x)
  await two.sql('delete from database_epoch', DATABASE)
  await switchOver(two)
  const isThere = async (node: ServerNode | undefined): Promise<boolean> =>
    /timeline 2/.test(String((await node?.ready())?.server))
  const ms = await msUntil(async () => {
    const [one, other] = [await etagOf(x), await etagOf(y)]
    return (await isThere(x)) && (await isThere(y)) && one === other && one !== former
  })
  expect(await flip(x, 'on')).toBe(200)
  await until(async () => (await isOnAt(y)) === true)
  report('P12', 'returned to an older timeline on purpose', `both nodes serve it after ${ms} ms, and take changes`)
  expect(ms).toBeLessThan(2 * NOTICED_MS)
}, 90_000)

test('no request of an SDK fails in these failovers', () => {
  report('P12', 'SDK requests in all failovers', `${reads} replies, ${failures.length} failed`)
  expect(failures).toEqual([])
  expect(reads).toBeGreaterThan(100)
})
