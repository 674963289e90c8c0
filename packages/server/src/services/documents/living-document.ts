import type { Debug, Logger } from '@burgee/kit/log/logger'
import { type DocumentState, EnvironmentDocument } from '@burgee/serving/document/environment-document'
import type { Database } from '../../store/database.ts'
import { readEnvironment } from '../../store/document-flags.ts'
import type { Revision } from '../../store/epochs.ts'
import type { StoredEvent } from '../../store/events/events.ts'
import type { FlagReads } from './flag-reads.ts'
import { ALL_PENDING, isPending, joined, NOTHING_PENDING, type PendingReads, readsAfter } from './pending-reads.ts'

/** What a living document needs. */
export interface LivingDocumentDeps {
  readonly db: Pick<Database, 'view'>
  readonly reads: FlagReads
  readonly clock: () => number
  readonly logger: Logger
  readonly debug?: Debug | undefined
  /**
   * Called after each change of the document but the first read; who waits for the change waits for it. Never rejects.
   */
  readonly changed: (state: DocumentState) => Promise<void>
}

/** How a document stands to the database. Times are in milliseconds since 1970. */
export interface DocumentStanding {
  /** Undefined before the first read. */
  readonly revision: Revision | undefined
  /** Since when something is known that is not read yet; undefined where the document is current. */
  readonly behindSinceMs: number | undefined
}

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 5000

/**
 * The flags of one environment in memory, which follow the events: each one has its flag read anew. Where the database
 * cannot be read the document stays as it was, only older, and the read is tried again until it succeeds.
 */
export class LivingDocument {
  readonly #environment: string
  readonly #deps: LivingDocumentDeps
  readonly #document = new EnvironmentDocument()
  #pending: PendingReads = ALL_PENDING
  #reading: Promise<void> | undefined
  #behindSinceMs: number | undefined
  #retry: NodeJS.Timeout | undefined
  #retryMs = FIRST_RETRY_MS
  #isClosed = false

  constructor(environment: string, deps: LivingDocumentDeps) {
    this.#environment = environment
    this.#deps = deps
  }

  /** What the document is; undefined before the first read. */
  get state(): DocumentState | undefined {
    return this.#document.state
  }

  /** How the document stands to the database. */
  get standing(): DocumentStanding {
    return { revision: this.state?.revision, behindSinceMs: this.#behindSinceMs }
  }

  /** What the document is; waits for the first read, and rejects where that fails. */
  async first(): Promise<DocumentState> {
    if (this.state === undefined) await this.#run()
    if (this.state === undefined) throw new Error(`The flags of the environment "${this.#environment}" were not read`)
    return this.state
  }

  /** Has read what these events ask for as far as they reach the environment, once it resolves. Never rejects. */
  async hear(events: readonly StoredEvent[]): Promise<void> {
    const reaching = events.filter(({ reach }) => reach === '' || reach === this.#environment)
    if (reaching.length > 0) await this.#ask(reaching.map(readsAfter).reduce(joined))
  }

  /** Reads everything anew: the database was set back. Never rejects. */
  renew(): Promise<void> {
    return this.#ask(ALL_PENDING)
  }

  /** Reads nothing any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    await this.#reading?.catch(() => {})
  }

  async #ask(reads: PendingReads): Promise<void> {
    this.#pending = joined(this.#pending, reads)
    this.#behindSinceMs ??= this.#deps.clock()
    // nobody has asked for the environment yet
    if (this.state === undefined && this.#reading === undefined) return
    await this.#run().catch(() => {})
  }

  /** One read at a time; what is asked for during one is read after it. Rejects where it cannot be read. */
  #run(): Promise<void> {
    this.#reading ??= this.#readPending().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readPending(): Promise<void> {
    clearTimeout(this.#retry)
    while (isPending(this.#pending) && !this.#isClosed) {
      const reads = this.#pending
      this.#pending = NOTHING_PENDING
      try {
        await this.#read(reads)
      } catch (error) {
        this.#pending = joined(reads, this.#pending)
        this.#failed(error)
        throw error
      }
    }
    if (this.#retryMs > FIRST_RETRY_MS) {
      this.#deps.logger.info(`The flags of the environment "${this.#environment}" are up to date again`)
    }
    this.#retryMs = FIRST_RETRY_MS
    this.#behindSinceMs = undefined
  }

  async #read({ flags, segments, revisionId }: PendingReads): Promise<void> {
    const { db, reads, debug } = this.#deps
    const { state } = this
    if (flags === 'all' || state === undefined) {
      const read = await db.view((reader) => readEnvironment(reader, this.#environment))
      this.#document.replace(read.flags, read.segments, read.revision)
    } else {
      const read = await reads.read({ environment: this.#environment, names: flags, segments })
      const found = new Map(read.flags.map((flag) => [flag.feature.name, flag]))
      const changed = new Map([...flags].map((name) => [name, found.get(name)]))
      const id = Math.max(state.revision.id, revisionId)
      this.#document.apply(changed, read.segments, { ...state.revision, id })
    }
    if (this.state === undefined) return
    const what = flags === 'all' || state === undefined ? 'everything' : `${flags.size} flags`
    debug?.(`The environment "${this.#environment}" is at revision ${this.state.revision.id}, ${what} read`)
    // nobody has seen what was before
    if (state !== undefined) await this.#deps.changed(this.state)
  }

  /** Said when it begins, not each time. */
  #failed(error: unknown): void {
    if (this.#retryMs === FIRST_RETRY_MS) {
      const what = `The flags of the environment "${this.#environment}" cannot be read`
      this.#deps.logger.warn(this.state === undefined ? what : `${what}; those known before stay in use`, error)
    }
    // before the first read, whoever asks tries again
    if (this.state !== undefined && !this.#isClosed) {
      this.#retry = setTimeout(() => void this.#run().catch(() => {}), this.#retryMs).unref()
    }
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS)
  }
}
