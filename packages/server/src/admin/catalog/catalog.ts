import { runInSlices } from '@burgee/kit/slices'
import { TimeoutError, withTimeout } from '@burgee/kit/with-timeout'
import { chunks } from '@burgee/storage/chunks'
import type { Reader } from '@burgee/storage/database'
import { readSegments } from '@burgee/storage/document-flags'
import { DatabaseUnreachable } from '@burgee/storage/errors'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { type FlagRecord, listFlagNames, readFlagRecords } from '@burgee/storage/queries/flags/flag-records'
import { readCountsSince, readFlagActivity } from '@burgee/storage/queries/usage/flag-activity'
import type { World } from '../../core/world.ts'
import { ALL_PENDING, FollowingReads, mergeReads, type PendingReads } from '../../delivery/documents/following-reads.ts'
import { CatalogFlag } from './catalog-flag.ts'
import { getCatalogReads } from './catalog-reads.ts'
import type { ChangeCounterCache } from './change-counter-cache.ts'
import { FlagTable } from './flag-table.ts'

/** All flags in memory, in the form that the admin API needs. */
export interface Catalog {
  /**
   * Returns the flags, including all changes that this node has been notified of. Waits for pending queries. Queries
   * the database at most twice a second, so that the admin API does not serve data from memory while the database is
   * unavailable. Rejects on database errors.
   */
  flags(): Promise<CatalogSnapshot>
  /**
   * Ensures that the last-seen times of the given flags are current. If `sinceMs` is given, also ensures that the
   * counts of the flags since that time are current.
   */
  refreshUsage(flags: readonly CatalogFlag[], sinceMs?: number): Promise<void>
  /** Returns an identifier of the state of flags and usage that this node currently knows. */
  state(): string
  /** Stops reading. */
  close(): Promise<void>
}

/** All flags, and the identifier of their state and usage. */
export interface CatalogSnapshot {
  readonly table: FlagTable
  readonly state: string
  /** Version of the flags, which does not depend on usage. */
  readonly version: number
}

/** Number of flags per slice of a full read. */
const FLAGS_PER_SLICE = 100
/** Maximum number of changed flags to read one by one. If more flags have changed, all flags are read. */
const MAX_FLAGS = 2000
/** Maximum time to wait for pending reads. The wait for the first full read has no limit. */
const MAX_WAIT_MS = 5000

/** Services that a catalog depends on. */
export type CatalogWorld = Pick<World, 'db' | 'clock' | 'logger' | 'debug' | 'broadcast'> & {
  readonly changeCounters: ChangeCounterCache
}

/**
 * Catalog that is read on first use. After the first read, each request begins by rereading the flags that events have
 * named since the previous request.
 */
export class FollowingCatalog implements Catalog {
  readonly #world: CatalogWorld
  readonly #reads: FollowingReads
  readonly #unsubscribe: () => void
  readonly #texts = new Map<string, string>()
  #table: FlagTable | undefined
  /** Number of changes to the flag table. */
  #version = 0
  #usageMark = 0
  #overdueMark = 0

  constructor(world: CatalogWorld) {
    this.#world = world
    const { clock, logger } = world
    const of = { what: 'The flags of the administration', clock, logger, mostFlags: MAX_FLAGS }
    // callers wait for pending queries, so they never use outdated data
    const isInUse = () => false
    this.#reads = new FollowingReads({ ...of, isInUse, read: (reads) => this.#read(reads) }, ALL_PENDING)
    this.#unsubscribe = world.broadcast.subscribe(
      (events) => this.#onEvents(events),
      () => {
        world.changeCounters.invalidate()
        this.#reads.record(ALL_PENDING)
      },
    )
  }

  async flags(): Promise<CatalogSnapshot> {
    const now = await this.#world.changeCounters.current()
    if (this.#table === undefined) await this.#reads.run()
    if (now.overdue !== this.#overdueMark) {
      this.#overdueMark = now.overdue
      this.#reads.record(ALL_PENDING)
    }
    this.#usageMark = Math.max(this.#usageMark, now.usage)
    // changes that arrive during a query are read by the next query
    while (!this.#reads.isCurrent) await withTimeout(MAX_WAIT_MS, this.#reads.run()).catch(throwUnavailable)
    if (this.#table === undefined) throw new Error('The flags of the administration were not read')
    return { table: this.#table, state: this.state(), version: this.#version }
  }

  async refreshUsage(flags: readonly CatalogFlag[], sinceMs?: number): Promise<void> {
    const { db } = this.#world
    const mark = this.#usageMark
    const unseen = flags.filter((flag) => !flag.isLastSeenCurrent(mark))
    if (unseen.length > 0) {
      const seen = await readFlagActivity(db.reader, getNames(unseen))
      for (const flag of unseen) flag.updateLastSeen(seen.get(flag.name), mark)
    }
    if (sinceMs === undefined) return
    const uncounted = flags.filter((flag) => !flag.isCountCurrent(mark, sinceMs))
    if (uncounted.length === 0) return
    const counts = await readCountsSince(db.reader, getNames(uncounted), sinceMs)
    for (const flag of uncounted) flag.updateCounts(counts.get(flag.name), mark, sinceMs)
  }

  state(): string {
    return `${this.#version} ${this.#usageMark}`
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    await this.#reads.close()
  }

  /**
   * Records which flags must be reread. The flags are reread for the next admin API request, so that changes do not
   * have to wait.
   */
  #onEvents(events: readonly StoredEvent[]): void {
    this.#reads.record(mergeReads(events.map(getCatalogReads)))
  }

  async #read({ flags, segments }: PendingReads): Promise<void> {
    const { db, debug, changeCounters } = this.#world
    const { usage, overdue } = await changeCounters.current()
    if (flags === 'all' || this.#table === undefined) {
      const read = await this.#readAll(usage)
      this.#table = read
      this.#overdueMark = overdue
      debug?.(`Loaded the flags for the admin API: ${read.size}`)
    } else {
      const table = this.#table
      const changed = new Map<string, CatalogFlag | undefined>()
      for (const part of chunks([...flags], FLAGS_PER_SLICE)) {
        for (const [name, record] of await db.view((reader) => readWithOrphans(reader, part, table))) {
          changed.set(name, record === undefined ? undefined : this.#toFlag(record, usage))
        }
      }
      table.apply(changed, segments ? await readSegments(db.reader) : undefined)
    }
    this.#version += 1
  }

  /**
   * Reads all flags in slices, each from its own consistent snapshot. Changes during the read arrive as events; the
   * flags that these events name are read afterwards.
   */
  async #readAll(usage: number): Promise<FlagTable> {
    const { db } = this.#world
    this.#texts.clear()
    const names = await listFlagNames(db.reader)
    const found: CatalogFlag[] = []
    for (const part of chunks(names, FLAGS_PER_SLICE)) {
      const records = await db.view((reader) => readFlagRecords(reader, part))
      await runInSlices(this.#build(records, usage, found))
    }
    return new FlagTable(found, await readSegments(db.reader))
  }

  *#build(records: readonly FlagRecord[], usage: number, found: CatalogFlag[]): Generator<void, void> {
    for (const record of records) {
      found.push(this.#toFlag(record, usage))
      yield
    }
  }

  /** Interns the names of environments, projects and types, because the same few names occur in all flags. */
  #toFlag({ row, environments, ...record }: FlagRecord, usage: number): CatalogFlag {
    const once = (text: string): string => {
      const known = this.#texts.get(text)
      if (known !== undefined) return known
      this.#texts.set(text, text)
      return text
    }
    const [project, type] = [once(row.project), once(row.type)]
    const own = environments.map((one) => ({ ...one, environment: once(one.environment), type: once(one.type) }))
    return new CatalogFlag({ ...record, row: { ...row, project, type }, environments: own }, usage)
  }
}

/** Reads flags by name. If a flag was removed, also reads the flags that depended on the removed flag. */
async function readWithOrphans(
  reader: Reader,
  names: readonly string[],
  table: FlagTable,
): Promise<Map<string, FlagRecord | undefined>> {
  const found = new Map<string, FlagRecord | undefined>(names.map((name) => [name, undefined]))
  for (const record of await readFlagRecords(reader, names)) found.set(record.row.name, record)
  const gone = names.filter((name) => found.get(name) === undefined)
  const orphans = gone.flatMap((name) => table.listChildren(name)).filter((name) => !found.has(name))
  for (const record of await readFlagRecords(reader, orphans)) found.set(record.row.name, record)
  return found
}

function getNames(flags: readonly CatalogFlag[]): string[] {
  return flags.map(({ name }) => name)
}

function throwUnavailable(error: unknown): never {
  throw error instanceof TimeoutError ? new DatabaseUnreachable() : error
}
