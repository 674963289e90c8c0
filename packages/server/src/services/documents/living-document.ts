import type { Debug, Logger } from '@burgee/kit/log/logger'
import { retrying } from '@burgee/kit/retrying'
import { runInSlices } from '@burgee/kit/slices'
import { within } from '@burgee/kit/within'
import type { Touched } from '@burgee/serving/document/delta'
import { type DocumentState, EnvironmentDocument } from '@burgee/serving/document/environment-document'
import { TouchLog } from '@burgee/serving/document/touch-log'
import { type Database, generationOf } from '../../store/database.ts'
import { readEnvironment } from '../../store/document-flags.ts'
import type { Revision } from '../../store/epochs.ts'
import { DatabaseUnavailable } from '../../store/errors.ts'
import type { StoredEvent } from '../../store/events/events.ts'
import type { KeptDocument } from '../../store/kept/kept-state.ts'
import { touchOf } from './event-touches.ts'
import type { FlagReads } from './flag-reads.ts'
import { FollowingReads } from './following-reads.ts'
import { ALL_PENDING, joined, type PendingReads, readsAfter } from './pending-reads.ts'

/** What a living document needs. */
export interface LivingDocumentDeps {
  readonly db: Pick<Database, 'view' | 'generation'>
  readonly reads: FlagReads
  readonly clock: () => number
  readonly logger: Logger
  readonly debug?: Debug | undefined
  /**
   * Called after each change of the document but the first read; who waits for the change waits for it. Never rejects.
   */
  readonly changed: (state: DocumentState) => Promise<void>
  /** The last event before which every one was heard; undefined where nothing is known of it. */
  readonly heardUpTo: () => number | undefined
  /** What it is until it can be read, of a start without the database. */
  readonly kept?: { readonly document: KeptDocument; readonly asOfMs: number } | undefined
}

/** How a document stands to the database. Times are in milliseconds since 1970. */
export interface DocumentStanding {
  /** Undefined before the first read. */
  readonly revision: Revision | undefined
  /** Since when something is known that is not read yet; undefined where the document is current. */
  readonly behindSinceMs: number | undefined
  /** When what it holds was kept; undefined once it was read by this process. */
  readonly keptAsOfMs: number | undefined
}

/** More flags than these are read with their whole environment: that is fewer parameters, and no slower. */
const MOST_FLAGS = 200
const LONGEST_WAIT_MS = 1000
const MAX_READS = 3

/**
 * The flags of one environment in memory, which follow the events: each one has its flag read anew. Where the database
 * cannot be read the document stays as it was, only older, and the read is tried again until it succeeds.
 */
export class LivingDocument {
  readonly #environment: string
  readonly #deps: LivingDocumentDeps
  readonly #document = new EnvironmentDocument({ isLazy: true })
  readonly #reads: FollowingReads
  readonly #touches = new TouchLog()
  /** Of the database that all of it was read from. */
  #generation = -1
  #keptAsOfMs: number | undefined

  constructor(environment: string, deps: LivingDocumentDeps) {
    this.#environment = environment
    this.#deps = deps
    const { clock, logger, kept } = deps
    if (kept !== undefined) {
      const { flags, segments, revision } = kept.document
      this.#document.replace(flags, segments, revision)
      this.#keptAsOfMs = kept.asOfMs
      this.#touches.begin(revision.id)
    }
    this.#reads = new FollowingReads(
      {
        what: `The flags of the environment "${environment}"`,
        ...{ clock, logger, mostFlags: MOST_FLAGS },
        isInUse: () => this.state !== undefined,
        read: (reads) => this.#read(reads),
      },
      ALL_PENDING,
    )
  }

  /** What the document is; undefined before the first read. */
  get state(): DocumentState | undefined {
    return this.#document.state
  }

  /** How the document stands to the database. */
  get standing(): DocumentStanding {
    const keptAsOfMs = this.#keptAsOfMs
    return { revision: this.state?.revision, behindSinceMs: keptAsOfMs ?? this.#reads.behindSinceMs, keptAsOfMs }
  }

  /** What the document is; waits for the first read, and rejects where that fails. */
  async first(): Promise<DocumentState> {
    if (this.state === undefined) await this.#reads.run()
    if (this.state === undefined) throw new Error(`The flags of the environment "${this.#environment}" were not read`)
    return this.state
  }

  /** Has read what these events ask for as far as they reach the environment, once it resolves. Never rejects. */
  async hear(events: readonly StoredEvent[]): Promise<void> {
    const reaching = events.filter(({ reach }) => reach === '' || reach === this.#environment)
    this.#touches.add(reaching.map(touchOf))
    if (reaching.length > 0) await this.#reads.ask(joined(reaching.map(readsAfter)))
  }

  /** Up to which event nothing is missing; undefined before the first read. */
  get completeUpTo(): Revision | undefined {
    if (this.state === undefined) return undefined
    const { epoch, id } = this.state.revision
    return { epoch, id: Math.min(this.#touches.completeUpTo(id), this.#deps.heardUpTo() ?? id) }
  }

  /** Has read what was heard of, as far as that can be read now, once it resolves; a second at the longest. Never rejects. */
  async settled(): Promise<void> {
    if (!this.#reads.isCurrent) await within(LONGEST_WAIT_MS, this.#reads.run()).catch(() => {})
  }

  /** What was touched after an event; undefined where that is not known any more. */
  touchedAfter({ epoch, id }: Revision): Touched | undefined {
    return this.state?.revision.epoch === epoch ? this.#touches.after(id) : undefined
  }

  /** Reads everything anew: the database was set back. Never rejects. */
  renew(): Promise<void> {
    this.#touches.reset()
    return this.#reads.ask(ALL_PENDING)
  }

  /** Reads nothing any more. */
  close(): Promise<void> {
    return this.#reads.close()
  }

  async #read(pending: PendingReads): Promise<void> {
    const { db, debug } = this.#deps
    const { state } = this
    const generation = generationOf(db)
    const isWhole = pending.flags === 'all' || state === undefined || generation !== this.#generation
    const hasRead = this.#touches.beginRead()
    if (isWhole) await retrying(() => this.#readWhole(), { isWorthIt: isTakeOver })
    else await this.#readParts(pending, state, generation)
    hasRead()
    if (this.state === undefined) return
    const what = isWhole ? 'everything' : `${[...pending.flags].length} flags`
    debug?.(`The environment "${this.#environment}" is at revision ${this.state.revision.id}, ${what} read`)
    // nobody has seen what was before
    if (state !== undefined) await this.#deps.changed(this.state)
  }

  async #readWhole(): Promise<void> {
    const generation = generationOf(this.#deps.db)
    const read = await this.#deps.db.view((reader) => readEnvironment(reader, this.#environment))
    this.#requireSame(generation)
    await runInSlices(this.#document.replacing(read.flags, read.segments, read.revision))
    this.#generation = generation
    this.#keptAsOfMs = undefined
    this.#touches.begin(read.revision.id)
  }

  async #readParts(pending: PendingReads, state: DocumentState, generation: number): Promise<void> {
    const names = pending.flags as ReadonlySet<string>
    const read = await this.#deps.reads.read({ environment: this.#environment, names, segments: pending.segments })
    this.#requireSame(generation)
    const found = new Map(read.flags.map((flag) => [flag.feature.name, flag]))
    const changed = new Map([...names].map((name) => [name, found.get(name)]))
    const id = Math.max(state.revision.id, pending.revisionId)
    this.#document.apply(changed, read.segments, { ...state.revision, id })
  }

  /** Nothing is put together from two servers. */
  #requireSame(generation: number): void {
    if (generationOf(this.#deps.db) === generation) return
    throw new TakenOver()
  }
}

/** What was read may be of two servers. */
class TakenOver extends DatabaseUnavailable {
  constructor() {
    super('Another database server has taken over while flags were read')
  }
}

/** True if reading everything once more gives the flags of the server that has taken over. */
function isTakeOver(error: unknown, tries: number): boolean {
  return error instanceof TakenOver && tries < MAX_READS
}
