import type { DatabaseConnection } from 'kysely'
import { createTransaction } from '../connection-transactions.ts'
import type { ReadAhead, Tx } from '../database.ts'
import { isLockTimeout } from '../errors.ts'
import { ChangeConnection } from './change-connection.ts'
import { ChangeGroup, type ChangeOutcome, type IssuedChange, type WriterDialect } from './change-group.ts'
import { readChangedFlags } from './changed-flag-reads.ts'
import type { ChangedFlags } from './changed-flags.ts'

/** Queued change. */
export interface QueuedChange {
  readonly change: (tx: Tx, known: Promise<unknown> | undefined) => Promise<unknown>
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
  ahead: ReadAhead<unknown> | undefined
  tries: number
}

/** Outcome of a change, before its caller is notified. */
export interface FinishedChange {
  readonly queued: QueuedChange
  readonly end: ChangeOutcome
}

/** Outcome of a batch. */
export interface BatchOutcome {
  readonly ended: readonly FinishedChange[]
  /** Changes to run again before any others. */
  readonly again: readonly QueuedChange[]
}

/** Change that has sent its last statements but has not received their results. */
interface InFlightChange {
  readonly queued: QueuedChange
  readonly issued: IssuedChange
}

/** Dependencies of a batch. */
export interface CommitBatchDeps {
  readonly dialect: WriterDialect
  readonly connection: DatabaseConnection
  readonly maxBatchMs: number
  /** Returns true if changes that failed together should be retried, and counts the attempt. */
  readonly shouldRetry: (changes: readonly QueuedChange[], error: unknown) => boolean
}

/**
 * Runs a batch of changes in one transaction. The read-ahead queries of the changes are sent first. Each change starts
 * as soon as the previous change has issued its last statement, so that their statements are pipelined. The commit
 * follows the last statements. If a statement fails, the changes that were started after its change run again.
 */
export class CommitBatch {
  readonly #deps: CommitBatchDeps
  readonly #changes: ChangeGroup
  readonly #reading: ChangeConnection
  readonly #known = new Map<QueuedChange, Promise<unknown>>()
  readonly #ended: FinishedChange[] = []
  #hasEvents = false
  /** Flags that were modified by changes whose outcome is known. */
  readonly #changed: ChangedFlags[] = []
  /** Started changes whose outcome is not known yet, in order. */
  #inFlight: InFlightChange[] = []

  constructor(deps: CommitBatchDeps) {
    this.#deps = deps
    this.#changes = new ChangeGroup(deps.dialect, deps.connection)
    this.#reading = new ChangeConnection(deps.connection, deps.dialect, () => {})
  }

  /** Runs the batch. Rejects if the transaction cannot begin. */
  async run(group: readonly QueuedChange[]): Promise<BatchOutcome> {
    const begun = this.#deps.dialect.begin(this.#deps.connection)
    this.#readAhead(group)
    try {
      await begun
    } catch (error) {
      await Promise.allSettled(this.#known.values())
      await this.#rollback()
      throw error
    }
    const again = await this.#run(group)
    if (this.#reading.hasFailed) return this.#retryWithoutReadAhead(group)
    const isKept = this.#inFlight.length > 0 || this.#ended.some(({ end }) => 'result' in end)
    if (isKept) return this.#commit(again)
    await this.#rollback()
    return { ended: this.#ended, again }
  }

  /** Reads ahead for each change that does not share its subject with an earlier one. */
  #readAhead(group: readonly QueuedChange[]): void {
    const tx = createTransaction(this.#deps.dialect, this.#reading)
    const touched = new Set<string>()
    for (const of of group) {
      // a change without read-ahead may touch anything
      if (of.ahead === undefined) return
      const { subject, read } = of.ahead
      if (touched.has(subject)) continue
      touched.add(subject)
      const known = read(tx)
      known.catch(() => {})
      this.#known.set(of, known)
    }
  }

  /**
   * Retries the whole batch without read-ahead, because one failed read makes all changes fail. The error is not passed
   * to callers, unless a read waited for a lock until its time limit.
   */
  async #retryWithoutReadAhead(group: readonly QueuedChange[]): Promise<BatchOutcome> {
    await Promise.all(this.#inFlight.map(({ issued }) => issued.end))
    await this.#rollback()
    const failures = (await Promise.allSettled(this.#known.values())).flatMap((one) =>
      one.status === 'rejected' && isLockTimeout(one.reason) ? [one.reason] : [],
    )
    // each of them would wait for the lock again
    if (failures.length > 0)
      return { ended: group.map((queued) => ({ queued, end: { error: failures[0] } })), again: [] }
    for (const of of group) of.ahead = undefined
    return { ended: [], again: group }
  }

  /** Runs changes. Returns the changes that must run again and the changes that were not started. */
  async #run(group: readonly QueuedChange[]): Promise<readonly QueuedChange[]> {
    const endMs = performance.now() + this.#deps.maxBatchMs
    let index = 0
    while (!this.#changes.isOver) {
      const of = index > 0 && performance.now() >= endMs ? undefined : group[index]
      let isGoing = this.#hasEvents || this.#inFlight.some(({ issued }) => issued.hasEvents)
      if (of !== undefined) {
        const asked = await this.#changes.run((tx) => of.change(tx, this.#known.get(of)))
        this.#inFlight.push({ queued: of, issued: asked })
        index += 1
        isGoing = asked.isInFlight
      }
      if (!isGoing) {
        const { anew, isToRepeat } = await this.#settle()
        index -= anew
        if (isToRepeat) break
        if (anew > 0) continue
      }
      if (of === undefined) break
    }
    return group.slice(index)
  }

  /**
   * Waits for the started changes and records their outcomes. Undoes a failed change and all changes that were started
   * after it. Returns the number of changes that must start again. Also returns whether the failed change is one of
   * them; it is then retried in another batch.
   */
  async #settle(): Promise<{ readonly anew: number; readonly isToRepeat: boolean }> {
    const going = this.#inFlight.splice(0)
    for (const [place, one] of going.entries()) {
      const end = await one.issued.end
      if ('error' in end) {
        const behind = going.slice(place + 1).map(({ issued }) => issued)
        await Promise.all(behind.map((asked) => asked.end))
        await this.#changes.undo(one.issued, behind)
        // the winner of the conflict may be waiting for something that this transaction holds
        if (this.#shouldRetry([one.queued], end.error)) return { anew: behind.length + 1, isToRepeat: true }
        this.#note(one, end)
        return { anew: behind.length, isToRepeat: false }
      }
      this.#note(one, end)
    }
    return { anew: 0, isToRepeat: false }
  }

  #note({ queued, issued }: InFlightChange, end: ChangeOutcome): void {
    this.#ended.push({ queued, end })
    if ('error' in end) return
    this.#hasEvents ||= issued.hasEvents
    if (issued.changed !== undefined) this.#changed.push(issued.changed)
  }

  async #commit(again: readonly QueuedChange[]): Promise<BatchOutcome> {
    const { dialect, connection } = this.#deps
    const going = this.#inFlight
    const look = this.#changes.isOver ? undefined : this.#readCommittedFlags()
    // without a notification among its statements, a commit would not reveal that one of the statements has failed
    const sent = this.#changes.isOver
      ? Promise.reject(findLastError(this.#ended))
      : dialect.commit(connection, this.#hasEvents || going.length > 0)
    // statements sent before the commit are the cause if they failed
    const failed = Promise.all([look, sent]).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    const ends = await Promise.all(going.map(async (one) => ({ ...one, end: await one.issued.end })))
    const failure = await failed
    const first = ends.find(({ end }) => 'error' in end)
    if (failure !== undefined && first !== undefined && (await this.#rollback()))
      return this.#retryWithout(first, again)
    for (const { end, ...one } of ends) this.#note(one, end)
    return failure === undefined ? { ended: this.#ended, again } : this.#failAll(failure.error, again)
  }

  /** Reads the changed flags along with the commit, so that subscribers need not query them again. */
  async #readCommittedFlags(): Promise<void> {
    const { dialect, connection } = this.#deps
    const changed = [...this.#changed, ...this.#inFlight.flatMap(({ issued }) => issued.changed ?? [])]
    const after = await readChangedFlags(createTransaction(dialect, connection), changed)
    for (const one of changed) one.committed = after
  }

  /**
   * Handles a commit that failed because of one change. Nothing was stored, and the other changes run again without
   * that change.
   */
  #retryWithout({ queued, end }: FinishedChange, again: readonly QueuedChange[]): BatchOutcome {
    const all = [...this.#ended, ...this.#inFlight].map((one) => one.queued)
    if ('error' in end && this.#shouldRetry([queued], end.error)) return { ended: [], again: [...all, ...again] }
    return { ended: [{ queued, end }], again: [...all.filter((one) => one !== queued), ...again] }
  }

  /**
   * Handles a failed commit. Either nothing was stored, or the outcome is unknown. Changes that had been rejected fail
   * with the same error, because their rejection may depend on another change in the batch.
   */
  async #failAll(error: unknown, again: readonly QueuedChange[]): Promise<BatchOutcome> {
    await this.#rollback()
    const lost = this.#ended.map(({ queued }) => queued)
    if (this.#shouldRetry(lost, error)) return { ended: [], again: [...lost, ...again] }
    return { ended: lost.map((queued) => ({ queued, end: { error } })), again }
  }

  #shouldRetry(changes: readonly QueuedChange[], error: unknown): boolean {
    return this.#deps.shouldRetry(changes, error)
  }

  /** Returns true if the rollback succeeded; otherwise the connection is not used again. */
  async #rollback(): Promise<boolean> {
    return this.#deps.dialect.rollback(this.#deps.connection).then(
      () => true,
      () => false,
    )
  }
}

function findLastError(ended: readonly FinishedChange[]): unknown {
  const last = ended.findLast(({ end }) => 'error' in end)?.end
  return last !== undefined && 'error' in last ? last.error : new Error('The transaction was lost')
}
