import type { ServerStatus } from '../database.ts'
import {
  describeServer,
  isBefore,
  isSame,
  type ServerIdentity,
  type SessionReport,
  WrongServer,
} from './server-identity.ts'
import type { Session } from './session.ts'

/** Clusters or databases that were left: for so long, sessions with them are not taken for the way back. */
const LEFT_MS = 60_000

const STANDBY = 'The server is a standby: it takes no changes, and what it holds may be old'
const WAS_PRIMARY =
  'The server was the primary before another one was promoted: what it holds is old. Where it was restored on purpose, say so there by `delete from database_epoch`'
const OTHER = 'The server holds another database than the one in use until a moment ago'
const READ_ONLY =
  'The server makes transactions read-only by default (default_transaction_read_only): changes wait until that ends'

/** What a tracker of the primary is given. */
export interface PrimaryDeps {
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly info: (line: string) => void
  readonly warn: (line: string) => void
}

/** How a newcomer is looked at before it replaces the primary in use. */
export interface Newcomer {
  /**
   * When its epoch began, in milliseconds by its own clock: -Infinity if that is unknown, undefined if an operator has
   * removed it because the database was restored.
   */
  readonly epochBegin: () => Promise<number | undefined>
  /** Makes sure that what it holds has an epoch of its own. */
  readonly settle: () => Promise<void>
}

/** Why changes cannot be written, and since when. */
type Refusal = NonNullable<ServerStatus['refusal']>

/**
 * The one server whose data this node uses. Every session is admitted by it before its first use; when another server
 * takes over, all sessions with the former one end in the same moment, so that nothing is ever put together from two.
 */
export class Primary {
  readonly #deps: PrimaryDeps
  readonly #sessions = new Set<Session>()
  readonly #left: { readonly identity: ServerIdentity; readonly at: number }[] = []
  #current: ServerIdentity | undefined
  /** When the epoch of the current primary began. A former primary has an older one, unless it was restored. */
  #epochBegin = Number.POSITIVE_INFINITY
  #generation = 0
  #adopting: Promise<void> | undefined
  /** Why no session is fit for changes. */
  #refusal: Refusal | undefined
  /** Why changes fail although a session was fit for them. */
  #failure: Refusal | undefined

  constructor(deps: PrimaryDeps) {
    this.#deps = deps
  }

  /** Grows whenever another server takes over. */
  get generation(): number {
    return this.#generation
  }

  get status(): ServerStatus {
    return { primary: this.#current, refusal: this.#refusal ?? this.#failure }
  }

  /** Notes when the epoch of the server in use began. */
  noteEpoch(begin: number | undefined): void {
    if (begin !== undefined && begin !== Number.NEGATIVE_INFINITY) this.#epochBegin = begin
  }

  /** Backends of sessions that commit changes of this node. */
  isOwn(processId: number): boolean {
    for (const { purpose, report } of this.#sessions) {
      if (purpose === 'changes' && report.processId === processId) return true
    }
    return false
  }

  /** Takes a session into use, or throws WrongServer. The session is forgotten by what this returns. */
  async admit(session: Session, newcomer: Newcomer): Promise<() => void> {
    const { report, purpose } = session
    if (report.isStandby) throw new WrongServer(STANDBY)
    while (this.#current === undefined || !isSame(report, this.#current)) {
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

  /** Notes that changes cannot succeed, and why. */
  refused(reason: string): void {
    if (this.#refusal?.reason === reason) return
    this.#refusal = { reason, sinceMs: this.#refusal?.sinceMs ?? this.#deps.clock() }
    this.#deps.warn(`Changes cannot be written: ${reason}`)
  }

  /** Notes that a session was found fit for changes. */
  accepted(): void {
    if (this.#refusal === undefined) return
    this.#refusal = undefined
    this.#deps.info('Changes can be written again')
  }

  /** True if changes have failed since one was committed. */
  get isFailing(): boolean {
    return this.#failure !== undefined
  }

  /** Notes that a change could not be written, or waits for long, and why. */
  failed(reason: string): void {
    // the reason why no session is fit says more
    if (this.#refusal !== undefined || this.#failure?.reason === reason) return
    this.#failure = { reason, sinceMs: this.#failure?.sinceMs ?? this.#deps.clock() }
    this.#deps.warn(`Changes cannot be written: ${reason}`)
  }

  /** Notes that a change was committed. */
  succeeded(): void {
    if (this.#failure === undefined) return
    this.#failure = undefined
    this.#deps.info('Changes can be written again')
  }

  /** Number of commits of changes on open sessions that ended before a standby had confirmed them. */
  get unconfirmed(): number {
    let count = 0
    for (const { purpose, unconfirmed } of this.#sessions) if (purpose === 'changes') count += unconfirmed
    return count
  }

  /** Sessions with a statement that has been without an answer for that long. */
  waiting(forMs: number): readonly Session[] {
    return [...this.#sessions].filter(({ waitingMs }) => waitingMs >= forMs)
  }

  /** Ends sessions that have said nothing since then and that nobody uses: their connections may be as dead. */
  suspect(sinceMs: number): void {
    for (const session of this.#sessions) if (session.answeredAt < sinceMs) session.retire('No sign of life')
  }

  async #adopt(next: SessionReport, { epochBegin, settle }: Newcomer): Promise<void> {
    const before = this.#current
    if (before === undefined) {
      this.#current = next
      this.#deps.info(`Database server: ${describeServer(next)}`)
      return
    }
    if (isBefore(next, before)) {
      const begin = await epochBegin()
      // another node may have seen that it was removed, and have begun a new one
      if (begin !== undefined && begin <= this.#epochBegin) throw new WrongServer(WAS_PRIMARY)
    } else if (this.#wasLeft(next)) throw new WrongServer(OTHER)
    // its epoch is to be written first
    if (next.isReadOnly) throw new WrongServer(READ_ONLY)
    await settle()
    this.noteEpoch(await epochBegin())
    this.#current = next
    this.#generation += 1
    this.#left.push({ identity: before, at: performance.now() })
    const stale = [...this.#sessions].filter(({ report }) => !isSame(report, next))
    for (const session of stale) session.abandon()
    const ended = `${stale.length} connections with ${describeServer(before)} were ended`
    this.#deps.warn(`Another database server has taken over: ${describeServer(next)}; ${ended}`)
  }

  /** Two databases behind one address must not take turns. */
  #wasLeft(identity: ServerIdentity): boolean {
    const since = performance.now() - LEFT_MS
    return this.#left.some((one) => one.at > since && isSame(one.identity, identity))
  }
}
