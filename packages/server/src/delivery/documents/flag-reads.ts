import type { Segment } from '@burgee/protocol/feature'
import type { DocumentFlag } from '@burgee/serving/document/environment-document'
import type { Database } from '@burgee/storage/database'
import { readFlags, readSegments } from '@burgee/storage/document-flags'

/** Names of the flags to read in an environment, and whether to read the segments. */
interface FlagRequest {
  readonly environment: string
  readonly names: ReadonlySet<string>
  /** True if all segments are requested as well. */
  readonly segments: boolean
}

/** Result of a read: the requested flags that exist in the environment, and all segments if they were requested. */
export interface ReadFlags {
  readonly flags: readonly DocumentFlag[]
  readonly segments: readonly Segment[] | undefined
}

interface PendingFlagRead {
  readonly request: FlagRequest
  readonly resolve: (read: ReadFlags) => void
  readonly reject: (error: unknown) => void
}

/**
 * Reads flags for the documents of several environments at once, so that a change to all environments needs no more
 * queries than a change to one of them. Requests that are made at the same time read the same consistent state.
 */
export class FlagReads {
  readonly #db: Pick<Database, 'view'>
  #pending: PendingFlagRead[] = []

  constructor(db: Pick<Database, 'view'>) {
    this.#db = db
  }

  /** Reads flags. Rejects on database errors. */
  read(request: FlagRequest): Promise<ReadFlags> {
    return new Promise((resolve, reject) => {
      if (this.#pending.length === 0) queueMicrotask(() => void this.#readAll())
      this.#pending.push({ request, resolve, reject })
    })
  }

  async #readAll(): Promise<void> {
    const waiting = this.#pending
    this.#pending = []
    const wishes = waiting.map(({ request }) => request)
    const environments = [...new Set(wishes.map(({ environment }) => environment))]
    const names = [...new Set(wishes.flatMap((wish) => [...wish.names]))]
    const isOfSegments = wishes.some(({ segments }) => segments)
    try {
      const [flags, segments] = await this.#db.view((reader) =>
        Promise.all([readFlags(reader, environments, names), isOfSegments ? readSegments(reader) : undefined]),
      )
      for (const { request, resolve } of waiting) {
        const own = (flags.get(request.environment) ?? []).filter(({ feature }) => request.names.has(feature.name))
        resolve({ flags: own, segments: request.segments ? segments : undefined })
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }
}
