import { setTimeout as sleep } from 'node:timers/promises'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Database, PoolState, ReadAhead, Reader, Schema, ServerStatus, Tx, Watch } from './database.ts'
import { classifyDbError, DatabaseAway } from './errors.ts'
import type { LastAnswer } from './writing/last-answer.ts'

/** What a database is opened by, as often as it takes. */
export interface Opening {
  readonly kind: Database['kind']
  /** Rejects while it is away, or cannot be opened for another reason. */
  readonly open: () => Promise<Database>
  /** Called after it was closed. */
  readonly leave: () => Promise<void>
  /** Hears why it cannot be opened, where that is no matter of waiting; once per reason. */
  readonly warn: (line: string) => void
}

const RETRY_MS = 1000

/**
 * A database that is away and opened as soon as it is there. Until then everything that is asked of it fails at once with
 * DatabaseAway; from then on it is that database.
 */
export class AwaitedDatabase implements Database {
  readonly kind: Database['kind']
  readonly watch?: (hint: () => void, trouble: (error: unknown) => void) => Watch
  readonly pools: () => readonly PoolState[]
  readonly server?: () => ServerStatus
  /** Resolves when it is there; never where it is closed before. */
  readonly arrived: Promise<void>
  #database: Database | undefined
  #isClosed = false
  #refused = ''
  readonly #leave: () => Promise<void>

  /** @param first an attempt that has begun already */
  constructor(opening: Opening, first: Promise<Database>) {
    this.kind = opening.kind
    const { promise, resolve } = Promise.withResolvers<void>()
    this.arrived = promise
    this.#leave = opening.leave
    void this.#open(opening, first, resolve)
    this.pools = () => this.#database?.pools?.() ?? []
    if (this.kind !== 'postgres') return
    this.server = () => this.#database?.server?.() ?? { primary: undefined, refusal: undefined }
    this.watch = (hint, trouble) => this.#watchLater(hint, trouble)
  }

  /** Whether it is there by now. */
  get isThere(): boolean {
    return this.#database !== undefined
  }

  get reader(): Reader {
    return this.#database?.reader ?? UNANSWERED
  }

  async view<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#required().view(work)
  }

  async scan<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#required().scan(work)
  }

  async write<T, K = never>(
    work: (tx: Tx, known: Promise<K> | undefined) => Promise<T | LastAnswer<T>>,
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

  /** An attempt to open it that goes on is not waited for; what it opens is closed. */
  async close(): Promise<void> {
    this.#isClosed = true
    try {
      await this.#database?.close()
    } finally {
      await this.#leave()
    }
  }

  #required(): Database {
    if (this.#database === undefined) throw new DatabaseAway()
    return this.#database
  }

  async #open(opening: Opening, first: Promise<Database>, arrived: () => void): Promise<void> {
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

  /** That it is away is said by whoever waits for it. */
  #failed({ warn }: Opening, error: unknown): undefined {
    const reason = error instanceof Error ? error.message : String(error)
    if (classifyDbError(error) === 'unavailable' || reason === this.#refused) return
    this.#refused = reason
    warn(`The database is not opened: ${reason}. SDKs are served from what was kept, and it is tried again`)
  }

  #watchLater(hint: () => void, trouble: (error: unknown) => void): Watch {
    let watch: Watch | undefined
    let isClosed = false
    void this.arrived.then(() => {
      if (!isClosed) watch = this.#database?.watch?.(hint, trouble)
    })
    return {
      close: async () => {
        isClosed = true
        await watch?.close()
      },
    }
  }
}

/** Queries that fail at once with DatabaseAway. None gets as far as its text: which language it would be in does not matter. */
export const UNANSWERED: Reader = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () =>
      Object.assign(new DummyDriver(), {
        acquireConnection: () => Promise.reject(new DatabaseAway()),
      }),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
