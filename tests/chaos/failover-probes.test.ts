import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Pair, startPair } from '../support/postgres-pair.ts'
import { openRelay, type Relay } from '../support/relay.ts'
import { until } from '../support/wait.ts'
import { report } from './report.ts'
import { runServer, type ServerNode, serverNode, TOKENS } from './server-node.ts'

/**
 * P12: interventions of administrators and machines on the PostgreSQL server that two nodes use, during changes and
 * reads.
 */
const DATABASE = 'flags'
const ROLE = 'flags_user'
const PASSWORD = 'not a secret'
const FEATURES = 'projects/default/features'
const MAX_UNWRITABLE_MS = 10_000
const AT_ONCE = 32

let pair: Pair
let way: Relay
let nodes: ServerNode[] = []
const acknowledged: string[] = []
const odd: string[] = []
const failures: string[] = []
let reads = 0
let made = 0
let isReading = true
let reading: Promise<unknown> | undefined

beforeAll(async () => {
  pair = await startPair({ synchronous: true })
  await pair.primary.sql(`create role ${ROLE} login password '${PASSWORD}'`)
  await pair.primary.sql(`create database ${DATABASE} owner ${ROLE}`)
  way = await openRelay(pair.primary)
  const url = `postgres://${ROLE}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${way.port}/${DATABASE}`
  const env = { DATABASE_URL: url, KEEP_DOCUMENTS: 'false', RATE_LIMIT_ADMIN: '0' }
  for (let count = 0; count < 2; count += 1) nodes.push(await serverNode(runServer(env)))
  reading = Promise.all(nodes.map(readAllTheTime))
}, 120_000)
afterAll(async () => {
  isReading = false
  await reading
  for (const node of nodes) {
    node.process.kill('SIGKILL')
    await node.process.ended
  }
  nodes = []
  await way.close()
  await pair.close()
})
beforeEach(async () => {
  await until(
    async () => (await Promise.all(nodes.map((node) => node.ready()))).every(({ health }) => health === 'GOOD'),
    30_000,
  )
})

async function readAllTheTime(node: ServerNode): Promise<void> {
  while (isReading) {
    reads += 1
    const status = await node.ask('/api/client/features', TOKENS.client).then(
      (reply) => reply.text().then(() => reply.status),
      (error: unknown) => String(error),
    )
    if (status !== 200) failures.push(String(status))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

interface Outcome {
  readonly status: number
  readonly message: string
}

/**
 * Creates a flag, and records it if the server acknowledged the change. Records any rejection other than 503 as
 * unexpected.
 */
async function change(node = nodes[0]): Promise<Outcome> {
  if (node === undefined) throw new Error('no node')
  made += 1
  const name = `made-${made}`
  const reply = await node.admin('POST', FEATURES, { name })
  const { message = '' } = (await reply.json()) as { message?: string }
  const { status } = reply
  if (status === 201) acknowledged.push(name)
  else if (status !== 503) odd.push(`${status} ${message}`)
  return { status, message }
}

const changesOfAll = () => Promise.all(Array.from({ length: AT_ONCE }, (_, index) => change(nodes[index % 2])))

/**
 * Makes changes until each node has acknowledged a change that started after the call. Returns how long that took, in
 * milliseconds.
 */
async function msUntilWritable(): Promise<number> {
  const began = performance.now()
  for (const node of nodes) await until(async () => (await change(node)).status === 201, 60_000)
  return Math.round(performance.now() - began)
}

async function missing(): Promise<string[]> {
  const told = [...acknowledged]
  const found = new Set((await pair.primary.sql('select name from features', DATABASE)).map(({ name }) => name))
  return told.filter((name) => !found.has(name))
}

const endSessions = () =>
  pair.primary.sql(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ROLE}'`)
const reloaded = async (text: string): Promise<void> => {
  for (const statement of text.split('; ')) await pair.primary.sql(statement)
  await pair.primary.sql('select pg_reload_conf()')
}

/** Expects that changes are rejected with this reason, and that readiness reports it. */
async function expectRefusal(reason: RegExp): Promise<void> {
  const [node] = nodes
  await until(async () => reason.test((await change()).message), 45_000)
  await until(async () => {
    const { health, status, database } = (await node?.ready()) ?? {}
    return health === 'DEGRADED' && status === 200 && reason.test(String(database))
  }, 15_000)
}

async function expectRecovery(probe: string): Promise<void> {
  const ms = await msUntilWritable()
  report('P12', probe, `changes work again after ${ms} ms`)
  expect(ms).toBeLessThan(MAX_UNWRITABLE_MS)
  expect(await missing()).toEqual([])
  await until(async () => (await nodes[0]?.ready())?.health === 'GOOD', 10_000)
}

interface Probe {
  readonly probe: string
  readonly begin: () => Promise<unknown>
  readonly reason: RegExp
  readonly end: () => Promise<unknown>
}

test.each<Probe>([
  {
    probe: 'transactions made read-only for all, sessions go on',
    begin: () => reloaded('alter system set default_transaction_read_only = on'),
    reason: /read-only/,
    end: () => reloaded('alter system reset default_transaction_read_only'),
  },
  {
    probe: 'rights to write revoked, sessions go on',
    begin: () =>
      pair.primary.sql(`alter table features owner to postgres; grant select on features to ${ROLE}`, DATABASE),
    reason: /lacks a required privilege|may not write to features/,
    end: () => pair.primary.sql(`alter table features owner to ${ROLE}`, DATABASE),
  },
  {
    probe: 'rights to a table that only some changes write revoked',
    begin: () => pair.primary.sql(`alter table events owner to postgres; grant select on events to ${ROLE}`, DATABASE),
    reason: /lacks a required privilege|may not write to events/,
    end: () => pair.primary.sql(`alter table events owner to ${ROLE}`, DATABASE),
  },
  {
    probe: 'search_path of the role led elsewhere, sessions ended',
    begin: async () => {
      await pair.primary.sql(`create schema if not exists elsewhere authorization ${ROLE}`, DATABASE)
      await pair.primary.sql(`alter role ${ROLE} set search_path = elsewhere`)
      await endSessions()
    },
    reason: /schema "elsewhere"/,
    end: () => pair.primary.sql(`alter role ${ROLE} reset search_path`),
  },
  {
    probe: 'role that may not log in, sessions ended',
    begin: async () => {
      await pair.primary.sql(`alter role ${ROLE} nologin`)
      await endSessions()
    },
    reason: /rejects the user or the password/,
    end: () => pair.primary.sql(`alter role ${ROLE} login`),
  },
  {
    probe: 'database that takes no connections, sessions ended',
    begin: async () => {
      await pair.primary.sql(`alter database ${DATABASE} allow_connections false`)
      await endSessions()
    },
    reason: /accepts no connections/,
    end: () => pair.primary.sql(`alter database ${DATABASE} allow_connections true`),
  },
  {
    probe: 'role with no connection left, sessions ended',
    begin: async () => {
      await pair.primary.sql(`alter role ${ROLE} connection limit 0`)
      await endSessions()
    },
    reason: /no connection left/,
    end: () => pair.primary.sql(`alter role ${ROLE} connection limit -1`),
  },
  {
    probe: 'only standby of a synchronous primary away',
    begin: () => pair.standby.stop(),
    reason: /wait for a standby/,
    end: () => pair.standby.start('standby'),
  },
  {
    probe: 'lock for changes held by a session that does not end',
    begin: async () => {
      await pair.primary.sql(`create table if not exists held (pid integer)`)
      void pair.primary.sql(`select pg_advisory_lock(1112888903, 1), pg_sleep(3600)`, DATABASE).catch(() => {})
    },
    reason: /busy|lock that another session holds/,
    end: () =>
      pair.primary.sql(`select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(3600)%'
        and pid <> pg_backend_pid()`),
  },
])(
  '$probe: changes are refused with the reason, and work again within ten seconds',
  async ({ probe, begin, reason, end }) => {
    await begin()
    await expectRefusal(reason)
    await end()
    await expectRecovery(probe)
  },
  120_000,
)

test('time limits that an administrator sets for the role do not reach changes that wait for each other', async () => {
  const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout']
  for (const name of limits) await pair.primary.sql(`alter role ${ROLE} set ${name} = '300ms'`)
  await endSessions()
  await msUntilWritable()
  const holding = pair.primary.sql(
    `begin; select pg_advisory_xact_lock(1112888903, 1); select pg_sleep(2); commit`,
    DATABASE,
  )
  const outcomes = await changesOfAll()
  await holding
  for (const name of limits) await pair.primary.sql(`alter role ${ROLE} reset ${name}`)
  expect(outcomes.filter(({ status }) => status !== 201)).toEqual([])
  report(
    'P12',
    'time limits of 300 ms set for the role',
    `${outcomes.length} changes that waited 2 s for a lock, none refused`,
  )
  await endSessions()
}, 60_000)

test('sessions that are ended or cancelled all the time lose no acknowledged change', async () => {
  let isStorming = true
  const storm = (async () => {
    for (let turn = 0; isStorming; turn += 1) {
      const how = turn % 2 === 0 ? 'pg_terminate_backend' : 'pg_cancel_backend'
      await pair.primary.sql(`select ${how}(pid) from pg_stat_activity where usename = '${ROLE}'`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })()
  const began = performance.now()
  let refused = 0
  while (performance.now() - began < 5000) {
    const outcomes = await changesOfAll()
    refused += outcomes.filter(({ status }) => status === 503).length
  }
  isStorming = false
  await storm
  report('P12', 'all sessions ended or cancelled ten times a second', `${refused} changes refused with 503`)
  await expectRecovery('after that storm')
}, 90_000)

test('a commit whose wait for the standby is cancelled is not acknowledged', async () => {
  await pair.standby.stop()
  const outcome = change()
  await until(async () => {
    const cancelled = await pair.primary.sql(
      `select pg_cancel_backend(pid) from pg_stat_activity where usename = '${ROLE}' and wait_event = 'SyncRep'`,
    )
    return cancelled.length > 0
  })
  expect(await outcome).toMatchObject({ status: 503, message: expect.stringContaining('a failover may lose it') })
  await pair.standby.start('standby')
  await expectRecovery('wait for the standby cancelled by an administrator')
}, 60_000)

test('a primary that freezes in the middle of grouped changes, and a promotion behind the same address, lose none that was acknowledged', async () => {
  const inFlight = changesOfAll()
  pair.primary.freeze()
  await pair.standby.sql('alter system reset synchronous_standby_names')
  await pair.standby.promote()
  await pair.standby.sql('select pg_reload_conf()')
  way.lead(pair.standby)
  const ms = await msUntilWritable()
  const outcomes = await inFlight
  const found = new Set((await pair.standby.sql('select name from features', DATABASE)).map(({ name }) => name))
  const lost = acknowledged.filter((name) => !found.has(name))
  const figures = `${outcomes.filter(({ status }) => status === 503).length} of ${AT_ONCE} changes in flight refused, ${lost.length} of ${acknowledged.length} acknowledged lost, changes work after ${ms} ms`
  report('P12', 'primary frozen in the middle of grouped changes, standby promoted', figures)
  expect(lost).toEqual([])
  expect(ms).toBeLessThan(MAX_UNWRITABLE_MS)
}, 90_000)

test('no request of an SDK fails in these probes, and no change is refused without a reason', () => {
  report('P12', 'SDK downloads in these probes', `${reads} replies, ${failures.length} failed`)
  expect(failures).toEqual([])
  expect(odd).toEqual([])
})
