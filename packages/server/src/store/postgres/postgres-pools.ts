import { CompiledQuery, type DatabaseConnection } from 'kysely'
import { type ClientBase, Pool, type PoolConfig } from 'pg'
import type { PoolState } from '../database.ts'
import { joinWrites, nameStatements } from './postgres-client.ts'
import type { Purpose } from './session.ts'
import type { SessionLimits, Sessions } from './sessions.ts'

/** A little later than the server's own limit, for connections on which nothing arrives any more. */
const SILENCE_MS = 35_000
/** Sessions of the pools: nobody holds the writer lock longer than `idleMs` without asking for something. */
export const POOL_LIMITS: SessionLimits = { statementMs: 30_000, idleMs: 10_000 }
const CONNECT_MS = 30_000
const IDLE_MS = 60_000
const COUNTERS = 2

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
  sessions: Sessions,
  { poolSize: size, poolMin: min = 0, idleTimeoutMs: idleTimeoutMillis = IDLE_MS }: PoolSizes,
): Shares {
  // never given back: where connections are few, readers must not take the last one
  const writing = poolOf(sessions, 'changes', { max: 1, idleTimeoutMillis: 0, prepare: nameAll })
  if (size === 1) return single(writing)
  const counting =
    size === 2 ? undefined : poolOf(sessions, 'counters', { max: Math.min(COUNTERS, size - 2), idleTimeoutMillis })
  const counters = counting?.options.max ?? 0
  const most = size - 1 - counters
  const reading = poolOf(sessions, 'reading', {
    max: most,
    min: Math.min(min, most),
    idleTimeoutMillis,
    prepare: (client) => nameStatements(client, 'in transactions'),
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

/** How a pool differs from others. */
export interface PoolSettings extends Pick<PoolConfig, 'max' | 'min' | 'idleTimeoutMillis'> {
  readonly limits?: SessionLimits
  /** 0: a statement may take as long as it wants. */
  readonly silenceMs?: number
  /** Called with each new client, once it was admitted. */
  readonly prepare?: (client: ClientBase) => void
}

/** Makes a pool whose broken connections are replaced at their next use. */
export function poolOf(sessions: Sessions, purpose: Purpose, settings: PoolSettings): Pool {
  const { limits = POOL_LIMITS, silenceMs = SILENCE_MS, prepare, ...special } = settings
  const onConnect = async (client: ClientBase): Promise<void> => {
    await sessions.begin(client, purpose, limits)
    prepare?.(client)
  }
  const driver = { pipeline: true, query_timeout: silenceMs }
  // the pool wants a class
  const makeClient = function (this: unknown) {
    return sessions.client(driver)
  } as unknown as new () => ClientBase
  const pool = new Pool({
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    ...special,
    onConnect,
    Client: makeClient,
  })
  // without listeners a connection that breaks would end the process
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    joinWrites(client)
  })
  sessions.follow(pool, purpose)
  return pool
}

/** How a pool is doing. */
export function stateOf(pool: PoolState['pool'], { totalCount, idleCount, waitingCount, options }: Pool): PoolState {
  const { max: most, min: least } = options
  return { pool, busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount, most, least }
}

/** Costs a round trip more at each turn: what one connection costs. */
function single(pool: Pool): Shares {
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

function nameAll(client: ClientBase): void {
  nameStatements(client, 'all')
}
