import type { Segment } from '@burgee/protocol/feature'
import type { DocumentFlag } from '@burgee/serving/document/environment-document'
import type { Database } from '../../store/database.ts'
import { readFlags, readSegments } from '../../store/document-flags.ts'
import type { FlagWish } from './flag-wish.ts'
import type { FlagsAfter } from './flags-after.ts'

/** What was read of an environment: the flags that are there, and all segments where they were asked for. */
export interface ReadFlags {
  readonly flags: readonly DocumentFlag[]
  readonly segments: readonly Segment[] | undefined
}

interface Waiting {
  readonly wish: FlagWish
  readonly resolve: (read: ReadFlags) => void
  readonly reject: (error: unknown) => void
}

/**
 * Reads flags for the documents of several environments together: a change that reaches all of them is read in as many
 * queries as one that reaches one. Wishes of the same moment are read on one and the same state.
 */
export class FlagReads {
  readonly #db: Pick<Database, 'view'>
  readonly #flagsAfter: FlagsAfter | undefined
  #waiting: Waiting[] = []

  /** @param flagsAfter what need not be read */
  constructor(db: Pick<Database, 'view'>, flagsAfter?: FlagsAfter) {
    this.#db = db
    this.#flagsAfter = flagsAfter
  }

  /** Rejects with what the database throws. */
  async read(wish: FlagWish): Promise<ReadFlags> {
    const known = this.#flagsAfter?.find(wish)
    if (known !== undefined) return { flags: known, segments: undefined }
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) queueMicrotask(() => void this.#readAll())
      this.#waiting.push({ wish, resolve, reject })
    })
  }

  async #readAll(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    const wishes = waiting.map(({ wish }) => wish)
    const environments = [...new Set(wishes.map(({ environment }) => environment))]
    const names = [...new Set(wishes.flatMap((wish) => [...wish.names]))]
    const isOfSegments = wishes.some(({ segments }) => segments)
    try {
      const [flags, segments] = await this.#db.view((reader) =>
        Promise.all([readFlags(reader, environments, names), isOfSegments ? readSegments(reader) : undefined]),
      )
      for (const { wish, resolve } of waiting) {
        const own = (flags.get(wish.environment) ?? []).filter(({ feature }) => wish.names.has(feature.name))
        resolve({ flags: own, segments: wish.segments ? segments : undefined })
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }
}
