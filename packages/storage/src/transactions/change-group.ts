import { CompiledQuery, type DatabaseConnection, type KyselyProps } from 'kysely'
import { createTransaction } from '../connection-transactions.ts'
import type { Tx } from '../database.ts'
import { ChangeConnection, type ConnectionTraits } from './change-connection.ts'
import { PipelinedResult, type PipelinedResultInfo } from './pipelined-result.ts'

/** Database operations at the beginning and end of a transaction for changes. */
export interface WriterDialect extends ConnectionTraits, KyselyProps {
  /** Begins a transaction and takes the writer lock. */
  begin(connection: DatabaseConnection): Promise<void>
  /** Commits the transaction. If it contains events, also notifies other nodes of the last event. */
  commit(connection: DatabaseConnection, hasEvents: boolean): Promise<void>
  rollback(connection: DatabaseConnection): Promise<void>
}

/** Outcome of a change: its result or its error. */
export type ChangeOutcome = { readonly result: unknown } | { readonly error: unknown }

/** Change that has issued its last statement. */
export interface IssuedChange extends PipelinedResultInfo {
  /** False if the change has already failed. True if the results of its last statements are still in flight. */
  readonly isInFlight: boolean
  /** Outcome, once everything that the change sent has been answered. Never rejects. */
  readonly end: Promise<ChangeOutcome>
  /** True once the savepoint exists, false if it could not be created. Never rejects. */
  readonly saved: Promise<boolean>
  /** State of the statements, as far as it is known. */
  readonly connection: Pick<ChangeConnection, 'isDirty' | 'hasFailed'>
}

const SAVE = CompiledQuery.raw('savepoint change')
const RELEASE = CompiledQuery.raw('release savepoint change')
const UNDO = CompiledQuery.raw('rollback to savepoint change')

/**
 * Transaction in which changes run one after another. Every change except the first has a savepoint, so that a failed
 * change does not affect the others. If the first change fails after it has written, the transaction is abandoned.
 */
export class ChangeGroup {
  readonly #dialect: WriterDialect
  readonly #connection: DatabaseConnection
  /** Number of changes in the transaction, as far as is known. */
  #size = 0
  #isOver = false
  #hasSavepoint = false
  /** True if something was written since the savepoint. */
  #isWritten = false
  #saved: Promise<boolean> = Promise.resolve(true)

  constructor(dialect: WriterDialect, connection: DatabaseConnection) {
    this.#dialect = dialect
    this.#connection = connection
  }

  /** True if the transaction is lost, with everything in it. */
  get isOver(): boolean {
    return this.#isOver
  }

  /**
   * Runs a change until it has issued its last statement. The change then belongs to the group until it is undone.
   * Never rejects.
   */
  async run(change: (tx: Tx) => Promise<unknown>): Promise<IssuedChange> {
    const save = this.#size === 0 ? () => {} : () => this.#save()
    const connection = new ChangeConnection(this.#connection, this.#dialect, save)
    const asked = await this.#ask(change, connection)
    this.#size += 1
    this.#isWritten ||= connection.isDirty
    return { ...asked, connection, saved: this.#saved }
  }

  async #ask(change: (tx: Tx) => Promise<unknown>, connection: ChangeConnection) {
    try {
      const returned = await change(createTransaction(this.#dialect, connection))
      const last =
        returned instanceof PipelinedResult ? returned : { result: returned, hasEvents: false, changed: undefined }
      const end: Promise<ChangeOutcome> = Promise.all([last.result, connection.end()]).then(
        ([result]) => ({ result }),
        (error: unknown) => ({ error }),
      )
      const { hasEvents, changed } = last
      return { isInFlight: !connection.hasFailed, hasEvents, changed, end }
    } catch (error) {
      // statements in flight are answered first
      await connection.end().catch(() => {})
      return { isInFlight: false, hasEvents: false, end: Promise.resolve<ChangeOutcome>({ error }) }
    }
  }

  /**
   * Undoes a failed change and the changes that were started after it. None of the statements of the latter took
   * effect.
   */
  async undo({ connection, saved }: IssuedChange, behind: readonly IssuedChange[]): Promise<void> {
    this.#size -= 1 + behind.length
    const touched = [connection, ...behind.map((one) => one.connection)]
    if (!touched.some(({ isDirty }) => isDirty)) return
    const isInnermost = behind.length === 0 || connection.hasFailed
    if (this.#size === 0 || !isInnermost || !(await saved)) return this.#lose()
    await this.#connection.executeQuery(UNDO).catch(() => this.#lose())
    this.#isWritten = false
    this.#saved = Promise.resolve(true)
  }

  /** Not awaited: if a savepoint fails, so do the statements after it. */
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
