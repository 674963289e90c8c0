import { BoundedCache } from '@burgee/kit/bounded-cache'
import { startTimer } from '@burgee/kit/timer'
import { formatRunEnvironment } from '@burgee/serving/document/run-environment'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { findTestRun, type TestRunRow } from '@burgee/storage/queries/test-runs/test-runs'
import type { World } from '../../core/world.ts'

/**
 * Listener that is called with the environment of a run after its overrides have changed. The change is complete only
 * when the returned promise has settled.
 */
export type RunListener = (environment: string) => void | Promise<void>

/** Row of a run. A stale row must be read again, because the run, a project or an environment has changed. */
interface CachedRun {
  readonly run: TestRunRow
  isStale: boolean
}

const MAX_RUNS = { entries: 2000, bytes: 16 * 1024 * 1024 }
const MAX_UNKNOWN = { entries: 10_000 }
/** Approximate size of a row without its overrides. */
const ROW_BYTES = 600
/** Prefixes of event types after which runs have possibly ended with their project or environment. */
const ENDING = ['project-', 'environment-', 'instance-']
/** Time after a failed read of a changed run until the next read. */
const RETRY_MS = 1000

/**
 * Test runs of the database, of which this node caches the rows in use. Events of all nodes mark the rows that have to
 * be read again, so a lost notification delays a change only until the next poll of the event table.
 */
export class TestRuns {
  readonly #world: Pick<World, 'db' | 'clock'>
  readonly #rows = new BoundedCache<CachedRun>(MAX_RUNS)
  /** Ids without a run. The ids of runs are random, so a run never gets an id that a caller has invented before. */
  readonly #unknown = new BoundedCache<true>(MAX_UNKNOWN)
  readonly #inFlight = new Map<string, Promise<TestRunRow | undefined>>()
  readonly #listeners = new Set<RunListener>()
  readonly #unsubscribe: () => void
  /** Timers of changed runs that could not be read, by id. */
  readonly #retries = new Map<string, NodeJS.Timeout>()
  #isClosed = false

  constructor(world: Pick<World, 'db' | 'clock' | 'broadcast'>) {
    this.#world = world
    this.#unsubscribe = world.broadcast.subscribe(
      (events) => this.#onEvents(events),
      () => this.#forgetAll(),
    )
  }

  /** Returns true while a query for a run is in flight. */
  isQuerying(id: string): boolean {
    return this.#inFlight.has(id)
  }

  /** Returns a run without a query. Returns undefined if the run is not cached, or may have changed. */
  peek(id: string): TestRunRow | undefined {
    const cached = this.#rows.get(id)
    return cached === undefined || cached.isStale ? undefined : this.#dropIfExpired(cached.run)
  }

  /** Returns a run as this node last read it, without a query. */
  peekLast(id: string): TestRunRow | undefined {
    return this.#dropIfExpired(this.#rows.get(id)?.run)
  }

  /** Returns a run; undefined if there is none, or if it has ended. */
  async find(id: string): Promise<TestRunRow | undefined> {
    const cached = this.#rows.get(id)
    // an expired run is not read again at each use of its tokens
    if (cached?.isStale === false) return this.#dropIfExpired(cached.run)
    if (this.#unknown.peek(id)) return undefined
    return this.#dropIfExpired(await this.#read(id))
  }

  /** Calls the listener after changes of runs. Returns a function that unsubscribes. */
  subscribe(listener: RunListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  close(): void {
    this.#isClosed = true
    this.#unsubscribe()
    for (const timer of this.#retries.values()) clearTimeout(timer)
  }

  /** Reads a row. Concurrent callers share the read. Reads again if the row has changed in the meantime. */
  #read(id: string): Promise<TestRunRow | undefined> {
    const known = this.#inFlight.get(id)
    if (known !== undefined) return known
    const isCurrent = () => this.#inFlight.get(id) === reading
    const reading: Promise<TestRunRow | undefined> = findTestRun(this.#world.db.reader, id)
      .then((row) => (isCurrent() ? this.#store(id, row) : this.#read(id)))
      .finally(() => {
        if (isCurrent()) this.#inFlight.delete(id)
      })
    this.#inFlight.set(id, reading)
    return reading
  }

  #store(id: string, run: TestRunRow | undefined): TestRunRow | undefined {
    if (run === undefined) {
      this.#rows.delete(id)
      this.#unknown.set(id, true)
    } else {
      this.#rows.set(id, { run, isStale: false }, ROW_BYTES + JSON.stringify(run.overrides).length)
    }
    return run
  }

  #dropIfExpired(run: TestRunRow | undefined): TestRunRow | undefined {
    return run === undefined || run.expires_at <= this.#world.clock() ? undefined : run
  }

  async #onEvents(events: readonly StoredEvent[]): Promise<void> {
    if (events.some(({ type }) => ENDING.some((beginning) => type.startsWith(beginning)))) this.#markAll()
    const changed = new Map<string, string>()
    for (const { type, data, preData, environment } of events) {
      const id = getRunId(data ?? preData)
      if (id === undefined || !type.startsWith('test-run-')) continue
      this.#inFlight.delete(id)
      if (type === 'test-run-deleted') {
        this.#rows.delete(id)
        changed.delete(id)
      } else if (type === 'test-run-updated') changed.set(id, formatRunEnvironment(environment ?? '', id))
    }
    await Promise.all([...changed].map(([id, environment]) => this.#refresh(id, environment)))
  }

  /** Reads a changed run again if its row is cached, and notifies the listeners. */
  async #refresh(id: string, environment: string): Promise<void> {
    const cached = this.#rows.peek(id)
    if (cached !== undefined) {
      cached.isStale = true
      await this.#read(id).catch(() => this.#refreshLater(id, environment))
    }
    await Promise.all([...this.#listeners].map((listener) => listener(environment)))
  }

  /** Reads a changed run again after a failed read. Streams wait for the row, and do not read it themselves. */
  #refreshLater(id: string, environment: string): void {
    if (this.#isClosed) return
    const refresh = () => {
      this.#retries.delete(id)
      void this.#refresh(id, environment)
    }
    clearTimeout(this.#retries.get(id))
    this.#retries.set(id, startTimer(RETRY_MS, refresh).unref())
  }

  #markAll(): void {
    this.#inFlight.clear()
    for (const cached of this.#rows.values()) cached.isStale = true
  }

  /** Forgets everything, because the database was restored. */
  #forgetAll(): void {
    this.#inFlight.clear()
    this.#rows.clear()
    this.#unknown.clear()
  }
}

function getRunId(state: unknown): string | undefined {
  return typeof state === 'object' && state !== null && 'id' in state && typeof state.id === 'string'
    ? state.id
    : undefined
}
