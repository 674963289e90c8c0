import { AsyncResource } from 'node:async_hooks'
import type { DatabaseOptions, ReadAhead, Tx } from '../database.ts'
import { classifyDbError, isConnectionLost, isLockTimeout } from '../errors.ts'
import { type BatchDialect, type ChangeOutcome, CommitBatch, type QueuedChange } from './commit-batch.ts'
import type { PipelinedResult } from './pipelined-result.ts'

/**
 * Maximum number of changes in a batch. PostgreSQL caches 64 subtransactions per session. If a transaction has more
 * subtransactions, other sessions look up each of them on disk.
 */
const MAX_CHANGES = 32
/**
 * Time in milliseconds after which no change is added to a batch, because the first change of a batch waits for all
 * others.
 */
const MAX_BATCH_MS = 100
const MAX_TRIES = 5

/**
 * Runs changes one at a time, in order of arrival. All changes that are queued when a batch begins share one
 * transaction, one lock and one commit; they resolve after the commit. A failed change does not affect the other
 * changes of its batch. If the transaction or its commit fails, all changes of the batch fail. A change that loses a
 * deadlock is rolled back and retried.
 */
export class ChangeQueue {
  readonly #dialect: BatchDialect
  readonly #maxBatchMs: number
  #waiting: QueuedChange[] = []
  #running: Promise<void> | undefined

  constructor(dialect: BatchDialect, { maxBatchMs = MAX_BATCH_MS }: Pick<DatabaseOptions, 'maxBatchMs'>) {
    this.#dialect = dialect
    this.#maxBatchMs = maxBatchMs
  }

  /**
   * Queues a change. The change must await only its own transaction: other changes wait for it, and a nested change
   * would wait for itself. The change runs a second time if it loses a deadlock, or if another change of its batch
   * fails. Before the second run, the effects of the first are undone.
   *
   * @param ahead early read. `run` gets its result as `known` if the read was sent with the beginning of the batch
   */
  write<T, K = never>(
    run: (tx: Tx, known: Promise<K> | undefined) => Promise<T | PipelinedResult<T>>,
    ahead?: ReadAhead<K>,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // the early read runs in the async context of its caller, even if the batch contains changes of other callers
      const read = ahead && { subject: ahead.subject, read: AsyncResource.bind(ahead.read) }
      const change = { run: AsyncResource.bind(run), ahead: read, resolve, reject, tries: 1, isCareful: false }
      this.#waiting.push(change as unknown as QueuedChange)
      this.#running ??= this.#run()
    })
  }

  /** Resolves once the queue is empty. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  async #run(): Promise<void> {
    // the batch must start only after the caller has set #running
    await undefined
    while (this.#waiting.length > 0) await this.#runBatch()
    this.#running = undefined
  }

  /** Never rejects: each change is resolved or rejected individually. */
  async #runBatch(): Promise<void> {
    const changes = this.#waiting.splice(0, MAX_CHANGES)
    let hasConnection = false
    try {
      const { finished, again } = await this.#dialect.executor.provideConnection((connection) => {
        hasConnection = true
        const deps = {
          dialect: this.#dialect,
          connection,
          maxBatchMs: this.#maxBatchMs,
          shouldRetry: (failed: readonly QueuedChange[], error: unknown) => this.#shouldRetry(failed, error),
        }
        return new CommitBatch(deps, changes).run()
      })
      this.#waiting.unshift(...again)
      for (const { change, outcome } of finished) settleChange(change, outcome)
      const timeout = finished.flatMap(({ outcome }) => ('error' in outcome ? [outcome.error] : [])).find(isLockTimeout)
      if (timeout !== undefined) this.#rejectAll(timeout)
    } catch (error) {
      // true if the connection was already lost when the batch began, so that no change was started
      const isUnbegun = hasConnection && isConnectionLost(error) && changes.every(({ tries }) => tries === 1)
      if (isUnbegun) for (const change of changes) change.tries += 1
      if (isUnbegun || this.#shouldRetry(changes, error)) {
        this.#waiting.unshift(...changes)
        return
      }
      for (const { reject } of changes) reject(error)
      this.#rejectAll(error)
    }
  }

  /**
   * Rejects all queued changes. Each queued change has waited as long as the change that failed, and would otherwise
   * wait that long again.
   */
  #rejectAll(error: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }

  /** Returns true if the changes should run again, and counts the attempt. */
  #shouldRetry(changes: readonly QueuedChange[], error: unknown): boolean {
    if (classifyDbError(error) !== 'conflict' || changes.some(({ tries }) => tries === MAX_TRIES)) return false
    for (const change of changes) change.tries += 1
    return true
  }
}

function settleChange({ resolve, reject }: QueuedChange, outcome: ChangeOutcome): void {
  if ('error' in outcome) reject(outcome.error)
  else resolve(outcome.result as never)
}
