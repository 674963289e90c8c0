import { setTimeout as sleep } from 'node:timers/promises'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type {
  Database,
  PoolState,
  ReadAhead,
  Reader,
  Schema,
  ServerStatus,
  ThreadMemory,
  Tx,
  Watch,
} from './database.ts'
import { classifyDbError, DatabaseUnreachable } from './errors.ts'
import type { PipelinedResult } from './transactions/pipelined-result.ts'

/** Callbacks with which a `ReconnectingDatabase` opens its database. `open` is called repeatedly until it succeeds. */
export interface OpenCallbacks {
  readonly kind: Database['kind']
  /** Opens the database. Rejects if the database is unavailable or cannot be opened for another reason. */
  readonly open: () => Promise<Database>
  /** Called after the database was closed, so that its location (such as a locked directory) can be released. */
  readonly onClosed: () => Promise<void>
  /**
   * Called once for each reason why the database cannot be opened. Not called if the database is merely unavailable.
   */
  readonly warn: (line: string) => void
}

const RETRY_MS = 1000

/**
 * Database that may be unavailable when the server starts and that is opened once it becomes available. Until the
 * database is open, every request fails at once with DatabaseUnreachable. Once the database is open, requests are
 * passed on to it.
 */
export class ReconnectingDatabase implements Database {
  readonly kind: Database['kind']
  readonly watch?: NonNullable<Database['watch']>
  readonly pools: () => readonly PoolState[]
  readonly threadMemory?: () => ThreadMemory
  readonly server?: () => ServerStatus
  /** Resolves once the database is open. Never resolves if `close` was called first. */
  readonly opened: Promise<void>
  #database: Database | undefined
  #isClosed = false
  #refused = ''
  readonly #leave: () => Promise<void>

  /** @param first attempt to open the database that is already in progress */
  constructor(opening: OpenCallbacks, first: Promise<Database>) {
    this.kind = opening.kind
    const { promise, resolve } = Promise.withResolvers<void>()
    this.opened = promise
    this.#leave = opening.onClosed
    void this.#open(opening, first, resolve)
    this.pools = () => this.#database?.pools?.() ?? []
    if (this.kind !== 'postgres') {
      this.threadMemory = () => this.#database?.threadMemory?.() ?? { statements: 0, heap: 0 }
      return
    }
    this.server = () => this.#database?.server?.() ?? { primary: undefined, refusal: undefined }
    this.watch = (...listeners) => this.#watchLater(listeners)
  }

  /** True once the database is open. */
  get isOpen(): boolean {
    return this.#database !== undefined
  }

  get reader(): Reader {
    return this.#database?.reader ?? UNAVAILABLE_READER
  }

  async view<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#required().view(work)
  }

  async scan<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#required().scan(work)
  }

  async write<T, K = never>(
    work: (tx: Tx, known: Promise<K> | undefined) => Promise<T | PipelinedResult<T>>,
    ahead?: ReadAhead<K>,
  ): Promise<T> {
    return this.#required().write(work, ahead)
  }

  async count<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#required().count(work)
  }

  async renewEpoch(tx: Tx): Promise<void> {
    return this.#required().renewEpoch(tx)
  }

  requirePresent(): void {
    this.#database?.requirePresent()
  }

  generation(): number {
    return this.#database?.generation?.() ?? 0
  }

  async reclaim(): Promise<boolean> {
    return (await this.#database?.reclaim?.()) ?? false
  }

  /**
   * Closes the database. Does not wait for an attempt to open the database that is in progress; if that attempt
   * succeeds later, the database is closed then.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    try {
      await this.#database?.close()
    } finally {
      await this.#leave()
    }
  }

  #required(): Database {
    if (this.#database === undefined) throw new DatabaseUnreachable()
    return this.#database
  }

  async #open(opening: OpenCallbacks, first: Promise<Database>, arrived: () => void): Promise<void> {
    for (let attempt = first; ; attempt = opening.open()) {
      const database = await attempt.catch((error: unknown) => this.#failed(opening, error))
      if (this.#isClosed) return database?.close()
      if (database !== undefined) {
        this.#database = database
        return arrived()
      }
      await sleep(RETRY_MS, undefined, { ref: false })
      if (this.#isClosed) return
    }
  }

  /**
   * Logs why an attempt to open the database failed. Logs nothing if the database is merely unavailable, because
   * waiting callers report the outage.
   */
  #failed({ warn }: OpenCallbacks, error: unknown): undefined {
    const reason = error instanceof Error ? error.message : String(error)
    if (classifyDbError(error) === 'unavailable' || reason === this.#refused) return
    this.#refused = reason
    warn(`The database is not opened: ${reason}. SDKs are served from what was kept, and it is tried again`)
  }

  #watchLater(listeners: Parameters<NonNullable<Database['watch']>>): Watch {
    let watch: Watch | undefined
    let isClosed = false
    void this.opened.then(() => {
      if (!isClosed) watch = this.#database?.watch?.(...listeners)
    })
    return {
      close: async () => {
        isClosed = true
        await watch?.close()
      },
    }
  }
}

/**
 * Reader whose queries all fail at once with DatabaseUnreachable. Its SQL dialect does not matter, because no query is
 * executed.
 */
export const UNAVAILABLE_READER: Reader = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () =>
      Object.assign(new DummyDriver(), {
        acquireConnection: () => Promise.reject(new DatabaseUnreachable()),
      }),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
