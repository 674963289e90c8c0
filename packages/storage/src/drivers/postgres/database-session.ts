import type { ClientBase } from 'pg'
import type { SessionReport } from './server-identity.ts'
import { classifySqlState } from './sqlstates.ts'

/**
 * Purpose for which a session is used. A primary that accepts no writes is good enough only for reading and listening.
 */
export type SessionPurpose = 'changes' | 'counters' | 'reading' | 'listening' | 'looking'

/** PostgreSQL connection that is set up and verified to be connected to the primary server. */
export interface Session {
  readonly purpose: SessionPurpose
  readonly report: SessionReport
  /** Time at which the server last answered, in milliseconds of the monotonic clock. */
  readonly answeredAt: number
  /** Milliseconds for which the oldest unanswered statement has been waiting; 0 if there is none. */
  readonly waitingMs: number
  /** Number of commits that succeeded without the confirmation by a standby that they require. */
  readonly unconfirmed: number
  /** Closes the session immediately. Statements that are still unanswered reject with the error. */
  abandon(error?: Error): void
  /** Closes the session once it is idle. */
  retire(reason: string): void
}

/** Members of the driver's client object that the driver's types omit. */
export interface RawClient extends ClientBase {
  readonly connection: {
    readonly stream: { destroy(error?: Error): void; cork(): void; uncork(): void }
    on(event: 'parameterStatus', listener: (status: { parameterName: string; parameterValue: string }) => void): void
    on(event: 'errorMessage', listener: (error: { readonly code?: string }) => void): void
    on(event: 'readyForQuery', listener: () => void): void
  }
  readonly processID?: number | null
  /** Returns the statement that has been unanswered for longest. */
  _getActiveQuery(): unknown
  end(): Promise<void>
}

/** Name of the PostgreSQL routine that warns about a commit without confirmation by a standby. Never translated. */
const UNCONFIRMED_ROUTINE = 'SyncRepWaitForLSN'

/** Session on top of a driver client. Closes itself when the server reports that it has stopped accepting changes. */
export class ClientSession implements Session {
  readonly purpose: SessionPurpose
  readonly report: SessionReport
  readonly #client: RawClient
  #answeredAt = performance.now()
  #acquiredAt = performance.now()
  #unconfirmed = 0
  #isIdle = false
  #isRetired = false

  /** @param lost called when the server reports that it has stopped accepting changes */
  constructor(client: RawClient, purpose: SessionPurpose, report: SessionReport, lost: (reason: string) => void) {
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
    // a pool removes an idle client when the client emits an error
    if (this.#isIdle) this.#client.emit('error', new Error(reason))
  }

  /**
   * If the server has been silent for `afterMs`, sends a liveness check along with the next statement. Calls `silent`
   * if no answer to the check arrives within `limitMs`.
   */
  onAcquired(afterMs: number, limitMs: number, silent: (sinceMs: number) => void): void {
    this.#isIdle = false
    const askedAt = performance.now()
    this.#acquiredAt = askedAt
    if (askedAt - this.#answeredAt < afterMs) return
    const requested = this.#client.query({ text: 'select 1', query_timeout: limitMs } as { text: string })
    requested.catch(() => {
      if (performance.now() - askedAt >= limitMs) silent(askedAt)
    })
  }

  onReleased(): void {
    this.#isIdle = true
    // a pool discards a client that is closing when it is returned
    if (this.#isRetired) void this.#client.end().catch(() => {})
  }
}
