import type { DebugLog, Logger } from '@burgee/kit/log/logger'
import { retry } from '@burgee/kit/retry'
import { runInSlices } from '@burgee/kit/slices'
import { TimeoutError, withTimeout } from '@burgee/kit/with-timeout'
import type { TouchedItems } from '@burgee/serving/document/document-delta'
import { type DocumentState, EnvironmentDocument } from '@burgee/serving/document/environment-document'
import { TouchLog } from '@burgee/serving/document/touch-log'
import { type Database, getGeneration } from '@burgee/storage/database'
import type { Revision } from '@burgee/storage/epochs'
import { DatabaseUnavailable } from '@burgee/storage/errors'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import type { UnparsedDocument } from '@burgee/storage/queries/snapshot/snapshot-state'
import type { EnvironmentReads } from './environment-reads.ts'
import type { FlagReads } from './flag-reads.ts'
import { ALL_PENDING, FollowingReads, getReads, getTouch, mergeReads, type PendingReads } from './following-reads.ts'

/** Document from a snapshot, and the time at which it was saved. */
export interface SavedDocument {
  readonly document: UnparsedDocument
  readonly asOfMs: number
}

/** Dependencies of a living document. */
export interface LivingDocumentDeps {
  readonly db: Pick<Database, 'generation'>
  readonly reads: FlagReads
  readonly environmentReads: EnvironmentReads
  readonly clock: () => number
  readonly logger: Logger
  readonly debug?: DebugLog | undefined
  /** Called and awaited after each change to the document, but not after the first read. Never rejects. */
  readonly changed: (state: DocumentState) => Promise<void>
  /** Returns the id up to which every event has been received; undefined if unknown. */
  readonly receivedUpTo: () => number | undefined
  /**
   * Document from the snapshot, if the process started without the database. The saved document is parsed at the first
   * request, and served until the database can be read.
   */
  readonly saved?: SavedDocument | undefined
  /** Last version of an earlier document of the same environment. */
  readonly afterVersion?: number | undefined
}

/** Freshness of a document relative to the database. Times are in milliseconds since 1970. */
export interface DocumentStatus {
  /** Undefined before the first read. */
  readonly revision: Revision | undefined
  /** Time of the oldest change that has not been read; undefined if the document is current. */
  readonly behindSinceMs: number | undefined
  /**
   * Time at which the document in the snapshot was saved; undefined once this process has read the document from the
   * database.
   */
  readonly snapshotAsOfMs: number | undefined
}

/**
 * Maximum number of flags to query by name. For more flags, querying the whole environment needs fewer parameters and
 * is just as fast.
 */
const MAX_FLAGS = 200
const MAX_WAIT_MS = 1000
const MAX_READS = 3
/** Maximum time that a request waits for a document that has not been read yet. */
const MAX_FIRST_WAIT_MS = 10_000

/**
 * In-memory document with the flags of one environment. After each event, the flags that the event changed are read
 * again. While the database is unavailable, the document keeps its state, and the query is retried until it succeeds.
 */
export class LivingDocument {
  readonly #environment: string
  readonly #deps: LivingDocumentDeps
  readonly #document: EnvironmentDocument
  readonly #reads: FollowingReads
  readonly #touches = new TouchLog()
  /** Database generation in which the whole document was last read. */
  #generation = -1
  #snapshotAsOfMs: number | undefined
  /** Document to serve until the database can be read; undefined after that. */
  #saved: SavedDocument | undefined
  /** Promise for parsing the saved document, while that is in progress. Never rejects. */
  #parsing: Promise<void> | undefined

  constructor(environment: string, deps: LivingDocumentDeps) {
    this.#environment = environment
    this.#deps = deps
    const { clock, logger, saved, afterVersion = 0 } = deps
    this.#document = new EnvironmentDocument({ isLazy: true, afterVersion })
    this.#saved = saved
    this.#reads = new FollowingReads(
      {
        what: `The flags of the environment "${environment}"`,
        clock,
        logger,
        maxFlags: MAX_FLAGS,
        isInUse: () => this.state !== undefined,
        read: (reads) => this.#read(reads),
      },
      ALL_PENDING,
    )
  }

  /** Current state; undefined before the first read. */
  get state(): DocumentState | undefined {
    return this.#document.state
  }

  /** Freshness of the document relative to the database. */
  get status(): DocumentStatus {
    const asOfMs = this.#snapshotAsOfMs ?? this.#saved?.asOfMs
    return {
      revision: this.state?.revision ?? this.#saved?.document.revision,
      behindSinceMs: asOfMs ?? this.#reads.behindSinceMs,
      snapshotAsOfMs: asOfMs,
    }
  }

  /** Returns the state, and reads it if necessary. Concurrent callers share one read. Rejects if the read fails. */
  async load(): Promise<DocumentState> {
    if (this.state === undefined && this.#saved !== undefined) await this.#parseOnce(this.#saved)
    if (this.state === undefined) await this.#reads.run()
    if (this.state === undefined) throw new Error(`The flags of the environment "${this.#environment}" were not read`)
    return this.state
  }

  /** Works like `load`, but rejects after ten seconds. The read then continues for later callers. */
  async first(): Promise<DocumentState> {
    try {
      return await withTimeout(MAX_FIRST_WAIT_MS, this.load())
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error
      throw new DatabaseUnavailable(`The flags of the environment "${this.#environment}" are still being read`)
    }
  }

  /**
   * Reads the flags that events have changed in this environment. Resolves once the flags are read or the query has
   * failed. Never rejects.
   */
  async onEvents(events: readonly StoredEvent[]): Promise<void> {
    const reaching = events.filter(({ reach }) => reach === '' || reach === this.#environment)
    this.#touches.add(reaching.map(getTouch))
    if (reaching.length > 0) await this.#reads.request(mergeReads(reaching.map(getReads)))
  }

  /** Id of the last event up to which the document includes every change; undefined before the first read. */
  get completeUpTo(): Revision | undefined {
    if (this.state === undefined) return undefined
    const { epoch, id } = this.state.revision
    return { epoch, id: Math.min(this.#touches.completeUpTo(id), this.#deps.receivedUpTo() ?? id) }
  }

  /** Resolves once pending changes have been read or the query has failed, after at most one second. Never rejects. */
  async settled(): Promise<void> {
    if (!this.#reads.isCurrent) await withTimeout(MAX_WAIT_MS, this.#reads.run()).catch(() => {})
  }

  /**
   * Returns the flags and projects that have changed since an event; undefined if these changes are no longer known.
   */
  touchedAfter({ epoch, id }: Revision): TouchedItems | undefined {
    return this.state?.revision.epoch === epoch ? this.#touches.after(id) : undefined
  }

  /** Reads everything again, because the database was restored or has become readable. Never rejects. */
  renew(): Promise<void> {
    this.#saved = undefined
    this.#touches.reset()
    return this.#reads.request(ALL_PENDING)
  }

  /** Stops reading. */
  close(): Promise<void> {
    return this.#reads.close()
  }

  async #parseOnce(saved: SavedDocument): Promise<void> {
    this.#parsing ??= this.#parse(saved).finally(() => {
      this.#parsing = undefined
    })
    await this.#parsing
  }

  /** Uses the saved document if it can be parsed; if not, only the database is used. */
  async #parse({ document, asOfMs }: SavedDocument): Promise<void> {
    const flags = await runInSlices(document.parseFlags())
    if (flags !== undefined && this.state === undefined) {
      await runInSlices(this.#document.replaceInSteps(flags, document.segments, document.revision))
      this.#snapshotAsOfMs = asOfMs
      this.#touches.begin(document.revision.id)
    }
    const isDatabaseBack = this.#saved === undefined
    this.#saved = undefined
    if (isDatabaseBack) void this.#reads.request(ALL_PENDING)
  }

  async #read(pending: PendingReads): Promise<void> {
    // parsing the snapshot also sets the document, and must not overwrite the result of this read
    await this.#parsing
    const { db, debug } = this.#deps
    const { state } = this
    const generation = getGeneration(db)
    const isWhole = pending.flags === 'all' || state === undefined || generation !== this.#generation
    const hasRead = this.#touches.beginRead()
    if (isWhole) await retry(() => this.#readWhole(), { isRetryable: isDatabaseSwitch })
    else await this.#readParts(pending, state, generation)
    hasRead()
    if (this.state === undefined) return
    const what = isWhole ? 'everything' : `${[...pending.flags].length} flags`
    debug?.(`The environment "${this.#environment}" is at revision ${this.state.revision.id}, ${what} read`)
    // before the first query succeeds, there is nothing to notify about
    if (state !== undefined) await this.#deps.changed(this.state)
  }

  async #readWhole(): Promise<void> {
    const generation = getGeneration(this.#deps.db)
    const read = await this.#deps.environmentReads.read(this.#environment)
    this.#requireSame(generation)
    await runInSlices(this.#document.replaceInSteps(read.flags, read.segments, read.revision))
    this.#generation = generation
    this.#snapshotAsOfMs = undefined
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

  /** Throws DatabaseSwitched if the database server has changed, so that data from two servers is never combined. */
  #requireSame(generation: number): void {
    if (getGeneration(this.#deps.db) === generation) return
    throw new DatabaseSwitched()
  }
}

/** Thrown if data may have been read from two different database servers. */
class DatabaseSwitched extends DatabaseUnavailable {
  constructor() {
    super('Another database server took over while flags were being read')
  }
}

/** Returns true if a failover caused the error and fewer than `MAX_READS` attempts have been made. */
function isDatabaseSwitch(error: unknown, tries: number): boolean {
  return error instanceof DatabaseSwitched && tries < MAX_READS
}
