import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ColumnNames } from './row-text.ts'

/**
 * Prepared statement, together with its column names. Column names are cached when the first row is read, because
 * querying them costs more than reading most rows.
 */
export interface Prepared {
  readonly statement: StatementSync
  columns?: ColumnNames
}

/** Maximum number of cached statements. */
const MAX_STATEMENTS = 500
const MAX_BYTES_PER_CHARACTER = 75
/**
 * Maximum total number of characters in all cached statements. SQLite needs up to 75 bytes for each character, so a
 * connection caches at most about 10 MB. V8 does not know about this memory, so it would not collect garbage to free
 * it.
 */
const MAX_CHARACTERS = 131_072
/**
 * Maximum number of characters in a cached statement, so that a single long statement does not evict most of the
 * others.
 */
const MAX_STATEMENT_CHARACTERS = 16_384
/** Matches SQL statements that change the columns of tables. */
const DDL_STATEMENT = /^\s*(alter|create|drop)\s/i

/**
 * Cache of the prepared statements of a connection. Statements that contain lists differ in the length of the list, so
 * there can be thousands of them.
 */
export class StatementCache {
  readonly #database: DatabaseSync
  /** Statements by their SQL, least recently used first. */
  readonly #statements = new Map<string, Prepared>()
  #characters = 0
  /** Last statement that was too long to be cached. It is closed at the next call. */
  #uncached: Prepared | undefined

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** Number of cached statements, and their total number of characters. */
  get size(): { readonly statements: number; readonly characters: number } {
    return { statements: this.#statements.size, characters: this.#characters }
  }

  /** Memory that SQLite uses for the cached statements, in bytes. Estimated by versions of Node.js before 26. */
  get bytes(): number {
    let bytes = 0
    for (const { statement } of this.#statements.values()) {
      const measured = measure(statement)
      if (measured === undefined) return this.#characters * MAX_BYTES_PER_CHARACTER
      bytes += measured
    }
    return bytes
  }

  /** Returns a prepared statement, which is valid until the next call. */
  prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known !== undefined) {
      this.#statements.delete(sql)
      this.#statements.set(sql, known)
      return known
    }
    if (DDL_STATEMENT.test(sql)) this.#evictUntil(() => this.#statements.size === 0)
    if (this.#uncached !== undefined) close(this.#uncached)
    this.#uncached = undefined
    const prepared: Prepared = { statement: this.#database.prepare(sql) }
    prepared.statement.setReturnArrays?.(true)
    if (sql.length > MAX_STATEMENT_CHARACTERS) {
      this.#uncached = prepared
      return prepared
    }
    const hasRoom = () => this.#statements.size < MAX_STATEMENTS && this.#characters + sql.length <= MAX_CHARACTERS
    this.#evictUntil(hasRoom)
    this.#statements.set(sql, prepared)
    this.#characters += sql.length
    return prepared
  }

  /**
   * Closes a statement that has failed. SQLite reports the error of a failed statement once more when the statement is
   * reset for its next execution.
   */
  discard(sql: string): void {
    const known = this.#statements.get(sql)
    if (known === undefined) return
    this.#statements.delete(sql)
    this.#characters -= sql.length
    close(known)
  }

  #evictUntil(isDone: () => boolean): void {
    for (const [sql, prepared] of this.#statements) {
      if (isDone()) return
      this.#statements.delete(sql)
      this.#characters -= sql.length
      close(prepared)
    }
  }
}

/** Returns the memory that SQLite uses for a statement. Undefined if this version of Node.js cannot measure it. */
function measure(statement: StatementSync & { stat?(counter: 'memused'): number }): number | undefined {
  return statement.stat?.('memused')
}

/**
 * Frees the memory that a statement uses. Older versions of Node.js free this memory only when they collect garbage.
 */
function close({ statement }: Prepared): void {
  if ('close' in statement && typeof statement.close === 'function') statement.close()
}
