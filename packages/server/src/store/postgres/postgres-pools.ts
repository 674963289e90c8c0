import { retrying } from '@burgee/kit/retrying'
import { CompiledQuery, type DatabaseConnection } from 'kysely'
import { type ClientBase, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg'
import type { PoolState } from '../database.ts'
import { joinWrites, nameStatements } from './postgres-client.ts'

const STATEMENT_MS = 30_000
/** A little later than the server's own limit, for connections on which nothing arrives any more. */
const SILENCE_MS = 35_000
/** Nobody holds the writer lock longer than this without asking for something: a stopped process loses it. */
const IDLE_IN_TRANSACTION_MS = 10_000
const CONNECT_MS = 30_000
const IDLE_MS = 60_000
const COUNTERS = 2
const TOO_MANY_CONNECTIONS = '53300'
const LONGEST_WAIT_MS = 5000
const RETRY_MS = 100

/** Connections for one purpose. */
export interface Share {
  readonly pool: Pool
  /** Makes a connection fit for it, before each use, where it serves other purposes too. */
  readonly prepare?: (connection: DatabaseConnection) => Promise<void>
}

/** The connections of a node by what they are for; with few of them, one is for several purposes. */
export interface Shares {
  readonly writing: Share
  readonly counting: Share
  readonly reading: Share
  /** Each pool once, by its first purpose. */
  readonly pools: ReadonlyMap<PoolState['pool'], Pool>
}

/** How many connections there are. */
export interface PoolSizes {
  /** At most; at least 1. */
  readonly poolSize: number
  /** How many of those for reading stay open without use. */
  readonly poolMin?: number
  /** How long the others do. */
  readonly idleTimeoutMs?: number
}

/**
 * Divides `size` connections: one for changes, two for counters (one of three; of two, that for changes), the others
 * for reading. A single one serves everything in turn. Nobody waits for a connection while holding one, so any number
 * of them is enough.
 */
export function divide(
  config: ClientConfig,
  { poolSize: size, poolMin: min = 0, idleTimeoutMs: idleTimeoutMillis = IDLE_MS }: PoolSizes,
): Shares {
  // never given back: where connections are few, readers must not take the last one
  const writing = poolOf(config, { max: 1, idleTimeoutMillis: 0, onConnect: nameAll })
  if (size === 1) return single(writing)
  const counting = size === 2 ? undefined : poolOf(config, { max: Math.min(COUNTERS, size - 2), idleTimeoutMillis })
  const counters = counting?.options.max ?? 0
  const most = size - 1 - counters
  const reading = poolOf(config, {
    max: most,
    min: Math.min(min, most),
    idleTimeoutMillis,
    onConnect: prepareReader,
  })
  return {
    writing: { pool: writing },
    counting: { pool: counting ?? writing },
    reading: { pool: reading },
    pools: new Map([
      ['writing', writing],
      ...(counting === undefined ? [] : [['counting', counting] as const]),
      ['reading', reading],
    ]),
  }
}

/** Makes a pool whose broken connections are replaced at their next use. */
export function poolOf(config: ClientConfig, special: PoolConfig): Pool {
  const pool = new Pool({
    ...config,
    pipeline: true,
    statement_timeout: STATEMENT_MS,
    query_timeout: SILENCE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    ...special,
  })
  // without listeners a connection that breaks would end the process
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    joinWrites(client)
  })
  pool.connect = waiting(pool.connect.bind(pool) as () => Promise<PoolClient>) as Pool['connect']
  return pool
}

/**
 * Asks again for a connection while PostgreSQL has none left (its `max_connections`, or the limit of the user), for five
 * seconds: others give theirs back. Nothing was begun before there is one.
 */
function waiting(connect: () => Promise<PoolClient>): () => Promise<PoolClient> {
  return () => {
    const endMs = performance.now() + LONGEST_WAIT_MS
    const isWorthIt = (error: unknown): boolean => {
      const isFull = error instanceof Error && 'code' in error && error.code === TOO_MANY_CONNECTIONS
      return isFull && performance.now() <= endMs
    }
    return retrying(connect, { isWorthIt, pauseMs: RETRY_MS })
  }
}

/** Tells whether the session with a number is one that the pool has now: PostgreSQL gives numbers again. */
export function sessionsOf(pool: Pool): (processId: number) => boolean {
  const numbers = new Map<unknown, unknown>()
  pool.on('connect', (client) => numbers.set(client, (client as { processID?: unknown }).processID))
  pool.on('remove', (client) => numbers.delete(client))
  return (processId) => [...numbers.values()].includes(processId)
}

/** How a pool is doing. */
export function stateOf(pool: PoolState['pool'], { totalCount, idleCount, waitingCount, options }: Pool): PoolState {
  const { max: most, min: least } = options
  return { pool, busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount, most, least }
}

/** Costs a round trip more at each turn: what one connection costs. */
function single(pool: Pool): Shares {
  const inMode = (mode: 'on' | 'off') => async (connection: DatabaseConnection) => {
    await connection.executeQuery(CompiledQuery.raw(`set default_transaction_read_only = ${mode}`))
  }
  const both = { pool, prepare: inMode('off') }
  return {
    writing: both,
    counting: both,
    reading: { pool, prepare: inMode('on') },
    pools: new Map([['writing', pool]]),
  }
}

function nameAll(client: ClientBase): void {
  nameStatements(client, 'all')
}

/**
 * Every transaction of the session is read-only: a write through the reader fails in the database. What is read outside
 * of one is not run again where the tables have changed.
 */
async function prepareReader(client: ClientBase): Promise<void> {
  nameStatements(client, 'in transactions')
  await client.query('set default_transaction_read_only = on')
}
