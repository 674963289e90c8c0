import { CompiledQuery, type DatabaseConnection } from 'kysely'
import { type ClientBase, Pool, type PoolConfig } from 'pg'
import type { PoolState } from '../../database.ts'
import type { SessionPurpose } from './database-session.ts'
import type { SessionLimits, Sessions } from './database-sessions.ts'
import { batchWrites, prepareStatements } from './postgres-client.ts'

/**
 * Time after which the driver gives up on a connection on which nothing arrives. Slightly longer than the time limit of
 * the server.
 */
const SILENCE_MS = 35_000
/** Limits for pooled sessions. A session that sends nothing for `idleMs` loses the writer lock. */
export const POOL_LIMITS: SessionLimits = { statementMs: 30_000, idleMs: 10_000 }
const CONNECT_MS = 30_000
const IDLE_MS = 60_000
const COUNTERS = 2

/** Connections used for one purpose. */
export interface PoolShare {
  readonly pool: Pool
  /** Prepares a connection each time before it is used. Defined only if other purposes use the same connection. */
  readonly prepare?: (connection: DatabaseConnection) => Promise<void>
}

/** Connections of a node by purpose; if a pool is small, several purposes share one connection. */
export interface PoolShares {
  readonly writing: PoolShare
  readonly counting: PoolShare
  readonly reading: PoolShare
  /** Pools by purpose; a pool that serves several purposes is listed only under the first. */
  readonly pools: ReadonlyMap<PoolState['pool'], Pool>
}

/** Sizes of the connection pools. */
export interface PoolSizes {
  /** Maximum number of connections, which must be at least 1. */
  readonly poolSize: number
  /** Number of connections for reading that remain open while idle. */
  readonly poolMin?: number
  /** Idle time in milliseconds after which other connections for reading, and connections for counters, are closed. */
  readonly idleTimeoutMs?: number
}

/**
 * Divides `size` connections among purposes: one for changes, up to two for counters, and the rest for reading. With
 * three connections, one is for counters. With two connections, counters share the connection for changes. A single
 * connection serves all purposes. No caller ever waits for a second connection while using one, so there can be no
 * deadlock, whatever the size.
 */
export function dividePool(
  sessions: Sessions,
  { poolSize: size, poolMin: min = 0, idleTimeoutMs: idleTimeoutMillis = IDLE_MS }: PoolSizes,
): PoolShares {
  // never closed while idle: otherwise readers could take the last free connection
  const writing = createPool(sessions, 'changes', { max: 1, idleTimeoutMillis: 0, prepare: prepareAllStatements })
  if (size === 1) return sharePool(writing)
  const counting =
    size === 2 ? undefined : createPool(sessions, 'counters', { max: Math.min(COUNTERS, size - 2), idleTimeoutMillis })
  const counters = counting?.options.max ?? 0
  const most = size - 1 - counters
  const reading = createPool(sessions, 'reading', {
    max: most,
    min: Math.min(min, most),
    idleTimeoutMillis,
    prepare: (client) => prepareStatements(client, 'in transactions'),
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

/** Settings that differ between pools. */
export interface PoolSettings extends Pick<PoolConfig, 'max' | 'min' | 'idleTimeoutMillis'> {
  readonly limits?: SessionLimits
  /** Time limit that the driver applies, in milliseconds; 0 for no limit. */
  readonly silenceMs?: number
  /** Called with each new client, after it has passed the checks. */
  readonly prepare?: (client: ClientBase) => void
}

/** Creates a pool that replaces a broken connection the next time one is needed. */
export function createPool(sessions: Sessions, purpose: SessionPurpose, settings: PoolSettings): Pool {
  const { limits = POOL_LIMITS, silenceMs = SILENCE_MS, prepare, ...special } = settings
  const onConnect = async (client: ClientBase): Promise<void> => {
    await sessions.setUp(client, purpose, limits)
    prepare?.(client)
  }
  const driver = { pipeline: true, query_timeout: silenceMs }
  // the pool expects a class
  const makeClient = function (this: unknown) {
    return sessions.createClient(driver)
  } as unknown as new () => ClientBase
  const pool = new Pool({
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    ...special,
    onConnect,
    Client: makeClient,
  })
  // without an error listener, a broken connection would end the process
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    batchWrites(client)
  })
  sessions.watchPool(pool, purpose)
  return pool
}

/** Returns the current state of a pool. */
export function getPoolState(
  pool: PoolState['pool'],
  { totalCount, idleCount, waitingCount, options }: Pool,
): PoolState {
  const { max: most, min: least } = options
  return { pool, busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max: most, min: least }
}

/** Shares one connection among all purposes. Each use of this shared connection costs one more round trip. */
function sharePool(pool: Pool): PoolShares {
  const inMode = (statement: string) => async (connection: DatabaseConnection) => {
    await connection.executeQuery(CompiledQuery.raw(statement))
  }
  const both = { pool, prepare: inMode('reset default_transaction_read_only') }
  return {
    writing: both,
    counting: both,
    reading: { pool, prepare: inMode('set default_transaction_read_only = on') },
    pools: new Map([['writing', pool]]),
  }
}

function prepareAllStatements(client: ClientBase): void {
  prepareStatements(client, 'all')
}
