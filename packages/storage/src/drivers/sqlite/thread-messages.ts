/** Startup configuration of a connection thread. */
export interface ThreadConfig {
  readonly file: string
  /** True for the only connection that writes. On all other connections, SQLite rejects writes. */
  readonly isWriter: boolean
  /**
   * Names of the columns that hold JSON. The text of JSON columns is sent between threads unchanged, and the receiver
   * parses it once.
   */
  readonly jsonColumns: readonly string[]
  /** Number of result parts that the receiver has taken. The thread stays at most two parts ahead of the receiver. */
  readonly partsTaken: Int32Array<SharedArrayBuffer>
}

/**
 * Job for a thread. A message contains a list of jobs. The thread runs the jobs one at a time, in order, and sends one
 * outcome for each job.
 */
export type Job =
  /**
   * Executes the statements in `before`, which return no rows, and then the statement of this job. If any statement
   * fails, the job fails. When the time limit is reached, stops between two rows.
   */
  | {
      readonly kind: 'rows' | 'run'
      readonly before: readonly string[]
      readonly sql: string
      readonly parameters: readonly unknown[]
      readonly limitMs: number
    }
  /**
   * Commits a transaction. On the writing connection, also checks before and after the commit that the database file is
   * in place, and reports the state of the database.
   */
  | { readonly kind: 'commit'; readonly before: readonly string[] }
  /** Rolls a transaction back. No-op if SQLite has already ended the transaction. */
  | { readonly kind: 'rollback' }
  /** Makes later commits check that the database file is still in place. Sent once the tables exist. */
  | { readonly kind: 'watch' }
  /**
   * Copies the write-ahead log into the database file and empties it, unless a reader is active. Runs outside of
   * transactions.
   */
  | { readonly kind: 'truncate-log' }
  | { readonly kind: 'close' }

/** Error in a form that can be sent to another thread. */
export interface SerializedError {
  readonly message: string
  readonly code?: unknown
  readonly errcode?: unknown
  /** Class of the error, if this program defines it. */
  readonly type?: 'gone' | 'late'
}

/** Outcome of a job. */
export interface JobOutcome {
  /** Rest of the rows, see `row-text.ts`. */
  readonly text?: string
  readonly changes?: number | bigint
  readonly lastInsertRowid?: number | bigint
  /** State of the database after a commit: epoch, last event and its creation time. */
  readonly position?: { readonly epoch: string | null; readonly id: number | null; readonly madeAt: number | null }
  readonly error?: SerializedError
}

/**
 * Message from a thread. A string is a part of the rows of the job that is running. A list contains the outcomes of the
 * next jobs, in order.
 */
export type ThreadMessage = string | readonly JobOutcome[]
