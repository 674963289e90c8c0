import type { ClientBase } from 'pg'
import type { SessionReport } from './server-identity.ts'
import { classifySqlState } from './sqlstates.ts'

/** What a session is for: changes need a server that takes them, everything else only the primary. */
export type Purpose = 'changes' | 'counters' | 'reading' | 'listening' | 'looking'

/** A connection to PostgreSQL that was set up and admitted. */
export interface Session {
  readonly purpose: Purpose
  readonly report: SessionReport
  /** When the server answered last, in milliseconds of the monotonic clock. */
  readonly answeredAt: number
  /** How long a statement has been without an answer at most, in milliseconds; 0 if none is. */
  readonly waitingMs: number
  /** Number of commits that ended before the standby had confirmed them, although they wait for it. */
  readonly unconfirmed: number
  /** Ends it at once, with all that it was asked; statements reject with the error. */
  abandon(error?: Error): void
  /** Ends it as soon as nobody uses it. */
  retire(reason: string): void
}

/** Parts of the driver's client that its types do not have. */
export interface RawClient extends ClientBase {
  readonly connection: {
    readonly stream: { destroy(error?: Error): void; cork(): void; uncork(): void }
    on(event: 'parameterStatus', listener: (status: { parameterName: string; parameterValue: string }) => void): void
    on(event: 'errorMessage', listener: (error: { readonly code?: string }) => void): void
    on(event: 'readyForQuery', listener: () => void): void
  }
  readonly processID?: number | null
  /** The oldest statement that was not answered yet. */
  _getActiveQuery(): unknown
  end(): Promise<void>
}

/** Where PostgreSQL warns that a commit was cut short: it succeeds, and no standby may have it. Not translated. */
const UNCONFIRMED_ROUTINE = 'SyncRepWaitForLSN'

/** A session over a client of the driver; drops itself when the server reports that it is no primary to write to. */
export class ClientSession implements Session {
  readonly purpose: Purpose
  readonly report: SessionReport
  readonly #client: RawClient
  #answeredAt = performance.now()
  #acquiredAt = performance.now()
  #unconfirmed = 0
  #isIdle = false
  #isRetired = false

  /** @param lost called when the server says that it takes no changes any more */
  constructor(client: RawClient, purpose: Purpose, report: SessionReport, lost: (reason: string) => void) {
    this.purpose = purpose
    this.report = report
    this.#client = client
    const writes = purpose === 'changes' || purpose === 'counters'
    client.connection.on('readyForQuery', () => {
      this.#answeredAt = performance.now()
    })
    client.connection.on('errorMessage', ({ code }) => {
      if (classifySqlState(code) !== 'read-only' || !writes) return
      this.retire('The server became read-only')
      lost('The server became read-only')
    })
    client.on('notice', ({ routine }) => {
      if (routine === UNCONFIRMED_ROUTINE) this.#unconfirmed += 1
    })
    client.connection.on('parameterStatus', ({ parameterName: name, parameterValue: value }) => {
      if (value !== 'on') return
      if (name === 'in_hot_standby') this.abandon()
      if (name === 'default_transaction_read_only' && writes) {
        this.retire('The server reports that transactions are read-only')
        lost('The server reports that transactions are read-only')
      }
    })
  }

  get answeredAt(): number {
    return this.#answeredAt
  }

  get unconfirmed(): number {
    return this.#unconfirmed
  }

  get waitingMs(): number {
    if (this.#isIdle || !this.#client._getActiveQuery()) return 0
    return performance.now() - Math.max(this.#answeredAt, this.#acquiredAt)
  }

  abandon(error?: Error): void {
    this.#client.connection.stream.destroy(error)
  }

  retire(reason: string): void {
    this.#isRetired = true
    // a pool removes a client that fails while nobody uses it
    if (this.#isIdle) this.#client.emit('error', new Error(reason))
  }

  /** Asks for a sign of life, which is sent with what is asked next; ends the connection where none comes. */
  acquired(afterMs: number, limitMs: number, silent: (sinceMs: number) => void): void {
    this.#isIdle = false
    const askedAt = performance.now()
    this.#acquiredAt = askedAt
    if (askedAt - this.#answeredAt < afterMs) return
    const asked = this.#client.query({ text: 'select 1', query_timeout: limitMs } as { text: string })
    asked.catch(() => {
      if (performance.now() - askedAt >= limitMs) silent(askedAt)
    })
  }

  released(): void {
    this.#isIdle = true
    // a pool does not take back a client that is ending
    if (this.#isRetired) void this.#client.end().catch(() => {})
  }
}
