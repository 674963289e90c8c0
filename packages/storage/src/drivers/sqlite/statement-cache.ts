import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ColumnNames } from './row-text.ts'

/**
 * Prepared statement with its column names. The names are cached when the first row is read, because querying the names
 * costs more than reading most rows.
 */
export interface Prepared {
  readonly statement: StatementSync
  columns?: ColumnNames
}

/** Maximum number of cached statements. */
const MAX_STATEMENTS = 500
/**
 * Maximum number of characters of all cached statements. SQLite needs up to 75 bytes per character, so a connection
 * caches up to 10 MB. V8 does not see this memory, and would not collect garbage to free it.
 */
const MAX_CHARACTERS = 131_072
/**
 * Maximum number of characters of a cached statement, so that a single statement does not evict most other statements.
 */
const MAX_STATEMENT_CHARACTERS = 16_384
/** Matches statements that change the columns of tables. */
const DDL_STATEMENT = /^\s*(alter|create|drop)\s/i

/**
 * Cache of the prepared statements of a connection. Statements with lists differ by the length of the list, so there
 * can be thousands of statements.
 */
export class StatementCache {
  readonly #database: DatabaseSync
  /** Statements by their text, least recently used first. */
  readonly #statements = new Map<string, Prepared>()
  #characters = 0
  /** Last statement that was too long for the cache. Closed at the next call. */
  #uncached: Prepared | undefined

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** Number of cached statements, and of their characters. */
  get size(): { readonly statements: number; readonly characters: number } {
    return { statements: this.#statements.size, characters: this.#characters }
  }

  /** Returns a statement that is valid until the next call. */
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

  #evictUntil(isDone: () => boolean): void {
    for (const [sql, prepared] of this.#statements) {
      if (isDone()) return
      this.#statements.delete(sql)
      this.#characters -= sql.length
      close(prepared)
    }
  }
}

/** Frees the memory of a statement. Older versions of Node.js free the memory only when they collect garbage. */
function close({ statement }: Prepared): void {
  if ('close' in statement && typeof statement.close === 'function') statement.close()
}
