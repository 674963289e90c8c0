import {
  CompiledQuery,
  type DatabaseConnection,
  DeleteQueryNode,
  InsertQueryNode,
  type QueryResult,
  type RootOperationNode,
  SelectQueryNode,
  UpdateQueryNode,
} from 'kysely'
import { requireStorable } from '../errors.ts'

const NO_ROWS: QueryResult<never> = { rows: [] }
/**
 * Maximum number of statements without an answer. A change that writes millions of rows would otherwise hold all of
 * them in memory, and keep the event loop from other work until the last one is sent.
 */
const MAX_UNANSWERED = 256
const SAVE = CompiledQuery.raw('savepoint change')
const RELEASE = CompiledQuery.raw('release savepoint change')
const UNDO = CompiledQuery.raw('rollback to savepoint change')

/**
 * Connection that a change uses until it ends. Statements can be sent before earlier ones have answered, because a
 * failed statement makes all later ones of its transaction fail. A statement that returns no rows is not awaited,
 * unless many are unanswered: its error fails the whole change, and the number of rows that it affected is unknown; use
 * `returning` to get it.
 */
export class ChangeConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  readonly #hasSavepoint: boolean
  readonly #unanswered = new Set<Promise<unknown>>()
  readonly #failures: unknown[] = []
  #hasBegun = false
  #isOver = false
  #isDirty = false

  /** @param traits `hasSavepoint`: true to create a savepoint before the first statement, so that `undo` works */
  constructor(connection: DatabaseConnection, traits: { readonly hasSavepoint: boolean }) {
    this.#connection = connection
    this.#hasSavepoint = traits.hasSavepoint
  }

  /** True if there is something to undo: a statement that may have written, or one that failed. */
  get isDirty(): boolean {
    return this.#isDirty
  }

  /** True if a statement is known to have failed. */
  get hasFailed(): boolean {
    return this.#failures.length > 0
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isOver) throw new Error('The change that this transaction belongs to has ended')
    this.#throwFirst()
    this.#requireStorable(query)
    this.#begin()
    if (!SelectQueryNode.is(query.query)) this.#isDirty = true
    const sent = this.#connection.executeQuery<R>(query)
    if (isWriteWithoutResult(query.query)) {
      this.#follow(sent)
      if (this.#unanswered.size >= MAX_UNANSWERED) await Promise.all(this.#unanswered)
      return NO_ROWS
    }
    try {
      return await sent
    } catch (error) {
      // earlier statements answer first; if one of them failed, it is the cause of the failure
      await Promise.all(this.#unanswered)
      this.#fail(error)
      throw this.#failures[0]
    }
  }

  // biome-ignore lint/correctness/useYield: the interface requires a generator, and this one emits nothing
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming queries are not used')
  }

  /**
   * Ends the change: rejects further statements and waits for the statements in flight. Rejects with the first error of
   * any statement.
   */
  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#unanswered)
    this.#throwFirst()
    this.#release()
  }

  /**
   * Ends the change and undoes its statements. Resolves with false if that is not possible; the transaction must then
   * be rolled back. Never rejects.
   */
  async undo(): Promise<boolean> {
    this.#isOver = true
    await Promise.all(this.#unanswered)
    if (this.#isDirty && !this.#hasSavepoint) return false
    const undone = this.#isDirty ? this.#connection.executeQuery(UNDO) : Promise.resolve()
    this.#release()
    return undone.then(
      () => true,
      () => false,
    )
  }

  #begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    if (this.#hasSavepoint) this.#follow(this.#connection.executeQuery(SAVE))
  }

  /** The release of the savepoint is not awaited: if it fails, the commit fails as well. */
  #release(): void {
    if (this.#hasSavepoint && this.#hasBegun) this.#connection.executeQuery(RELEASE).catch(() => {})
  }

  /**
   * Rejects unstorable parameters before later statements are sent, because the database reports no error for such
   * parameters.
   */
  #requireStorable({ parameters }: CompiledQuery): void {
    try {
      requireStorable(parameters)
    } catch (error) {
      // nothing was sent, so there is nothing to undo
      this.#failures.push(error)
      throw error
    }
  }

  #follow(sent: Promise<unknown>): void {
    const answered = sent.catch((error: unknown) => this.#fail(error)).finally(() => this.#unanswered.delete(answered))
    this.#unanswered.add(answered)
  }

  #fail(error: unknown): void {
    this.#isDirty = true
    this.#failures.push(error)
  }

  #throwFirst(): void {
    if (this.#failures.length > 0) throw this.#failures[0]
  }
}

/** Returns true for a write without `returning`. */
export function isWriteWithoutResult(node: RootOperationNode): boolean {
  const isWrite = InsertQueryNode.is(node) || UpdateQueryNode.is(node) || DeleteQueryNode.is(node)
  return isWrite && node.returning === undefined
}
