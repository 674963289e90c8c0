import type { ClientBase } from 'pg'
import type { SessionReport } from './server-identity.ts'
import { classifySqlState } from './sqlstates.ts'

/** Purpose of a session. A primary that accepts no writes is sufficient only for reading and listening. */
export type SessionPurpose = 'changes' | 'counters' | 'reading' | 'listening' | 'looking'

/** PostgreSQL connection that has been set up and verified to lead to the primary. */
export interface Session {
  readonly purpose: SessionPurpose
  readonly report: SessionReport
  /** Time of the server's last answer, in milliseconds of the monotonic clock. */
  readonly answeredAt: number
  /** Milliseconds for which the oldest statement has been unanswered; 0 if all statements are answered. */
  readonly waitingMs: number
  /** Number of commits that succeeded without the required confirmation by a standby. */
  readonly unconfirmed: number
  /** Closes the session at once. Statements without an answer reject with the error. */
  abandon(error?: Error): void
  /** Closes the session as soon as it is idle. */
  retire(reason: string): void
}

/** Members of the driver's client that its types omit. */
export interface RawClient extends ClientBase {
  readonly connection: {
    readonly stream: { destroy(error?: Error): void; cork(): void; uncork(): void }
    on(event: 'parameterStatus', listener: (status: { parameterName: string; parameterValue: string }) => void): void
    on(event: 'errorMessage', listener: (error: { readonly code?: string }) => void): void
    on(event: 'readyForQuery', listener: () => void): void
  }
  readonly processID?: number | null
  /** Returns the oldest unanswered statement. */
  _getActiveQuery(): unknown
  end(): Promise<void>
}

/** Routine in which PostgreSQL warns that a commit succeeded without confirmation by a standby. Never translated. */
const UNCONFIRMED_ROUTINE = 'SyncRepWaitForLSN'

/** Session of a driver client. Closes itself when the server reports that it no longer accepts changes. */
export class ClientSession implements Session {
  readonly purpose: SessionPurpose
  readonly report: SessionReport
  readonly #client: RawClient
  #answeredAt = performance.now()
  #acquiredAt = performance.now()
  #unconfirmed = 0
  #isIdle = false
  #isRetired = false

  /** @param lost called when the server reports that it no longer accepts changes */
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
    // a pool removes an idle client that emits an error
    if (this.#isIdle) this.#client.emit('error', new Error(reason))
  }

  /**
   * If the server has been silent for `afterMs`, sends a liveness check together with the next statement. Calls
   * `silent` if no answer arrives within `limitMs`.
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
    // a pool discards a returned client that is ending
    if (this.#isRetired) void this.#client.end().catch(() => {})
  }
}
