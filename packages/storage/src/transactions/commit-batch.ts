import type { DatabaseConnection, KyselyProps } from 'kysely'
import { createTransaction } from '../connection-transactions.ts'
import type { ReadAhead, Tx } from '../database.ts'
import { isLockTimeout } from '../errors.ts'
import { ChangeConnection } from './change-connection.ts'
import { PipelinedResult } from './pipelined-result.ts'

/** Database operations at the beginning and end of a batch. */
export interface BatchDialect extends KyselyProps {
  /** Begins a transaction and takes the writer lock. */
  begin(connection: DatabaseConnection): Promise<void>
  /** Commits the transaction. If the batch has written data, also notifies other nodes of the last event. */
  commit(connection: DatabaseConnection, hasWritten: boolean): Promise<void>
  rollback(connection: DatabaseConnection): Promise<void>
}

/** Change that waits for its batch to begin, or for its batch to be committed. */
export interface QueuedChange {
  readonly run: (tx: Tx, known: Promise<unknown> | undefined) => Promise<unknown>
  /** Early read, which can be sent together with the beginning of the batch. */
  readonly ahead: ReadAhead<unknown> | undefined
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
  /** Number of the current attempt, beginning at 1. */
  tries: number
  /** True once the change was part of a batch that failed while several changes were in flight. */
  isCareful: boolean
}

/** Outcome of a change: its result or its error. */
export type ChangeOutcome = { readonly result: unknown } | { readonly error: unknown }

/** Change that has run and whose caller has not been notified yet. */
interface FinishedChange {
  readonly change: QueuedChange
  readonly outcome: ChangeOutcome
}

/** Outcome of a batch. */
export interface BatchOutcome {
  readonly finished: readonly FinishedChange[]
  /** Changes that must run again, before all other changes. */
  readonly again: readonly QueuedChange[]
}

/** Dependencies of a batch. */
export interface CommitBatchDeps {
  readonly dialect: BatchDialect
  readonly connection: DatabaseConnection
  readonly maxBatchMs: number
  /** Returns true if changes that failed together should run again, and counts the attempt. */
  readonly shouldRetry: (changes: readonly QueuedChange[], error: unknown) => boolean
}

/**
 * Runs a batch of changes in one transaction, in order, and commits it. Early reads of changes are sent together with
 * `BEGIN`. A change begins once the previous change has sent its last statement; the commit is sent after the last
 * change. If a statement fails while several changes are in flight, nothing is committed, and all changes run again in
 * a careful batch.
 *
 * In a careful batch, each change must be completely answered before the next begins. A change in a careful batch gets
 * a savepoint if an earlier change may have written data, so that its failure does not affect the earlier change.
 */
export class CommitBatch {
  readonly #deps: CommitBatchDeps
  readonly #changes: readonly QueuedChange[]
  readonly #isCareful: boolean
  readonly #reading: ChangeConnection
  /** Results of the early reads, by change. */
  readonly #known = new Map<QueuedChange, Promise<unknown>>()
  /** Changes whose outcome is known, in order. */
  readonly #finished: FinishedChange[] = []
  /** Changes that have sent their last statements, with their outcomes. The outcomes never reject. */
  readonly #inFlight: { readonly change: QueuedChange; readonly outcome: Promise<ChangeOutcome> }[] = []
  /** True if a change in the transaction may have written data. */
  #hasWritten = false
  /**
   * Reason why the transaction cannot be committed: the error of a change that could not be undone; undefined if there
   * is none.
   */
  #loss: { readonly cause: unknown } | undefined

  constructor(deps: CommitBatchDeps, changes: readonly QueuedChange[]) {
    this.#deps = deps
    this.#changes = changes
    this.#isCareful = changes.some(({ isCareful }) => isCareful)
    this.#reading = new ChangeConnection(deps.connection, { hasSavepoint: false })
  }

  /**
   * Runs the batch. Rejects if the transaction cannot begin, or if the batch waited for a lock until the time limit. In
   * both cases, nothing was stored.
   */
  async run(): Promise<BatchOutcome> {
    const { dialect, connection } = this.#deps
    // the reads follow `BEGIN` in the same round trip
    const [begun, ...reads] = await Promise.allSettled([dialect.begin(connection), ...this.#readEarly()])
    const failures = reads.flatMap((read) => (read.status === 'rejected' ? [read.reason as unknown] : []))
    const failure = begun.status === 'rejected' ? begun.reason : failures.find(isLockTimeout)
    if (failure !== undefined) {
      await this.#rollback()
      throw failure
    }
    if (this.#reading.hasFailed) {
      await this.#rollback()
      return this.#retryCarefully(undefined)
    }
    const again = await this.#runChanges()
    return this.#loss === undefined ? this.#commit(again) : this.#abandon(this.#loss.cause, again)
  }

  /** Sends the early read of each change, unless an earlier change has the same subject. */
  #readEarly(): Promise<unknown>[] {
    if (this.#isCareful) return []
    const tx = createTransaction(this.#deps.dialect, this.#reading)
    const subjects = new Set<string>()
    for (const change of this.#changes) {
      // stops at a change without an early read, because such a change can modify any data
      if (change.ahead === undefined) break
      const { subject, read } = change.ahead
      if (subjects.has(subject)) continue
      subjects.add(subject)
      this.#known.set(change, read(tx))
    }
    return [...this.#known.values()]
  }

  /**
   * Starts changes until the time limit of a batch is reached. Returns the changes that must run again and the changes
   * that were not started.
   */
  async #runChanges(): Promise<readonly QueuedChange[]> {
    const endMs = performance.now() + this.#deps.maxBatchMs
    for (const [index, change] of this.#changes.entries()) {
      const isOver = this.#loss !== undefined || (index > 0 && performance.now() >= endMs)
      if (isOver) return this.#changes.slice(index)
      const outcome = await this.#runChange(change)
      if (outcome === undefined) continue
      // the winner of the deadlock may be waiting for a lock that this transaction holds
      if ('error' in outcome && this.#deps.shouldRetry([change], outcome.error)) return this.#changes.slice(index)
      this.#finished.push({ change, outcome })
    }
    return []
  }

  /**
   * Runs a change until it has sent its last statement or, in a careful batch, until all its statements are answered.
   * Undoes the change if it fails. Returns the outcome of the change, or undefined if the change is still in flight.
   * Never rejects.
   */
  async #runChange(change: QueuedChange): Promise<ChangeOutcome | undefined> {
    const hasSavepoint = this.#isCareful && this.#hasWritten
    const connection = new ChangeConnection(this.#deps.connection, { hasSavepoint })
    try {
      const tx = createTransaction(this.#deps.dialect, connection)
      const answer = receiveResult(await change.run(tx, this.#known.get(change)), connection)
      const outcome = this.#isCareful ? { result: await answer } : undefined
      this.#hasWritten ||= connection.isDirty
      if (outcome === undefined) this.#inFlight.push({ change, outcome: toOutcome(answer) })
      return outcome
    } catch (error) {
      if (!(await connection.undo())) this.#loss = { cause: error }
      return { error }
    }
  }

  /** Commits the changes. Sends the commit after the statements in flight, without waiting for their answers. */
  async #commit(again: readonly QueuedChange[]): Promise<BatchOutcome> {
    const { dialect, connection } = this.#deps
    const committed = toOutcome(dialect.commit(connection, this.#hasWritten))
    const answered = await Promise.all(
      this.#inFlight.map(async ({ change, outcome }) => ({ change, outcome: await outcome })),
    )
    this.#finished.push(...answered)
    const failure = await committed
    if (!('error' in failure)) return { finished: this.#finished, again }
    const [failed] = answered.flatMap(({ outcome }) => ('error' in outcome ? [outcome] : []))
    // the commit failed because of this statement, unless the connection was lost; in that case, the outcome of the
    // commit is unknown
    if (failed !== undefined && (await this.#rollback())) return this.#retryCarefully(failed.error)
    return this.#failAll(failure.error, again)
  }

  /** Handles a transaction that cannot be committed because a failed change could not be undone. */
  async #abandon(cause: unknown, again: readonly QueuedChange[]): Promise<BatchOutcome> {
    if (this.#inFlight.length === 0 && this.#hasWritten) return this.#failAll(cause, again)
    await this.#rollback()
    return this.#inFlight.length > 0 ? this.#retryCarefully(cause) : { finished: this.#finished, again }
  }

  /**
   * Handles a batch in which a statement failed. Nothing was stored, so all changes run again. If the statement waited
   * for a lock until the time limit, throws the error instead, because a retry would wait as long again.
   */
  #retryCarefully(cause: unknown): BatchOutcome {
    if (isLockTimeout(cause)) throw cause
    for (const change of this.#changes) change.isCareful = true
    return { finished: [], again: this.#changes }
  }

  /**
   * Handles a failed commit. Either nothing was stored, or it is unknown whether the changes were stored. Changes that
   * were already rejected fail with the same error, because their rejection may depend on another change in the batch.
   */
  async #failAll(error: unknown, again: readonly QueuedChange[]): Promise<BatchOutcome> {
    await this.#rollback()
    const failed = this.#finished.map(({ change }) => change)
    if (this.#deps.shouldRetry(failed, error)) return { finished: [], again: [...failed, ...again] }
    return { finished: failed.map((change) => ({ change, outcome: { error } })), again }
  }

  /** Rolls back; returns false if the rollback failed, in which case the connection is lost and not used again. */
  async #rollback(): Promise<boolean> {
    return this.#deps.dialect.rollback(this.#deps.connection).then(
      () => true,
      () => false,
    )
  }
}

/** Ends a change and waits until its statements are answered. Rejects if one of the statements fails. */
async function receiveResult(returned: unknown, connection: ChangeConnection): Promise<unknown> {
  const answer = returned instanceof PipelinedResult ? returned.answer : returned
  const [result] = await Promise.all([answer, connection.end()])
  return result
}

function toOutcome(answer: Promise<unknown>): Promise<ChangeOutcome> {
  return answer.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  )
}
