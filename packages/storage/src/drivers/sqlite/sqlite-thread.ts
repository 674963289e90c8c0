import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { JSON_COLUMNS } from '../../database.ts'
import { DatabaseGone, DatabaseUnavailable } from '../../errors.ts'
import { RowReader } from './row-text.ts'
import {
  type Job,
  type JobOutcome,
  MEMORY_FIELDS,
  type SerializedError,
  type ThreadConfig,
  type ThreadMessage,
} from './thread-messages.ts'

/**
 * Path of the module that runs on the thread. The module has the same extension as this file, so that it can be loaded
 * both from the sources and from the build.
 */
const THREAD = new URL(`./connection-thread${extname(import.meta.url)}`, import.meta.url)
const EXEC_ARGV = ['--disable-warning=ExperimentalWarning']
/** Memory limits for a thread. The limits are low, because a thread holds only one part of a result at a time. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 }
/**
 * Extra time in milliseconds for a statement after SQLite itself should have stopped it. If the statement still runs
 * after that, its thread is abandoned.
 */
const GRACE_MS = 1000

/** Result that a job produced. */
export interface JobResult extends Omit<JobOutcome, 'text' | 'error'> {
  readonly rows: Record<string, unknown>[]
}

interface PendingJob {
  readonly read: RowReader
  readonly resolve: (finished: JobResult) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout | undefined
}

/** SQLite connection that runs on a separate thread. The thread keeps the process alive only while it runs a job. */
export class SqliteThread {
  readonly #worker: Worker
  readonly #taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  readonly #memory = new Int32Array(
    new SharedArrayBuffer(Object.keys(MEMORY_FIELDS).length * Int32Array.BYTES_PER_ELEMENT),
  )
  readonly #waiting: PendingJob[] = []
  /** Jobs that the next message will contain. */
  #unsent: Job[] = []
  #failure: Error | undefined

  private constructor(file: string, isWriter: boolean) {
    const config: ThreadConfig = {
      file,
      isWriter,
      jsonColumns: JSON_COLUMNS,
      partsTaken: this.#taken,
      memory: this.#memory,
    }
    const name = `sqlite ${isWriter ? 'writer' : 'reader'}`
    this.#worker = new Worker(THREAD, {
      name,
      workerData: config,
      execArgv: EXEC_ARGV,
      resourceLimits: LIMITS,
      env: {},
    })
    this.#worker.on('message', (answers: ThreadMessage) => this.#receive(answers))
    this.#worker.on('error', (error) => this.#end(`The thread of a connection failed: ${error.message}`))
    this.#worker.on('exit', () => this.#end('The thread of a connection has ended'))
  }

  /** Opens a connection. Throws the error that SQLite reported. */
  static async open(file: string, isWriter: boolean): Promise<SqliteThread> {
    const thread = new SqliteThread(file, isWriter)
    // the first message reports whether the file was opened
    await thread.#answer()
    return thread
  }

  /** Memory of the cached statements and of the heap of the thread, in bytes. Zero until the thread reports it. */
  get memory(): { readonly statements: number; readonly heap: number } {
    const read = (field: keyof typeof MEMORY_FIELDS) => Atomics.load(this.#memory, MEMORY_FIELDS[field])
    return { statements: read('statements'), heap: read('heap') }
  }

  /** False once the connection has failed or has been closed. */
  get isAlive(): boolean {
    return this.#failure === undefined
  }

  /**
   * Runs a job once all earlier jobs have ended. Rejects with the error that SQLite reported, with DatabaseGone, or
   * with DatabaseUnavailable if the thread ends. If a statement exceeds its time limit, rejects with
   * DatabaseUnavailable and, if necessary, ends the thread.
   */
  run(job: Job): Promise<JobResult> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    // a message costs more than most statements, so all jobs issued in the same event-loop tick share one message
    if (this.#unsent.push(job) === 1) process.nextTick(() => this.#send())
    return this.#answer('limitMs' in job ? job.limitMs : Number.POSITIVE_INFINITY)
  }

  /** Waits for running jobs and closes the connection; the thread ends afterwards. */
  async close(): Promise<void> {
    await this.run({ kind: 'close' }).catch(() => {})
    this.#failure ??= new DatabaseUnavailable('The database is closed')
  }

  #send(): void {
    const jobs = this.#unsent
    this.#unsent = []
    if (this.#failure === undefined) this.#worker.postMessage(jobs)
  }

  #answer(limitMs = Number.POSITIVE_INFINITY): Promise<JobResult> {
    return new Promise((resolve, reject) => {
      const timer = Number.isFinite(limitMs) ? setTimeout(() => this.#giveUp(), limitMs + GRACE_MS) : undefined
      if (this.#waiting.push({ read: new RowReader(), resolve, reject, timer }) === 1) this.#worker.ref()
    })
  }

  #receive(answers: ThreadMessage): void {
    if (typeof answers !== 'string') {
      for (const done of answers) this.#finish(done)
      return
    }
    const [job] = this.#waiting
    if (job === undefined) return
    this.#read(job, answers)
    Atomics.add(this.#taken, 0, 1)
    Atomics.notify(this.#taken, 0)
  }

  #finish({ text, error, ...rest }: JobOutcome): void {
    const job = this.#waiting.shift()
    if (job === undefined) return
    clearTimeout(job.timer)
    if (this.#waiting.length === 0) this.#worker.unref()
    if (error !== undefined) job.reject(toError(error))
    else if (text === undefined || this.#read(job, text)) job.resolve({ ...rest, rows: job.read.rows })
  }

  #read({ read, reject }: PendingJob, text: string): boolean {
    try {
      read.add(text)
      return true
    } catch (error) {
      reject(error as Error)
      return false
    }
  }

  /**
   * Abandons the thread. SQLite cannot be interrupted from this thread, so the worker thread ends only when its
   * statement returns
   */
  #giveUp(): void {
    this.#end('A statement took too long and was abandoned')
    void this.#worker.terminate()
  }

  #end(reason: string): void {
    this.#failure ??= new DatabaseUnavailable(reason)
    for (const { reject, timer } of this.#waiting.splice(0)) {
      clearTimeout(timer)
      reject(this.#failure)
    }
    this.#worker.unref()
  }
}

function toError({ type, message, ...rest }: SerializedError): Error {
  if (type === 'gone') return new DatabaseGone(message)
  if (type === 'late') return new DatabaseUnavailable(message)
  return Object.assign(new Error(message), rest)
}
