import {
  type CompiledQuery,
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

/** Capabilities of a connection that runs changes. */
export interface ConnectionTraits {
  /**
   * True if statements can be sent before earlier ones have answered, and a failed statement makes all later statements
   * of its transaction fail. Statements that return no rows are then not awaited; if one of them fails, the whole
   * change fails.
   */
  readonly isPipelined: boolean
}

/**
 * Connection that one change uses until it ends. The number of rows affected by a statement may be unknown, unless the
 * statement uses `returning`.
 */
export class ChangeConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  readonly #traits: ConnectionTraits
  #open: (() => void) | undefined
  readonly #unanswered: Promise<unknown>[] = []
  readonly #failures: unknown[] = []
  #isOver = false
  #isDirty = false

  /** @param open called before the first statement */
  constructor(connection: DatabaseConnection, traits: ConnectionTraits, open: () => void) {
    this.#connection = connection
    this.#traits = traits
    this.#open = open
  }

  /** True if a statement is known to have failed. */
  get hasFailed(): boolean {
    return this.#failures.length > 0
  }

  /** True if there is something to undo: a statement that may have written, or one that failed. */
  get isDirty(): boolean {
    return this.#isDirty
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isOver) throw new Error('The change that this transaction belongs to has ended')
    this.#throwFirst()
    this.#refuse(query)
    this.#open?.()
    this.#open = undefined
    if (!SelectQueryNode.is(query.query)) this.#isDirty = true
    const sent = this.#connection.executeQuery<R>(query)
    if (this.#traits.isPipelined && isWriteWithoutResult(query.query)) {
      this.#unanswered.push(sent.catch((error) => this.#fail(error)))
      return NO_ROWS
    }
    try {
      return await sent
    } catch (error) {
      // earlier statements answer first, and if one of them failed, it is the cause
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
   * Rejects further statements, and waits for the statements in flight. Rejects with the first error of any statement.
   */
  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#unanswered)
    this.#throwFirst()
  }

  /**
   * Rejects parameters that cannot be stored before later statements are sent, because the database does not report
   * them.
   */
  #refuse({ parameters }: CompiledQuery): void {
    try {
      requireStorable(parameters)
    } catch (error) {
      // nothing was sent, so there is nothing to undo
      this.#failures.push(error)
      throw error
    }
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
