import type { ServerStatus } from '../../database.ts'
import type { Session } from './database-session.ts'
import {
  describeServer,
  isOnEarlierTimeline,
  isSameServer,
  type ServerIdentity,
  type SessionReport,
  WrongServer,
} from './server-identity.ts'

/** Time in milliseconds for which a node refuses to switch back to the database that it has just left. */
const LEFT_MS = 60_000

const STANDBY = 'The server is a standby: it accepts no changes, and its data may be old'
const WAS_PRIMARY =
  'The server was the primary before another one was promoted: its data is old. If it was restored on purpose, run `delete from database_epoch` on it'
const OTHER = 'The server has another database than the one that was in use until now'
const READ_ONLY =
  'The server makes transactions read-only by default (default_transaction_read_only): changes wait until this is reset'

/** Dependencies of `Primary`. */
export interface PrimaryDeps {
  /** Returns milliseconds since 1970. */
  readonly clock: () => number
  readonly info: (line: string) => void
  readonly warn: (line: string) => void
}

/** Checks that a server must pass before it replaces the primary in use. */
export interface CandidateServer {
  /**
   * Returns the time at which the server's epoch started, in milliseconds by the server's clock. Returns -Infinity if
   * that time is unknown. Returns undefined if there is no epoch, because an operator removed it after restoring the
   * database.
   */
  readonly epochBegin: () => Promise<number | undefined>
  /** Ensures that the server's data has a database epoch of its own. */
  readonly settle: () => Promise<void>
}

/** Reason why changes cannot be written, with the time since when this is so. */
type Refusal = NonNullable<ServerStatus['refusal']>

/**
 * Primary server whose data this node uses. Checks every session before it is first used. When another server becomes
 * the primary, all sessions with the former primary end at the same time, so that data from two servers is never mixed.
 */
export class Primary {
  readonly #deps: PrimaryDeps
  readonly #sessions = new Set<Session>()
  readonly #left: { readonly identity: ServerIdentity; readonly at: number }[] = []
  #current: ServerIdentity | undefined
  /**
   * Time at which the epoch of the current primary started. The epoch of a former primary started earlier, unless that
   * server was restored.
   */
  #epochBegin = Number.POSITIVE_INFINITY
  #generation = 0
  #adopting: Promise<void> | undefined
  /** Reason why no session can be used for changes. */
  #refusal: Refusal | undefined
  /** Reason why changes fail even though a session for changes exists. */
  #failure: Refusal | undefined

  constructor(deps: PrimaryDeps) {
    this.#deps = deps
  }

  /** Number that increases whenever another server becomes the primary. */
  get generation(): number {
    return this.#generation
  }

  get status(): ServerStatus {
    return { primary: this.#current, refusal: this.#refusal ?? this.#failure }
  }

  /** Stores the time at which the epoch of the server in use started. */
  setEpochBegin(begin: number | undefined): void {
    if (begin !== undefined && begin !== Number.NEGATIVE_INFINITY) this.#epochBegin = begin
  }

  /** Returns true if a backend process belongs to a session in which this node commits changes. */
  isOwn(processId: number): boolean {
    for (const { purpose, report } of this.#sessions) {
      if (purpose === 'changes' && report.processId === processId) return true
    }
    return false
  }

  /**
   * Registers a session if it is connected to the primary; otherwise throws WrongServer. Returns a function that
   * unregisters the session.
   */
  async admit(session: Session, newcomer: CandidateServer): Promise<() => void> {
    const { report, purpose } = session
    if (report.isStandby) throw new WrongServer(STANDBY)
    while (this.#current === undefined || !isSameServer(report, this.#current)) {
      if (this.#adopting === undefined) {
        this.#adopting = this.#adopt(report, newcomer).finally(() => {
          this.#adopting = undefined
        })
        await this.#adopting
      } else await this.#adopting.catch(() => {})
    }
    if (report.isReadOnly && purpose !== 'reading' && purpose !== 'listening') throw new WrongServer(READ_ONLY)
    this.#sessions.add(session)
    return () => this.#sessions.delete(session)
  }

  /** Records why changes cannot succeed. */
  recordRefusal(reason: string): void {
    if (this.#refusal?.reason === reason) return
    this.#refusal = { reason, sinceMs: this.#refusal?.sinceMs ?? this.#deps.clock() }
    this.#deps.warn(`Changes cannot be written: ${reason}`)
  }

  /** Records that there is a session that can be used for changes. */
  recordAcceptance(): void {
    if (this.#refusal === undefined) return
    this.#refusal = undefined
    this.#deps.info('Changes can be written again')
  }

  /** True if a change has failed since the last successful commit. */
  get isFailing(): boolean {
    return this.#failure !== undefined
  }

  /** Records the reason why a change could not be written or has been waiting for a long time. */
  recordFailure(reason: string): void {
    // if no session can be used at all, the reason for that is more informative
    if (this.#refusal !== undefined || this.#failure?.reason === reason) return
    this.#failure = { reason, sinceMs: this.#failure?.sinceMs ?? this.#deps.clock() }
    this.#deps.warn(`Changes cannot be written: ${reason}`)
  }

  /** Records that a change was committed. */
  recordSuccess(): void {
    if (this.#failure === undefined) return
    this.#failure = undefined
    this.#deps.info('Changes can be written again')
  }

  /** Number of commits on open sessions that succeeded without being confirmed by a standby. */
  get unconfirmed(): number {
    let count = 0
    for (const { purpose, unconfirmed } of this.#sessions) if (purpose === 'changes') count += unconfirmed
    return count
  }

  /** Returns sessions in which a statement has been unanswered for at least `forMs` milliseconds. */
  listWaiting(forMs: number): readonly Session[] {
    return [...this.#sessions].filter(({ waitingMs }) => waitingMs >= forMs)
  }

  /**
   * Closes sessions that have received nothing since the given time, because their connections are probably broken as
   * well.
   */
  retireSilentSessions(sinceMs: number): void {
    for (const session of this.#sessions) if (session.answeredAt < sinceMs) session.retire('No sign of life')
  }

  async #adopt(next: SessionReport, { epochBegin, settle }: CandidateServer): Promise<void> {
    const before = this.#current
    if (before === undefined) {
      this.#current = next
      this.#deps.info(`Database server: ${describeServer(next)}`)
      return
    }
    if (isOnEarlierTimeline(next, before)) {
      const begin = await epochBegin()
      // another node may have noticed that the epoch was removed, and started a new epoch
      if (begin !== undefined && begin <= this.#epochBegin) throw new WrongServer(WAS_PRIMARY)
    } else if (this.#wasLeft(next)) throw new WrongServer(OTHER)
    // switching sometimes requires writing a new epoch, which needs a server that accepts writes
    if (next.isReadOnly) throw new WrongServer(READ_ONLY)
    await settle()
    this.setEpochBegin(await epochBegin())
    this.#current = next
    this.#generation += 1
    this.#left.push({ identity: before, at: performance.now() })
    const stale = [...this.#sessions].filter(({ report }) => !isSameServer(report, next))
    for (const session of stale) session.abandon()
    const ended = `${stale.length} connections with ${describeServer(before)} were ended`
    this.#deps.warn(`Another database server has taken over: ${describeServer(next)}; ${ended}`)
  }

  /**
   * Returns true if this node has recently left the given database. This prevents a node from alternating between two
   * databases with the same address.
   */
  #wasLeft(identity: ServerIdentity): boolean {
    const since = performance.now() - LEFT_MS
    return this.#left.some((one) => one.at > since && isSameServer(one.identity, identity))
  }
}
