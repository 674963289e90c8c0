/** Startup configuration of a connection thread. */
export interface ThreadConfig {
  readonly file: string
  /** True for the one connection that writes; SQLite rejects writes on any other. */
  readonly isWriter: boolean
  /** Columns that hold JSON. Their text crosses threads unchanged and is parsed once, by the receiver. */
  readonly jsonColumns: readonly string[]
  /** Number of result parts that were taken; the thread is at most two parts ahead. */
  readonly taken: Int32Array<SharedArrayBuffer>
}

/** Job for a thread. Jobs arrive in lists, run one at a time and in order, and have one outcome each. */
export type Job =
  /**
   * Statement, preceded by others without results whose errors count as its own. Stops between two rows at the time
   * limit.
   */
  | {
      readonly kind: 'rows' | 'run'
      readonly before: readonly string[]
      readonly sql: string
      readonly parameters: readonly unknown[]
      readonly limitMs: number
    }
  /** Commits. A writer checks before and after that its file is in place, and reports the state of the database. */
  | { readonly kind: 'commit'; readonly before: readonly string[] }
  /** No-op if SQLite has already ended the transaction. */
  | { readonly kind: 'rollback' }
  /** Starts watching the file, once the tables exist: from now on it must stay in place. */
  | { readonly kind: 'watch' }
  /**
   * Moves the write-ahead log into the file and empties it, unless a reader is active. Runs outside of transactions.
   */
  | { readonly kind: 'truncate-log' }
  | { readonly kind: 'close' }

/** Error on its way to another thread. */
export interface SentError {
  readonly message: string
  readonly code?: unknown
  readonly errcode?: unknown
  /** Class of the error, if it is one of ours. */
  readonly type?: 'gone' | 'late'
}

/** Outcome of a job. */
export interface Done {
  /** Last part of the rows, see `row-text.ts`. */
  readonly text?: string
  readonly changes?: number | bigint
  readonly lastInsertRowid?: number | bigint
  /** State of the database after a commit: epoch, last event and its creation time. */
  readonly mark?: { readonly epoch: string | null; readonly id: number | null; readonly madeAt: number | null }
  readonly error?: SentError
}

/** Message of a thread: a part of the rows of the current job as text, or the outcomes of the next jobs, in order. */
export type Answers = string | readonly Done[]
