/** What the thread of a connection is told when it begins. */
export interface ThreadConfig {
  readonly file: string
  /** One connection writes; a write over any other fails in SQLite itself. */
  readonly isWriter: boolean
  /** Columns that hold JSON: they cross the threads as what they are, and are parsed once, by whoever reads them. */
  readonly jsonColumns: readonly string[]
  /** Counts the parts of results that were taken: the thread goes no further ahead than two. */
  readonly taken: Int32Array<SharedArrayBuffer>
}

/** What a thread is asked to do, in lists: one at a time, in their order, with one end each. */
export type Job =
  /** Statements without results go before; they fail like the statement itself. Stops between two rows at the limit. */
  | {
      readonly kind: 'rows' | 'run'
      readonly before: readonly string[]
      readonly sql: string
      readonly parameters: readonly unknown[]
      readonly limitMs: number
    }
  /** Commits; a writer makes sure before and after that its file is where it was, and tells what the database holds. */
  | { readonly kind: 'commit'; readonly before: readonly string[] }
  /** Harmless where SQLite has ended the transaction by itself. */
  | { readonly kind: 'rollback' }
  /** The tables are there: the file is the one to be found from now on. */
  | { readonly kind: 'watch' }
  /** Moves the write-ahead log into the file and empties it, unless somebody reads; outside of transactions. */
  | { readonly kind: 'truncate-log' }
  | { readonly kind: 'close' }

/** An error on its way to another thread. */
export interface SentError {
  readonly message: string
  readonly code?: unknown
  readonly errcode?: unknown
  /** What of ours it is, if anything. */
  readonly type?: 'gone' | 'late'
}

/** The end of a job. */
export interface Done {
  /** The last part of the rows, see `row-text.ts`. */
  readonly text?: string
  readonly changes?: number | bigint
  readonly lastInsertRowid?: number | bigint
  /** What the database holds after a commit: epoch, last event, when that was made. */
  readonly mark?: { readonly epoch: string | null; readonly id: number | null; readonly madeAt: number | null }
  readonly error?: SentError
}

/** What a thread answers: a part of the rows of its job as text, or the ends of the next jobs, in their order. */
export type Answers = string | readonly Done[]
