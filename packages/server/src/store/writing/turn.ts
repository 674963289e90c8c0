import type { DatabaseConnection } from 'kysely'
import type { ReadAhead, Tx } from '../database.ts'
import { transactionOn } from '../transaction-on.ts'
import { ChangeConnection } from './change-connection.ts'
import { type Asked, ChangeGroup, type End, type WriterDialect } from './change-group.ts'
import { readChangedFlags } from './changed-flag-reads.ts'
import type { ChangedFlags } from './changed-flags.ts'

/** A change that waits for its turn. */
export interface Waiting {
  readonly change: (tx: Tx, known: Promise<unknown> | undefined) => Promise<unknown>
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
  ahead: ReadAhead<unknown> | undefined
  tries: number
}

/** How a change of a group ended, before anybody was told. */
export interface Ended {
  readonly of: Waiting
  readonly end: End
}

/** What became of a group. */
export interface GroupEnd {
  readonly ended: readonly Ended[]
  /** To be done again, before everything else. */
  readonly again: readonly Waiting[]
}

/** A change whose last answers are to come. */
interface Going {
  readonly of: Waiting
  readonly asked: Asked
}

/** What a turn needs. */
export interface TurnDeps {
  readonly dialect: WriterDialect
  readonly connection: DatabaseConnection
  readonly longestTurnMs: number
  /** Whether changes that failed together are to run again; counts that they did. */
  readonly isToRepeat: (changes: readonly Waiting[], error: unknown) => boolean
}

/**
 * The changes of a group in one transaction. What they want to know first is asked at once. Each begins when the one
 * before it asks nothing more, so that their statements travel together; where those of one fail, what was begun behind
 * it is begun anew. The commit travels with the last ones.
 */
export class Turn {
  readonly #deps: TurnDeps
  readonly #changes: ChangeGroup
  readonly #reading: ChangeConnection
  readonly #known = new Map<Waiting, Promise<unknown>>()
  readonly #ended: Ended[] = []
  #hasEvents = false
  /** By changes whose end is known. */
  readonly #changed: ChangedFlags[] = []
  /** Those that began, from the first one on whose end is not known. */
  #going: Going[] = []

  constructor(deps: TurnDeps) {
    this.#deps = deps
    this.#changes = new ChangeGroup(deps.dialect, deps.connection)
    this.#reading = new ChangeConnection(deps.connection, deps.dialect, () => {})
  }

  /** Rejects where the transaction could not begin. */
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

  /** Of those that touch nothing that one before them touches. */
  #readAhead(group: readonly Waiting[]): void {
    const tx = transactionOn(this.#deps.dialect, this.#reading)
    const touched = new Set<string>()
    for (const of of group) {
      // it may touch anything
      if (of.ahead === undefined) return
      const { about, read } = of.ahead
      if (touched.has(about)) continue
      touched.add(about)
      const known = read(tx)
      known.catch(() => {})
      this.#known.set(of, known)
    }
  }

  /** What was asked for one of them has failed them all: each asks for itself, and nobody is told. */
  async #readByThemselves(group: readonly Waiting[]): Promise<GroupEnd> {
    await Promise.all(this.#going.map(({ asked }) => asked.end))
    await this.#rollback()
    for (const of of group) of.ahead = undefined
    return { ended: [], again: group }
  }

  /** Runs changes; answers with those that are to run again or did not run. */
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
   * Waits for those that are going and notes how they ended. One that failed is undone with all that were begun behind
   * it; answers with how many are to begin anew, and whether it is among them, to run in another turn.
   */
  async #settle(): Promise<{ readonly anew: number; readonly isToRepeat: boolean }> {
    const going = this.#going.splice(0)
    for (const [place, one] of going.entries()) {
      const end = await one.asked.end
      if ('error' in end) {
        const behind = going.slice(place + 1).map(({ asked }) => asked)
        await Promise.all(behind.map((asked) => asked.end))
        await this.#changes.undo(one.asked, behind)
        // against whom it lost may wait for what is in this transaction already
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
    // without a hint among its statements, a commit would not say that one has failed
    const sent = this.#changes.isOver
      ? Promise.reject(lastErrorOf(this.#ended))
      : dialect.commit(connection, this.#hasEvents || going.length > 0)
    // what was sent before the commit is the reason where it failed
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

  /** Reads with the commit how flags are then; who shows them need not ask again. */
  async #look(): Promise<void> {
    const { dialect, connection } = this.#deps
    const changed = [...this.#changed, ...this.#going.flatMap(({ asked }) => asked.changed ?? [])]
    const after = await readChangedFlags(transactionOn(dialect, connection), changed)
    for (const one of changed) one.after = after
  }

  /** One change has failed the commit, and nothing is kept: the others run again, without it. */
  #without({ of, end }: Ended, again: readonly Waiting[]): GroupEnd {
    const all = [...this.#ended, ...this.#going].map((one) => one.of)
    if ('error' in end && this.#isToRepeat([of], end.error)) return { ended: [], again: [...all, ...again] }
    return { ended: [{ of, end }], again: [...all.filter((one) => one !== of), ...again] }
  }

  /** Nothing is kept, or nobody knows: refusals too, for they may have been for the sake of another change of the group. */
  async #lost(error: unknown, again: readonly Waiting[]): Promise<GroupEnd> {
    await this.#rollback()
    const lost = this.#ended.map(({ of }) => of)
    if (this.#isToRepeat(lost, error)) return { ended: [], again: [...lost, ...again] }
    return { ended: lost.map((of) => ({ of, end: { error } })), again }
  }

  #isToRepeat(changes: readonly Waiting[], error: unknown): boolean {
    return this.#deps.isToRepeat(changes, error)
  }

  /** Whether it did; a connection that cannot even do this is not used again. */
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
