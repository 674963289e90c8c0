/**
 * Worker thread that runs one SQLite connection. SQLite blocks the thread that calls it, and the main thread must never
 * wait, because it serves SDKs. Started by `sqlite-thread.ts`. Except for the errors, this module imports nothing from
 * outside its folder.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { getHeapStatistics } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { DatabaseGone } from '../../errors.ts'
import { DataFile, findStats } from './data-file.ts'
import { type ColumnNames, RowText, toColumnNames } from './row-text.ts'
import { type Prepared, StatementCache } from './statement-cache.ts'
import {
  type Job,
  type JobOutcome,
  MEMORY_FIELDS,
  type SerializedError,
  type ThreadConfig,
  type ThreadMessage,
} from './thread-messages.ts'

const BUSY = 'PRAGMA busy_timeout=5000;'
const SQLITE_BUSY = 5
const MAX_TRIES = 100
const RETRY_MS = 20
/** Maximum length of one part of a result. The receiver can parse a part of this length in about a millisecond. */
const PART_CHARACTERS = 65_536
const MAX_PARTS_AHEAD = 2
/** Number of messages after which the thread reports its memory again. */
const MESSAGES_PER_REPORT = 100
/** Statement that begins a transaction for changes. */
const BEGIN_WRITING = 'BEGIN IMMEDIATE'
const ROLLBACK_TO = /^rollback to /i
const FROM_LAST_EVENT = 'from events order by id desc limit 1'
const SELECT_POSITION = `select (select min(epoch) from database_epoch) as epoch, (select id ${FROM_LAST_EVENT}) as id, (select created_at ${FROM_LAST_EVENT}) as madeAt`

class StatementTooLong extends Error {
  override readonly name = 'StatementTooLong'
}

class Connection {
  readonly #config: ThreadConfig
  readonly #database: DatabaseSync
  readonly #jsonColumns: ReadonlySet<string>
  readonly #statements: StatementCache
  readonly #sendPart: (text: string) => void
  #dataFile: DataFile | undefined
  #sent = 0
  #mark: StatementSync | undefined
  /**
   * Error of an earlier statement in the transaction. After such an error, all later statements of the transaction fail
   * as well, as on PostgreSQL.
   */
  #failure: unknown
  #hasLock = false

  constructor(config: ThreadConfig, sendPart: (text: string) => void) {
    this.#config = config
    this.#sendPart = sendPart
    this.#jsonColumns = new Set(config.jsonColumns)
    this.#database = new DatabaseSync(config.file, { readOnly: !config.isWriter })
    this.#statements = new StatementCache(this.#database)
    if (config.isWriter) this.#prepareFile()
    else this.#database.exec(BUSY)
  }

  /** Reports the memory of the connection and of its thread. */
  reportMemory(): void {
    const { memory } = this.#config
    Atomics.store(memory, MEMORY_FIELDS.statements, this.#statements.bytes)
    Atomics.store(memory, MEMORY_FIELDS.heap, getHeapStatistics().total_heap_size)
  }

  perform(job: Job): JobOutcome {
    switch (job.kind) {
      case 'rows':
      case 'run':
        return this.#execute(job)
      case 'commit':
        return this.#commit(job.before)
      case 'rollback':
        return this.#rollback()
      case 'watch':
        this.#dataFile = new DataFile(this.#config.file)
        return {}
      case 'truncate-log':
        // if a reader prevents the checkpoint, writers must not wait for that reader
        this.#database.exec(`PRAGMA busy_timeout=0; PRAGMA wal_checkpoint(TRUNCATE); ${BUSY}`)
        return {}
      case 'close':
        this.#database.close()
        return {}
    }
  }

  /**
   * Executes a statement. After a failure, all later statements of the transaction fail too, so that callers can send
   * statements without waiting for earlier results.
   */
  #execute(job: Job & { kind: 'rows' | 'run' }): JobOutcome {
    if (ROLLBACK_TO.test(job.sql)) this.#failure = undefined
    if (this.#failure !== undefined) throw new Error('The transaction has failed before', { cause: this.#failure })
    try {
      for (const sql of job.before) this.#database.exec(sql)
      const done = job.kind === 'rows' ? this.#read(job) : this.#run(job)
      this.#hasLock ||= job.sql === BEGIN_WRITING
      return done
    } catch (error) {
      this.#statements.discard(job.sql)
      if (this.#hasLock) this.#failure = error
      throw error
    }
  }

  #prepareFile(): void {
    // only for a new file: a file with tables stays in its current mode
    if ((findStats(this.#config.file)?.size ?? 0n) === 0n)
      this.#database.exec(`${BUSY} PRAGMA auto_vacuum=INCREMENTAL;`)
    this.#writeAhead()
    this.#database.exec(`${BUSY} PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA secure_delete=ON;`)
  }

  /**
   * Switches to write-ahead logging. Retries if another connection is switching at the same time, because SQLite does
   * not wait in this case.
   */
  #writeAhead(): void {
    for (let tries = 1; ; tries += 1) {
      try {
        this.#database.exec(`${BUSY} PRAGMA journal_mode=WAL;`)
        return
      } catch (error) {
        const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
        if (!isBusy || tries === MAX_TRIES) throw error
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
      }
    }
  }

  #run({ sql, parameters }: Job & { kind: 'rows' | 'run' }): JobOutcome {
    return this.#statements.prepare(sql).statement.run(...(parameters as SQLInputValue[]))
  }

  #read({ sql, parameters, limitMs }: Job & { kind: 'rows' | 'run' }): JobOutcome {
    const until = performance.now() + limitMs
    const prepared = this.#statements.prepare(sql)
    let text: RowText | undefined
    for (const row of prepared.statement.iterate(...(parameters as SQLInputValue[])) as Iterable<object>) {
      text ??= new RowText(this.#columnsOf(prepared, row))
      text.add(Array.isArray(row) ? row : Object.values(row))
      if (text.length > PART_CHARACTERS) this.#part(text.take(), until)
    }
    return text === undefined ? {} : { text: text.take() }
  }

  /**
   * Sends one part of a result, then waits until the receiver has received the previous part. Throws StatementTooLong
   * once the time limit is over, also if the receiver keeps up.
   */
  #part(text: string, until: number): void {
    const { partsTaken } = this.#config
    this.#sent += 1
    this.#sendPart(text)
    for (;;) {
      const leftMs = until - performance.now()
      if (leftMs <= 0) throw new StatementTooLong('canceling statement due to statement timeout')
      const before = Atomics.load(partsTaken, 0)
      if (this.#sent - before < MAX_PARTS_AHEAD) return
      Atomics.wait(partsTaken, 0, before, leftMs)
    }
  }

  #commit(before: readonly string[]): JobOutcome {
    if (this.#failure !== undefined) throw this.#failure
    for (const sql of before) this.#database.exec(sql)
    this.#dataFile?.requirePresent()
    this.#database.exec('COMMIT')
    this.#hasLock = false
    if (this.#dataFile === undefined) return {}
    // the file was removed during the commit, so the caller must not assume that the change was stored
    this.#dataFile.requirePresent()
    this.#mark ??= this.#database.prepare(SELECT_POSITION)
    const mark = this.#mark.get()
    return mark === undefined ? {} : { position: { ...mark } as unknown as NonNullable<JobOutcome['position']> }
  }

  #rollback(): JobOutcome {
    this.#failure = undefined
    this.#hasLock = false
    try {
      this.#database.exec('ROLLBACK')
    } catch (error) {
      // after some errors, such as a full disk, SQLite ends the transaction by itself
      if (!(error instanceof Error) || !error.message.includes('no transaction is active')) throw error
    }
    return {}
  }

  /**
   * Returns the column names. Node.js before 22.16 can return rows only as objects, whose keys are the column names.
   */
  #columnsOf(prepared: Prepared, row: object): ColumnNames {
    if (!Array.isArray(row)) return toColumnNames(Object.keys(row), this.#jsonColumns)
    // SQLite prepares `select *` again if another connection has added a column
    if (prepared.columns?.isJson.length !== row.length) {
      const names = prepared.statement.columns().map(({ name }) => name)
      prepared.columns = toColumnNames(names, this.#jsonColumns)
    }
    return prepared.columns
  }
}

function toSerializedError(error: unknown): SerializedError {
  const { message, code, errcode } = error as { message: string; code?: unknown; errcode?: unknown }
  const type = error instanceof DatabaseGone ? 'gone' : error instanceof StatementTooLong ? 'late' : undefined
  return { message, code, errcode, ...(type === undefined ? {} : { type }) }
}

function attempt<T extends object>(work: () => T): T | JobOutcome {
  try {
    return work()
  } catch (error) {
    return { error: toSerializedError(error) }
  }
}

const port = parentPort
if (port === null) throw new Error('This module runs only in a worker thread')
const send = (answers: ThreadMessage) => port.postMessage(answers)
/** Outcomes of jobs that have not been sent yet. */
let outcomes: JobOutcome[] = []
const sendOutcomes = () => {
  if (outcomes.length > 0) send(outcomes)
  outcomes = []
}
const sendPart = (text: string) => {
  sendOutcomes()
  send(text)
}
const opened = attempt(() => new Connection(workerData as ThreadConfig, sendPart))
if (opened instanceof Connection) {
  let messages = 0
  port.on('message', (jobs: readonly Job[]) => {
    for (const job of jobs) {
      // send the outcomes of earlier jobs before the parts of this job
      const end = attempt(() => opened.perform(job))
      outcomes.push(end)
      if (job.kind === 'close') port.close()
    }
    sendOutcomes()
    messages += 1
    if (messages % MESSAGES_PER_REPORT === 0) opened.reportMemory()
  })
}
send([opened instanceof Connection ? {} : opened])
