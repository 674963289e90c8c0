import type { Database } from '@burgee/storage/database'
import { type EnvironmentEntries, readEnvironments } from '@burgee/storage/document-entries'
import { classifyDbError } from '@burgee/storage/errors'

/**
 * Maximum number of concurrent passes. With two passes, a request for a new environment need not wait for a pass that
 * reads all environments.
 */
const MAX_PASSES = 2

/**
 * Reads whole environments. Requests that are made at the same time share one pass over the flags, and at most two
 * passes run at a time. If passes were not shared, a start, a restored database or a change to all flags would read
 * each flag once per environment.
 */
export class EnvironmentReads {
  readonly #db: Pick<Database, 'view'>
  #waiting = new Map<string, PromiseWithResolvers<EnvironmentEntries>>()
  #passes = 0

  constructor(db: Pick<Database, 'view'>) {
    this.#db = db
  }

  /** Reads an environment. The read begins after the call. Rejects on database errors. */
  read(environment: string): Promise<EnvironmentEntries> {
    const known = this.#waiting.get(environment)
    if (known !== undefined) return known.promise
    const waiting = Promise.withResolvers<EnvironmentEntries>()
    this.#waiting.set(environment, waiting)
    if (this.#waiting.size === 1) queueMicrotask(() => void this.#readWaiting())
    return waiting.promise
  }

  async #readWaiting(): Promise<void> {
    if (this.#passes === MAX_PASSES || this.#waiting.size === 0) return
    const waiting = this.#waiting
    this.#waiting = new Map()
    this.#passes += 1
    await this.#readTogether(waiting)
    this.#passes -= 1
    void this.#readWaiting()
  }

  /** Settles all promises. Never rejects. */
  async #readTogether(waiting: ReadonlyMap<string, PromiseWithResolvers<EnvironmentEntries>>): Promise<void> {
    try {
      const read = await this.#db.view((reader) => readEnvironments(reader, [...waiting.keys()]))
      for (const [environment, { resolve, reject }] of waiting) {
        const entries = read.get(environment)
        if (entries === undefined) reject(new Error(`The environment "${environment}" was not read`))
        else resolve(entries)
      }
    } catch (error) {
      // an unreadable row in one environment must not affect other environments
      const isShared = waiting.size === 1 || classifyDbError(error) !== 'other'
      if (isShared) for (const { reject } of waiting.values()) reject(error)
      else for (const one of waiting) await this.#readTogether(new Map([one]))
    }
  }
}
