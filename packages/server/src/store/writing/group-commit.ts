import { AsyncResource } from 'node:async_hooks'
import type { DatabaseConnection } from 'kysely'
import type { DatabaseOptions, Tx } from '../database.ts'
import { classifyDbError } from '../errors.ts'
import { ChangeGroup, type WriterDialect } from './change-group.ts'

/** Fewer than PostgreSQL keeps of the subtransactions of a session (64): others would look each one up on disk. */
const MOST_CHANGES = 32
/** After this the group takes no further change: the first one waits for the others. */
const LONGEST_TURN_MS = 100
const MOST_TRIES = 5

/** A change that waits for its turn. */
interface Waiting {
  readonly change: (tx: Tx) => Promise<unknown>
  readonly lastEventId: (result: never) => number | undefined
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
  tries: number
}

/** How a change of a group ended, before anybody was told. */
interface Ended {
  readonly of: Waiting
  readonly end: { readonly result: unknown } | { readonly error: unknown }
}

/** What became of a group. */
interface GroupEnd {
  readonly ended: readonly Ended[]
  /** To be done again, before everything else. */
  readonly again: readonly Waiting[]
}

/**
 * Runs changes in the order they came, one at a time. Those that wait when a turn begins share it: one transaction, one
 * lock, one commit, after which all of them are told. A change that fails costs only itself; where the transaction or
 * its commit fails, all of its changes do. What loses a deadlock runs again: it left nothing behind.
 */
export class GroupCommit {
  readonly #dialect: WriterDialect
  readonly #longestTurnMs: number
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined

  constructor(dialect: WriterDialect, { longestTurnMs = LONGEST_TURN_MS }: Pick<DatabaseOptions, 'longestTurnMs'>) {
    this.#dialect = dialect
    this.#longestTurnMs = longestTurnMs
  }

  /**
   * Runs a change; `lastEventId` says which is the last event of its result, for other nodes to hear of. The change may
   * await nothing but its transaction: others wait for it, and a change in it would wait for itself.
   */
  write<T>(
    change: (tx: Tx) => Promise<T>,
    lastEventId: (result: T) => number | undefined = () => undefined,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // in the context of its caller, whoever else shares the turn
      const own = { change: AsyncResource.bind(change), lastEventId, resolve, reject, tries: 1 }
      this.#waiting.push(own as unknown as Waiting)
      this.#running ??= this.#run()
    })
  }

  /** Resolves once nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  async #run(): Promise<void> {
    // not before the caller has noted that this runs
    await undefined
    while (this.#waiting.length > 0) await this.#turn()
    this.#running = undefined
  }

  /** Never rejects: every change hears of its own end. */
  async #turn(): Promise<void> {
    const group = this.#waiting.splice(0, MOST_CHANGES)
    try {
      const { ended, again } = await this.#dialect.executor.provideConnection((connection) =>
        this.#transaction(connection, group),
      )
      this.#waiting.unshift(...again)
      for (const { of, end } of ended) tell(of, end)
    } catch (error) {
      if (this.#isToRepeat(group, error)) {
        this.#waiting.unshift(...group)
        return
      }
      // the others have waited as long, and would wait as long again
      for (const of of [...group, ...this.#waiting.splice(0)]) of.reject(error)
    }
  }

  /** Rejects where the transaction could not begin. */
  async #transaction(connection: DatabaseConnection, group: readonly Waiting[]): Promise<GroupEnd> {
    try {
      await this.#dialect.begin(connection)
    } catch (error) {
      await this.#rollback(connection)
      throw error
    }
    const changes = new ChangeGroup(this.#dialect, connection)
    const { ended, again } = await this.#changes(changes, group)
    const kept = ended.flatMap(({ of, end }) => ('result' in end ? [of.lastEventId(end.result as never)] : []))
    if (kept.length === 0) {
      await this.#rollback(connection)
      return { ended, again }
    }
    try {
      if (changes.isOver) throw lastErrorOf(ended)
      await this.#dialect.commit(
        connection,
        kept.findLast((id) => id !== undefined),
      )
      return { ended, again }
    } catch (error) {
      await this.#rollback(connection)
      const lost = ended.map(({ of }) => of)
      if (this.#isToRepeat(lost, error)) return { ended: [], again: [...lost, ...again] }
      // refusals too: they may have been for the sake of another change of the group
      return { ended: lost.map((of) => ({ of, end: { error } })), again }
    }
  }

  async #changes(changes: ChangeGroup, group: readonly Waiting[]): Promise<GroupEnd> {
    const ended: Ended[] = []
    const endMs = performance.now() + this.#longestTurnMs
    for (const [index, of] of group.entries()) {
      if (index > 0 && performance.now() >= endMs) return { ended, again: group.slice(index) }
      try {
        ended.push({ of, end: { result: await changes.add(of.change) } })
      } catch (error) {
        // against whom it lost may wait for what is in this transaction already
        if (this.#isToRepeat([of], error)) return { ended, again: group.slice(index) }
        ended.push({ of, end: { error } })
      }
      if (changes.isOver) return { ended, again: group.slice(index + 1) }
    }
    return { ended, again: [] }
  }

  /** Whether changes that failed together are to run again; counts that they did. */
  #isToRepeat(changes: readonly Waiting[], error: unknown): boolean {
    if (classifyDbError(error) !== 'conflict' || changes.some(({ tries }) => tries === MOST_TRIES)) return false
    for (const change of changes) change.tries += 1
    return true
  }

  /** A connection that cannot even do this is not used again. */
  async #rollback(connection: DatabaseConnection): Promise<void> {
    await this.#dialect.rollback(connection).catch(() => {})
  }
}

function tell({ resolve, reject }: Waiting, end: Ended['end']): void {
  if ('result' in end) resolve(end.result as never)
  else reject(end.error)
}

function lastErrorOf(ended: readonly Ended[]): unknown {
  const last = ended.findLast(({ end }) => 'error' in end)?.end
  return last !== undefined && 'error' in last ? last.error : new Error('The transaction was lost')
}
