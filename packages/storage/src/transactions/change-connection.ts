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
 * Maximum number of statements in flight. Without this limit, a change that writes millions of rows would keep all its
 * statements in memory, and would block the event loop until the last statement was sent.
 */
const MAX_UNANSWERED = 256
const SAVE = CompiledQuery.raw('savepoint change')
const RELEASE = CompiledQuery.raw('release savepoint change')
const UNDO = CompiledQuery.raw('rollback to savepoint change')

/**
 * Connection that a change uses until it ends. A statement can be sent before earlier statements are answered, because
 * once a statement fails, the database fails all later statements of the transaction. A statement that returns no rows
 * is not awaited unless many statements are in flight. If a statement that is not awaited fails, the whole change
 * fails. If a statement returns no rows, the number of rows that it affects is unknown; use `returning` to get it.
 */
export class ChangeConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  readonly #hasSavepoint: boolean
  readonly #unanswered = new Set<Promise<unknown>>()
  readonly #failures: unknown[] = []
  #hasBegun = false
  #isOver = false
  #isDirty = false

  /** @param traits `hasSavepoint`: true to create a savepoint before the first statement, which `undo` needs */
  constructor(connection: DatabaseConnection, traits: { readonly hasSavepoint: boolean }) {
    this.#connection = connection
    this.#hasSavepoint = traits.hasSavepoint
  }

  /** True if the change must be rolled back when it fails, because a statement may have written data or has failed. */
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
      // earlier statements are answered first; if one of them failed, that failure is the cause
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
   * Ends the change: rejects further statements and waits for the statements in flight. Rejects with the error of the
   * first statement that failed.
   */
  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#unanswered)
    this.#throwFirst()
    this.#release()
  }

  /**
   * Ends the change and undoes its statements. Resolves with false if the statements cannot be undone, in which case
   * the whole transaction must be rolled back. Never rejects.
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

  /** Releases the savepoint without waiting for the answer: if the release fails, the commit fails as well. */
  #release(): void {
    if (this.#hasSavepoint && this.#hasBegun) this.#connection.executeQuery(RELEASE).catch(() => {})
  }

  /**
   * Rejects parameters that the database cannot store, because the database itself would report no error. Rejects them
   * before any later statement is sent.
   */
  #requireStorable({ parameters }: CompiledQuery): void {
    try {
      requireStorable(parameters)
    } catch (error) {
      // the statement was not sent, so it does not need to be undone
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

/** Returns true for a statement that writes data and has no `returning` clause. */
export function isWriteWithoutResult(node: RootOperationNode): boolean {
  const isWrite = InsertQueryNode.is(node) || UpdateQueryNode.is(node) || DeleteQueryNode.is(node)
  return isWrite && node.returning === undefined
}
