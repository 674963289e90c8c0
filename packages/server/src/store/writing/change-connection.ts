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
import { refuseUnstorable } from '../errors.ts'

const NOTHING: QueryResult<never> = { rows: [] }

/** What a connection for changes can do. */
export interface ConnectionTraits {
  /**
   * Statements may be sent before the ones before have answered, and after one that fails all others of its transaction
   * fail as well. Then a statement that answers no rows is not waited for: its error is that of the whole change.
   */
  readonly isPipelined: boolean
}

/**
 * A connection as one change sees it, until the change ends. How many rows a statement without `returning` has touched
 * may not be known: ask for the rows.
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

  /** Whether a statement has failed, as far as is known. */
  get hasFailed(): boolean {
    return this.#failures.length > 0
  }

  /** Whether there is something to undo: a statement that may have written, or one that failed. */
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
    if (this.#traits.isPipelined && answersNothing(query.query)) {
      this.#unanswered.push(sent.catch((error) => this.#fail(error)))
      return NOTHING
    }
    try {
      return await sent
    } catch (error) {
      // what was sent before answers before, and is the reason where it failed
      await Promise.all(this.#unanswered)
      this.#fail(error)
      throw this.#failures[0]
    }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for it, nothing here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming queries are not used')
  }

  /** Takes no more statements and waits for those that were not waited for. Rejects with the first error of any. */
  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#unanswered)
    this.#throwFirst()
  }

  /** Known before anything is sent behind it, as the database will not say so. */
  #refuse({ parameters }: CompiledQuery): void {
    try {
      refuseUnstorable(parameters)
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

/** Whether a statement writes and tells no rows of it. */
export function answersNothing(node: RootOperationNode): boolean {
  const isWrite = InsertQueryNode.is(node) || UpdateQueryNode.is(node) || DeleteQueryNode.is(node)
  return isWrite && node.returning === undefined
}
