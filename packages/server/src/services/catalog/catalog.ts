import { runInSlices } from '@burgee/kit/slices'
import { TookTooLong, within } from '@burgee/kit/within'
import { chunks } from '../../store/chunks.ts'
import type { Reader } from '../../store/database.ts'
import { readSegments } from '../../store/document-flags.ts'
import { DatabaseAway } from '../../store/errors.ts'
import type { StoredEvent } from '../../store/events/events.ts'
import { allFlagNames, type FlagRecord, readFlagRecords } from '../../store/features/flag-records.ts'
import { countsSince, seenFlags } from '../../store/usage/seen-flags.ts'
import { FollowingReads } from '../documents/following-reads.ts'
import { ALL_PENDING, joined, type PendingReads } from '../documents/pending-reads.ts'
import type { World } from '../world.ts'
import { CatalogFlag } from './catalog-flag.ts'
import { catalogReadsAfter } from './catalog-reads.ts'
import { FlagTable } from './flag-table.ts'
import type { Marks } from './marks.ts'

/** All flags as administration shows them, in memory. */
export interface Catalog {
  /**
   * The flags, with everything that this node has heard of; waits for what is being read. Rejects with what the
   * database throws: it is asked twice a second, so that administration does not go on from memory where it is away.
   */
  flags(): Promise<CatalogMoment>
  /** Makes sure that it is known when these flags were last asked for, and with `sinceMs` how often since then. */
  see(flags: readonly CatalogFlag[], sinceMs?: number): Promise<void>
  /** Names the state that flags and usage are in now, as far as this node knows. */
  state(): string
  /** Reads nothing any more. */
  close(): Promise<void>
}

/** All flags, and the name of the state that they and their usage were in. */
export interface CatalogMoment {
  readonly table: FlagTable
  readonly state: string
  /** Counts the states that the flags were in, whatever their usage. */
  readonly version: number
}

/** Flags of one slice of the first read. */
const FLAGS_AT_ONCE = 100
/** More that have changed since somebody looked are read with all. */
const MOST_FLAGS = 2000
/** Who asks waits no longer for what is being read; the first read of all takes as long as it takes. */
const LONGEST_WAIT_MS = 5000

/** What a catalog needs. */
export type CatalogWorld = Pick<World, 'db' | 'clock' | 'logger' | 'debug' | 'broadcast'> & {
  readonly marks: Marks
}

/**
 * A catalog that is read when somebody asks for the first time, and from then on, whenever somebody asks, flag by flag
 * what events have named since.
 */
export class FollowingCatalog implements Catalog {
  readonly #world: CatalogWorld
  readonly #reads: FollowingReads
  readonly #unsubscribe: () => void
  readonly #texts = new Map<string, string>()
  #table: FlagTable | undefined
  /** Counts the changes of the table. */
  #version = 0
  #usageMark = 0
  #overdueMark = 0

  constructor(world: CatalogWorld) {
    this.#world = world
    const { clock, logger } = world
    const of = { what: 'The flags of the administration', clock, logger, mostFlags: MOST_FLAGS }
    // whoever asks waits until everything is read
    const isInUse = () => false
    this.#reads = new FollowingReads({ ...of, isInUse, read: (reads) => this.#read(reads) }, ALL_PENDING)
    this.#unsubscribe = world.broadcast.subscribe(
      (events) => this.#hear(events),
      () => {
        world.marks.moved()
        this.#reads.note(ALL_PENDING)
      },
    )
  }

  async flags(): Promise<CatalogMoment> {
    const now = await this.#world.marks.current()
    if (this.#table === undefined) await this.#reads.run()
    if (now.overdue !== this.#overdueMark) {
      this.#overdueMark = now.overdue
      this.#reads.note(ALL_PENDING)
    }
    this.#usageMark = Math.max(this.#usageMark, now.usage)
    // what is heard of during a read is read after it
    while (!this.#reads.isCurrent) await within(LONGEST_WAIT_MS, this.#reads.run()).catch(awayWhereLate)
    if (this.#table === undefined) throw new Error('The flags of the administration were not read')
    return { table: this.#table, state: this.state(), version: this.#version }
  }

  async see(flags: readonly CatalogFlag[], sinceMs?: number): Promise<void> {
    const { db } = this.#world
    const mark = this.#usageMark
    const unseen = flags.filter((flag) => !flag.isSeenAt(mark))
    if (unseen.length > 0) {
      const seen = await seenFlags(db.reader, namesOf(unseen))
      for (const flag of unseen) flag.see(seen.get(flag.name), mark)
    }
    if (sinceMs === undefined) return
    const uncounted = flags.filter((flag) => !flag.isCountedAt(mark, sinceMs))
    if (uncounted.length === 0) return
    const counts = await countsSince(db.reader, namesOf(uncounted), sinceMs)
    for (const flag of uncounted) flag.count(counts.get(flag.name), mark, sinceMs)
  }

  state(): string {
    return `${this.#version} ${this.#usageMark}`
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    await this.#reads.close()
  }

  /** Read when somebody looks: a change waits for no page. */
  #hear(events: readonly StoredEvent[]): void {
    this.#reads.note(joined(events.map(catalogReadsAfter)))
  }

  async #read({ flags, segments }: PendingReads): Promise<void> {
    const { db, debug, marks } = this.#world
    const { usage, overdue } = await marks.current()
    if (flags === 'all' || this.#table === undefined) {
      const read = await this.#readAll(usage)
      this.#table = read
      this.#overdueMark = overdue
      debug?.(`The flags of the administration are read: ${read.size}`)
    } else {
      const table = this.#table
      const changed = new Map<string, CatalogFlag | undefined>()
      for (const part of chunks([...flags], FLAGS_AT_ONCE)) {
        for (const [name, record] of await db.view((reader) => readWithOrphans(reader, part, table))) {
          changed.set(name, record === undefined ? undefined : this.#flagOf(record, usage))
        }
      }
      table.apply(changed, segments ? await readSegments(db.reader) : undefined)
    }
    this.#version += 1
  }

  /** In slices, each on a state of its own: what changes meanwhile is heard of, and read after it. */
  async #readAll(usage: number): Promise<FlagTable> {
    const { db } = this.#world
    this.#texts.clear()
    const names = await allFlagNames(db.reader)
    const found: CatalogFlag[] = []
    for (const part of chunks(names, FLAGS_AT_ONCE)) {
      const records = await db.view((reader) => readFlagRecords(reader, part))
      await runInSlices(this.#make(records, usage, found))
    }
    return new FlagTable(found, await readSegments(db.reader))
  }

  *#make(records: readonly FlagRecord[], usage: number, found: CatalogFlag[]): Generator<void, void> {
    for (const record of records) {
      found.push(this.#flagOf(record, usage))
      yield
    }
  }

  /** Names of environments, projects and types are the same few texts: each is kept once. */
  #flagOf({ row, environments, ...record }: FlagRecord, usage: number): CatalogFlag {
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

/** Flags by name, and where one is gone those that depended on it. */
async function readWithOrphans(
  reader: Reader,
  names: readonly string[],
  table: FlagTable,
): Promise<Map<string, FlagRecord | undefined>> {
  const found = new Map<string, FlagRecord | undefined>(names.map((name) => [name, undefined]))
  for (const record of await readFlagRecords(reader, names)) found.set(record.row.name, record)
  const gone = names.filter((name) => found.get(name) === undefined)
  const orphans = gone.flatMap((name) => table.childrenOf(name)).filter((name) => !found.has(name))
  for (const record of await readFlagRecords(reader, orphans)) found.set(record.row.name, record)
  return found
}

function namesOf(flags: readonly CatalogFlag[]): string[] {
  return flags.map(({ name }) => name)
}

function awayWhereLate(error: unknown): never {
  throw error instanceof TookTooLong ? new DatabaseAway() : error
}
