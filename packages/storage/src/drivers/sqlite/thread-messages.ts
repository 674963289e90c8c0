/** Configuration with which a connection thread starts. */
export interface ThreadConfig {
  readonly file: string
  /** True for the one connection that may write. On all other connections, SQLite rejects writes. */
  readonly isWriter: boolean
  /**
   * Names of the columns that contain JSON. The text of JSON columns is sent unchanged between threads, and the
   * receiver parses it once.
   */
  readonly jsonColumns: readonly string[]
  /**
   * Number of parts of a result that the receiver has taken. The thread never gets more than two parts ahead of the
   * receiver.
   */
  readonly partsTaken: Int32Array<SharedArrayBuffer>
  /** Memory of the thread in bytes, by MEMORY_FIELDS. The thread updates it regularly. */
  readonly memory: Int32Array<SharedArrayBuffer>
}

/** Indexes in `ThreadConfig.memory`: cached statements in SQLite, and the heap of the thread. */
export const MEMORY_FIELDS = { statements: 0, heap: 1 } as const

/**
 * Job that a thread runs. Each message contains a list of jobs. The thread runs the jobs in order, one at a time, and
 * sends one outcome per job.
 */
export type Job =
  /**
   * Executes the statements in `before`, which return no rows, and then the statement of this job. If any statement
   * fails, the job fails. When the time limit is reached, stops after the current row.
   */
  | {
      readonly kind: 'rows' | 'run'
      readonly before: readonly string[]
      readonly sql: string
      readonly parameters: readonly unknown[]
      readonly limitMs: number
    }
  /**
   * Commits a transaction. On the connection that writes, also checks before and after a commit that the database file
   * is still in place, and reports the state of the database.
   */
  | { readonly kind: 'commit'; readonly before: readonly string[] }
  /** Rolls a transaction back. Has no effect if SQLite has already ended the transaction. */
  | { readonly kind: 'rollback' }
  /** From now on, each commit checks that the database file is still in place. Sent after the tables were created. */
  | { readonly kind: 'watch' }
  /**
   * Copies the write-ahead log into the database file and empties it, unless a reader is active. Runs only outside of
   * transactions.
   */
  | { readonly kind: 'truncate-log' }
  | { readonly kind: 'close' }

/** Error in a form that can be sent to another thread. */
export interface SerializedError {
  readonly message: string
  readonly code?: unknown
  readonly errcode?: unknown
  /** Name of the error class, if this program defines the class. */
  readonly type?: 'gone' | 'late'
}

/** Outcome of a job. */
export interface JobOutcome {
  /** Remaining rows in the form of `row-text.ts`. */
  readonly text?: string
  readonly changes?: number | bigint
  readonly lastInsertRowid?: number | bigint
  /** State of the database after a commit: its epoch, and its last event with the creation time. */
  readonly position?: { readonly epoch: string | null; readonly id: number | null; readonly madeAt: number | null }
  readonly error?: SerializedError
}

/**
 * Message from a thread. A string is part of the result of the job that is currently running. A list contains the
 * outcomes of the next jobs, in the order of the jobs.
 */
export type ThreadMessage = string | readonly JobOutcome[]
