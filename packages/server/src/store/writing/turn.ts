import type { DatabaseConnection } from 'kysely'
import type { ReadAhead, Tx } from '../database.ts'
import { transactionOn } from '../transaction-on.ts'
import { ChangeConnection } from './change-connection.ts'
import { type Asked, ChangeGroup, type End, type WriterDialect } from './change-group.ts'
import { readChangedFlags } from './changed-flag-reads.ts'
import type { ChangedFlags } from './changed-flags.ts'

/** Queued change. */
export interface Waiting {
  readonly change: (tx: Tx, known: Promise<unknown> | undefined) => Promise<unknown>
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
  ahead: ReadAhead<unknown> | undefined
  tries: number
}

/** Outcome of a change, before its caller is notified. */
export interface Ended {
  readonly of: Waiting
  readonly end: End
}

/** Outcome of a batch. */
export interface GroupEnd {
  readonly ended: readonly Ended[]
  /** Changes to run again before any others. */
  readonly again: readonly Waiting[]
}

/** Change that has sent its last statements but has not received their results. */
interface Going {
  readonly of: Waiting
  readonly asked: Asked
}

/** Dependencies of a batch. */
export interface TurnDeps {
  readonly dialect: WriterDialect
  readonly connection: DatabaseConnection
  readonly longestTurnMs: number
  /** Returns true if changes that failed together should be retried, and counts the attempt. */
  readonly isToRepeat: (changes: readonly Waiting[], error: unknown) => boolean
}

/**
 * Runs a batch of changes in one transaction. Their read-ahead queries are sent first. Each change starts as soon as
 * the previous one has issued its last statement, so their statements are pipelined. If a statement fails, the changes
 * started after its change run again. The commit is sent behind the last statements.
 */
export class Turn {
  readonly #deps: TurnDeps
  readonly #changes: ChangeGroup
  readonly #reading: ChangeConnection
  readonly #known = new Map<Waiting, Promise<unknown>>()
  readonly #ended: Ended[] = []
  #hasEvents = false
  /** Flags that were modified by changes whose outcome is known. */
  readonly #changed: ChangedFlags[] = []
  /** Started changes whose outcome is not known yet, in order. */
  #going: Going[] = []

  constructor(deps: TurnDeps) {
    this.#deps = deps
    this.#changes = new ChangeGroup(deps.dialect, deps.connection)
    this.#reading = new ChangeConnection(deps.connection, deps.dialect, () => {})
  }

  /** Runs the batch. Rejects if the transaction cannot begin. */
  async play(group: readonly Waiting[]): Promise<GroupEnd> {
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
    if (this.#reading.hasFailed) return this.#readByThemselves(group)
    const isKept = this.#going.length > 0 || this.#ended.some(({ end }) => 'result' in end)
    if (isKept) return this.#commit(again)
    await this.#rollback()
    return { ended: this.#ended, again }
  }

  /** Reads ahead for each change that does not share its subject with an earlier one. */
  #readAhead(group: readonly Waiting[]): void {
    const tx = transactionOn(this.#deps.dialect, this.#reading)
    const touched = new Set<string>()
    for (const of of group) {
      // a change without read-ahead may touch anything
      if (of.ahead === undefined) return
      const { about, read } = of.ahead
      if (touched.has(about)) continue
      touched.add(about)
      const known = read(tx)
      known.catch(() => {})
      this.#known.set(of, known)
    }
  }

  /**
   * Retries the whole batch without read-ahead, because one failed read made all of them fail. No caller is notified.
   */
  async #readByThemselves(group: readonly Waiting[]): Promise<GroupEnd> {
    await Promise.all(this.#going.map(({ asked }) => asked.end))
    await this.#rollback()
    for (const of of group) of.ahead = undefined
    return { ended: [], again: group }
  }

  /** Runs changes; returns those that must run again or were not started. */
  async #run(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    const endMs = performance.now() + this.#deps.longestTurnMs
    let index = 0
    while (!this.#changes.isOver) {
      const of = index > 0 && performance.now() >= endMs ? undefined : group[index]
      let isGoing = this.#hasEvents || this.#going.some(({ asked }) => asked.hasEvents)
      if (of !== undefined) {
        const asked = await this.#changes.run((tx) => of.change(tx, this.#known.get(of)))
        this.#going.push({ of, asked })
        index += 1
        isGoing = asked.isGoing
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
   * Waits for the started changes and records their outcomes. Undoes a failed change and all changes started after it.
   * Returns how many must start again, and whether the failed change is among them, to be retried in another turn.
   */
  async #settle(): Promise<{ readonly anew: number; readonly isToRepeat: boolean }> {
    const going = this.#going.splice(0)
    for (const [place, one] of going.entries()) {
      const end = await one.asked.end
      if ('error' in end) {
        const behind = going.slice(place + 1).map(({ asked }) => asked)
        await Promise.all(behind.map((asked) => asked.end))
        await this.#changes.undo(one.asked, behind)
        // the winner of the conflict may be waiting for something that this transaction holds
        if (this.#isToRepeat([one.of], end.error)) return { anew: behind.length + 1, isToRepeat: true }
        this.#note(one, end)
        return { anew: behind.length, isToRepeat: false }
      }
      this.#note(one, end)
    }
    return { anew: 0, isToRepeat: false }
  }

  #note({ of, asked }: Going, end: End): void {
    this.#ended.push({ of, end })
    if ('error' in end) return
    this.#hasEvents ||= asked.hasEvents
    if (asked.changed !== undefined) this.#changed.push(asked.changed)
  }

  async #commit(again: readonly Waiting[]): Promise<GroupEnd> {
    const { dialect, connection } = this.#deps
    const going = this.#going
    const look = this.#changes.isOver ? undefined : this.#look()
    // without a notification among its statements, a commit would not reveal that one of them has failed
    const sent = this.#changes.isOver
      ? Promise.reject(lastErrorOf(this.#ended))
      : dialect.commit(connection, this.#hasEvents || going.length > 0)
    // statements sent before the commit are the cause if they failed
    const failed = Promise.all([look, sent]).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    const ends = await Promise.all(going.map(async (one) => ({ ...one, end: await one.asked.end })))
    const failure = await failed
    const first = ends.find(({ end }) => 'error' in end)
    if (failure !== undefined && first !== undefined && (await this.#rollback())) return this.#without(first, again)
    for (const { end, ...one } of ends) this.#note(one, end)
    return failure === undefined ? { ended: this.#ended, again } : this.#lost(failure.error, again)
  }

  /** Reads the changed flags along with the commit, so that subscribers need not query them again. */
  async #look(): Promise<void> {
    const { dialect, connection } = this.#deps
    const changed = [...this.#changed, ...this.#going.flatMap(({ asked }) => asked.changed ?? [])]
    const after = await readChangedFlags(transactionOn(dialect, connection), changed)
    for (const one of changed) one.after = after
  }

  /**
   * Handles a commit that failed because of one change: nothing was stored, and the other changes run again without it.
   */
  #without({ of, end }: Ended, again: readonly Waiting[]): GroupEnd {
    const all = [...this.#ended, ...this.#going].map((one) => one.of)
    if ('error' in end && this.#isToRepeat([of], end.error)) return { ended: [], again: [...all, ...again] }
    return { ended: [{ of, end }], again: [...all.filter((one) => one !== of), ...again] }
  }

  /**
   * Handles a failed commit: nothing was stored, or the outcome is unknown. Rejected changes fail as well, because they
   * may have been rejected because of another change in the batch.
   */
  async #lost(error: unknown, again: readonly Waiting[]): Promise<GroupEnd> {
    await this.#rollback()
    const lost = this.#ended.map(({ of }) => of)
    if (this.#isToRepeat(lost, error)) return { ended: [], again: [...lost, ...again] }
    return { ended: lost.map((of) => ({ of, end: { error } })), again }
  }

  #isToRepeat(changes: readonly Waiting[], error: unknown): boolean {
    return this.#deps.isToRepeat(changes, error)
  }

  /** Returns true if the rollback succeeded; otherwise the connection is not used again. */
  async #rollback(): Promise<boolean> {
    return this.#deps.dialect.rollback(this.#deps.connection).then(
      () => true,
      () => false,
    )
  }
}

function lastErrorOf(ended: readonly Ended[]): unknown {
  const last = ended.findLast(({ end }) => 'error' in end)?.end
  return last !== undefined && 'error' in last ? last.error : new Error('The transaction was lost')
}
