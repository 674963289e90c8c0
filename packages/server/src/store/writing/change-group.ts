import { CompiledQuery, type DatabaseConnection, type KyselyProps } from 'kysely'
import type { Tx } from '../database.ts'
import { transactionOn } from '../transaction-on.ts'
import { ChangeConnection, type ConnectionTraits } from './change-connection.ts'
import { LastAnswer, type LastSaid } from './last-answer.ts'

/** What a database does at the ends of a transaction for changes. */
export interface WriterDialect extends ConnectionTraits, KyselyProps {
  /** Begins one and takes the writer lock. */
  begin(connection: DatabaseConnection): Promise<void>
  /** Commits it; other nodes hear of the last event where there are events in it. */
  commit(connection: DatabaseConnection, hasEvents: boolean): Promise<void>
  rollback(connection: DatabaseConnection): Promise<void>
}

/** How a change ended. */
export type End = { readonly result: unknown } | { readonly error: unknown }

/** A change that asks nothing more. */
export interface Asked extends LastSaid {
  /** False where it is known already that it failed: its last answers are still to come otherwise. */
  readonly isGoing: boolean
  /** Comes when all that it has sent was answered. Never rejects. */
  readonly end: Promise<End>
  /** Whether its savepoint is there; never rejects. */
  readonly saved: Promise<boolean>
  /** How its statements went, as far as is known. */
  readonly connection: Pick<ChangeConnection, 'isDirty' | 'hasFailed'>
}

const SAVE = CompiledQuery.raw('savepoint change')
const RELEASE = CompiledQuery.raw('release savepoint change')
const UNDO = CompiledQuery.raw('rollback to savepoint change')

/**
 * A transaction in which changes run one after the other. All but the first have a savepoint, so that one that fails
 * takes nothing of the others with it; what the first leaves behind when it fails goes with the transaction, which is
 * its own.
 */
export class ChangeGroup {
  readonly #dialect: WriterDialect
  readonly #connection: DatabaseConnection
  /** Changes that are in the transaction, as far as is known. */
  #size = 0
  #isOver = false
  #hasSavepoint = false
  /** Since the savepoint. */
  #isWritten = false
  #saved: Promise<boolean> = Promise.resolve(true)

  constructor(dialect: WriterDialect, connection: DatabaseConnection) {
    this.#dialect = dialect
    this.#connection = connection
  }

  /** Whether the transaction is lost, with all that was in it. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Runs a change until it asks nothing more; it is in the group then, unless it is undone. Never rejects. */
  async run(change: (tx: Tx) => Promise<unknown>): Promise<Asked> {
    const save = this.#size === 0 ? () => {} : () => this.#save()
    const connection = new ChangeConnection(this.#connection, this.#dialect, save)
    const asked = await this.#ask(change, connection)
    this.#size += 1
    this.#isWritten ||= connection.isDirty
    return { ...asked, connection, saved: this.#saved }
  }

  async #ask(change: (tx: Tx) => Promise<unknown>, connection: ChangeConnection) {
    try {
      const returned = await change(transactionOn(this.#dialect, connection))
      const last =
        returned instanceof LastAnswer ? returned : { answer: returned, hasEvents: false, changed: undefined }
      const end: Promise<End> = Promise.all([last.answer, connection.end()]).then(
        ([result]) => ({ result }),
        (error: unknown) => ({ error }),
      )
      const { hasEvents, changed } = last
      return { isGoing: !connection.hasFailed, hasEvents, changed, end }
    } catch (error) {
      // what it has sent answers first
      await connection.end().catch(() => {})
      return { isGoing: false, hasEvents: false, end: Promise.resolve<End>({ error }) }
    }
  }

  /** Takes back a change that has failed, with those that were begun behind it: none of their statements was done. */
  async undo({ connection, saved }: Asked, behind: readonly Asked[]): Promise<void> {
    this.#size -= 1 + behind.length
    const touched = [connection, ...behind.map((one) => one.connection)]
    if (!touched.some(({ isDirty }) => isDirty)) return
    const isInnermost = behind.length === 0 || connection.hasFailed
    if (this.#size === 0 || !isInnermost || !(await saved)) return this.#lose()
    await this.#connection.executeQuery(UNDO).catch(() => this.#lose())
    this.#isWritten = false
    this.#saved = Promise.resolve(true)
  }

  /** Not waited for: where it fails, what comes after it does. */
  #save(): void {
    if (this.#hasSavepoint && !this.#isWritten) return
    const statements = this.#hasSavepoint ? [RELEASE, SAVE] : [SAVE]
    this.#saved = Promise.all(statements.map((one) => this.#connection.executeQuery(one))).then(
      () => true,
      () => false,
    )
    this.#hasSavepoint = true
    this.#isWritten = false
  }

  #lose(): void {
    this.#isOver = true
  }
}
