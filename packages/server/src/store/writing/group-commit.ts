import { AsyncResource } from 'node:async_hooks'
import type { DatabaseOptions, ReadAhead, Tx } from '../database.ts'
import { classifyDbError, isConnectionLost } from '../errors.ts'
import type { End, WriterDialect } from './change-group.ts'
import type { LastAnswer } from './last-answer.ts'
import { Turn, type Waiting } from './turn.ts'

/** Fewer than PostgreSQL keeps of the subtransactions of a session (64): others would look each one up on disk. */
const MOST_CHANGES = 32
/** After this the group takes no further change: the first one waits for the others. */
const LONGEST_TURN_MS = 100
const MOST_TRIES = 5

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
   * Runs a change. It may await nothing but its transaction: others wait for it, and a change in it would wait for
   * itself. It runs again where the transaction loses a deadlock, or where one before it, whose last answer was not
   * waited for, turns out to have failed; what it did is undone then.
   */
  write<T, K = never>(
    change: (tx: Tx, known: Promise<K> | undefined) => Promise<T | LastAnswer<T>>,
    ahead?: ReadAhead<K>,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // in the context of its caller, whoever else shares the turn
      const read = ahead && { about: ahead.about, read: AsyncResource.bind(ahead.read) }
      const own = { change: AsyncResource.bind(change), ahead: read, resolve, reject, tries: 1 }
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
    let hasConnection = false
    try {
      const { ended, again } = await this.#dialect.executor.provideConnection((connection) => {
        hasConnection = true
        return new Turn({
          ...{ dialect: this.#dialect, connection, longestTurnMs: this.#longestTurnMs },
          isToRepeat: (changes, error) => this.#isToRepeat(changes, error),
        }).play(group)
      })
      this.#waiting.unshift(...again)
      for (const { of, end } of ended) tell(of, end)
    } catch (error) {
      // nothing was begun on a connection that had died before
      const isUnbegun = hasConnection && isConnectionLost(error) && group.every(({ tries }) => tries === 1)
      if (isUnbegun) for (const of of group) of.tries += 1
      if (isUnbegun || this.#isToRepeat(group, error)) {
        this.#waiting.unshift(...group)
        return
      }
      // the others have waited as long, and would wait as long again
      for (const of of [...group, ...this.#waiting.splice(0)]) of.reject(error)
    }
  }

  /** Counts that they did. */
  #isToRepeat(changes: readonly Waiting[], error: unknown): boolean {
    if (classifyDbError(error) !== 'conflict' || changes.some(({ tries }) => tries === MOST_TRIES)) return false
    for (const change of changes) change.tries += 1
    return true
  }
}

function tell({ resolve, reject }: Waiting, end: End): void {
  if ('result' in end) resolve(end.result as never)
  else reject(end.error)
}
