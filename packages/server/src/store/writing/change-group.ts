import { CompiledQuery, type DatabaseConnection, type KyselyProps } from 'kysely'
import type { Tx } from '../database.ts'
import { transactionOn } from '../transaction-on.ts'
import { ChangeConnection, type ConnectionTraits } from './change-connection.ts'

/** What a database does at the ends of a transaction for changes. */
export interface WriterDialect extends ConnectionTraits, KyselyProps {
  /** Begins one and takes the writer lock. */
  begin(connection: DatabaseConnection): Promise<void>
  /** Commits it; other nodes hear of the last event in it. */
  commit(connection: DatabaseConnection, lastEventId: number | undefined): Promise<void>
  rollback(connection: DatabaseConnection): Promise<void>
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
  #size = 0
  #isOver = false
  #hasSavepoint = false
  /** Nothing was written since the savepoint. */
  #isSaved = false

  constructor(dialect: WriterDialect, connection: DatabaseConnection) {
    this.#dialect = dialect
    this.#connection = connection
  }

  /** Whether the transaction is lost, with all that was in it. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Runs a change, which is in the group once this resolves. Rejects with what it throws: then it left nothing behind. */
  async add<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#size > 0) this.#save()
    const connection = new ChangeConnection(this.#connection, this.#dialect)
    try {
      const result = await change(transactionOn(this.#dialect, connection))
      await connection.end()
      this.#size += 1
      this.#isSaved &&= !connection.isDirty
      return result
    } catch (error) {
      // what it has sent answers first
      await connection.end().catch(() => {})
      if (connection.isDirty) await this.#undo()
      throw error
    }
  }

  /** Not waited for: where it fails, what comes after it does. */
  #save(): void {
    if (this.#isSaved) return
    if (this.#hasSavepoint) this.#connection.executeQuery(RELEASE).catch(() => this.#lose())
    this.#connection.executeQuery(SAVE).catch(() => this.#lose())
    this.#hasSavepoint = true
    this.#isSaved = true
  }

  async #undo(): Promise<void> {
    if (this.#size === 0) return this.#lose()
    await this.#connection.executeQuery(UNDO).catch(() => this.#lose())
    this.#isSaved = true
  }

  #lose(): void {
    this.#isOver = true
  }
}
