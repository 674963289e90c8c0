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

/** Time in milliseconds for which a node rejects the database that it has just left, instead of switching back. */
const LEFT_MS = 60_000

const STANDBY = 'The server is a standby: it takes no changes, and what it holds may be old'
const WAS_PRIMARY =
  'The server was the primary before another one was promoted: what it holds is old. Where it was restored on purpose, say so there by `delete from database_epoch`'
const OTHER = 'The server holds another database than the one in use until a moment ago'
const READ_ONLY =
  'The server makes transactions read-only by default (default_transaction_read_only): changes wait until that ends'

/** Dependencies of `Primary`. */
export interface PrimaryDeps {
  /** Returns milliseconds since 1970. */
  readonly clock: () => number
  readonly info: (line: string) => void
  readonly warn: (line: string) => void
}

/** Checks of a server that is about to replace the primary in use. */
export interface CandidateServer {
  /**
   * Returns the time at which the epoch of the server began, in milliseconds by the server's clock. Returns -Infinity
   * if the time is unknown. Returns undefined if an operator has removed the epoch because the database was restored.
   */
  readonly epochBegin: () => Promise<number | undefined>
  /** Ensures that the data of the server has its own database epoch. */
  readonly settle: () => Promise<void>
}

/** Reason why changes cannot be written, and the time at which this began. */
type Refusal = NonNullable<ServerStatus['refusal']>

/**
 * The server whose data this node uses. Checks every session before its first use. When another server becomes the
 * primary server, all sessions with the former server end at the same time, so that data of two servers is never
 * combined.
 */
export class Primary {
  readonly #deps: PrimaryDeps
  readonly #sessions = new Set<Session>()
  readonly #left: { readonly identity: ServerIdentity; readonly at: number }[] = []
  #current: ServerIdentity | undefined
  /**
   * Start of the epoch of the current primary. The epoch of a former primary began earlier, unless that server was
   * restored.
   */
  #epochBegin = Number.POSITIVE_INFINITY
  #generation = 0
  #adopting: Promise<void> | undefined
  /** Reason why no session can be used for changes. */
  #refusal: Refusal | undefined
  /** Reason why changes fail although a session for changes exists. */
  #failure: Refusal | undefined

  constructor(deps: PrimaryDeps) {
    this.#deps = deps
  }

  /** Number that increases whenever another server becomes the primary server. */
  get generation(): number {
    return this.#generation
  }

  get status(): ServerStatus {
    return { primary: this.#current, refusal: this.#refusal ?? this.#failure }
  }

  /** Stores when the epoch of the server in use began. */
  setEpochBegin(begin: number | undefined): void {
    if (begin !== undefined && begin !== Number.NEGATIVE_INFINITY) this.#epochBegin = begin
  }

  /** Returns true if the backend belongs to a session that commits changes of this node. */
  isOwn(processId: number): boolean {
    for (const { purpose, report } of this.#sessions) {
      if (purpose === 'changes' && report.processId === processId) return true
    }
    return false
  }

  /**
   * Registers a session if it leads to the primary, otherwise throws WrongServer. Returns a function that removes the
   * session again.
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

  /** Records that a session can be used for changes. */
  recordAcceptance(): void {
    if (this.#refusal === undefined) return
    this.#refusal = undefined
    this.#deps.info('Changes can be written again')
  }

  /** True if a change has failed since the last successful commit. */
  get isFailing(): boolean {
    return this.#failure !== undefined
  }

  /** Records why a change could not be written or has been waiting for a long time. */
  recordFailure(reason: string): void {
    // a reason why no session can be used is more informative
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

  /** Number of commits on open sessions that succeeded before a standby had confirmed them. */
  get unconfirmed(): number {
    let count = 0
    for (const { purpose, unconfirmed } of this.#sessions) if (purpose === 'changes') count += unconfirmed
    return count
  }

  /** Returns sessions with a statement that has been unanswered for at least `forMs` milliseconds. */
  listWaiting(forMs: number): readonly Session[] {
    return [...this.#sessions].filter(({ waitingMs }) => waitingMs >= forMs)
  }

  /**
   * Closes sessions that have received nothing since a given time, because their connections are probably dead as well.
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
      // another node may have found that the epoch was removed, and begun a new epoch
      if (begin !== undefined && begin <= this.#epochBegin) throw new WrongServer(WAS_PRIMARY)
    } else if (this.#wasLeft(next)) throw new WrongServer(OTHER)
    // a switch sometimes has to write a new epoch, which needs a writable server
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
   * Returns true if this node has just left the given database. Two databases with the same address must not alternate.
   */
  #wasLeft(identity: ServerIdentity): boolean {
    const since = performance.now() - LEFT_MS
    return this.#left.some((one) => one.at > since && isSameServer(one.identity, identity))
  }
}
