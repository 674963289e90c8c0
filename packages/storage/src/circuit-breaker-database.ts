import type { Database, PoolState, ReadAhead, Reader, ServerStatus, ThreadMemory, Tx } from './database.ts'
import { DatabaseUnreachable } from './errors.ts'
import { UNAVAILABLE_READER } from './reconnecting-database.ts'
import type { PipelinedResult } from './transactions/pipelined-result.ts'

/**
 * Time without a response from the database, in milliseconds, after which requests fail instead of waiting. The
 * database is polled twice a second.
 */
const MAX_SILENCE_MS = 10_000

/**
 * Circuit breaker around a database. Rejects new requests while the database does not respond: otherwise each caller
 * would occupy a connection for half a minute, the driver's time limit. Running requests continue.
 */
export class CircuitBreakerDatabase implements Database {
  readonly kind: Database['kind']
  readonly watch?: NonNullable<Database['watch']>
  readonly reclaim?: () => Promise<boolean>
  readonly pools?: () => readonly PoolState[]
  readonly threadMemory?: () => ThreadMemory
  readonly generation?: () => number
  readonly server?: () => ServerStatus
  readonly #database: Database
  readonly #isSilent: () => boolean
  readonly #getReason: () => unknown

  /**
   * @param getSilentMs returns the milliseconds since the last response of the database
   * @param trouble returns the reason why the database does not respond
   */
  constructor(database: Database, getSilentMs: () => number, trouble: () => unknown = () => undefined) {
    this.kind = database.kind
    this.#database = database
    this.#isSilent = () => getSilentMs() > MAX_SILENCE_MS
    this.#getReason = trouble
    if (database.generation !== undefined) this.generation = database.generation.bind(database)
    if (database.server !== undefined) this.server = database.server.bind(database)
    if (database.watch !== undefined) this.watch = database.watch.bind(database)
    if (database.pools !== undefined) this.pools = database.pools.bind(database)
    if (database.threadMemory !== undefined) this.threadMemory = database.threadMemory.bind(database)
    if (database.reclaim !== undefined) this.reclaim = database.reclaim.bind(database)
  }

  get reader(): Reader {
    return this.#isSilent() ? UNAVAILABLE_READER : this.#database.reader
  }

  async view<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#requireResponsive().view(work)
  }

  async scan<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#requireResponsive().scan(work)
  }

  async write<T, K = never>(
    work: (tx: Tx, known: Promise<K> | undefined) => Promise<T | PipelinedResult<T>>,
    ahead?: ReadAhead<K>,
  ): Promise<T> {
    return this.#requireResponsive().write(work, ahead)
  }

  async count<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#requireResponsive().count(work)
  }

  async renewEpoch(tx: Tx): Promise<void> {
    return this.#database.renewEpoch(tx)
  }

  requirePresent(): void {
    this.#database.requirePresent()
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  #requireResponsive(): Database {
    if (this.#isSilent()) throw new DatabaseUnreachable(this.#getReason())
    return this.#database
  }
}
