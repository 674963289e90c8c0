import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { Content } from '@burgee/kit/http/content'
import { joinedContent } from '@burgee/kit/http/joined-content'
import type { CacheSize } from '@burgee/kit/series/cache-series'
import { runInSlices } from '@burgee/kit/slices'

/** Cache of replies that stay valid until their source data changes. */
export interface PageCache {
  /**
   * Returns the cached reply to a request if the reply was built from this state of the source data; otherwise
   * undefined.
   */
  find(question: string, state: string): Content | undefined
  /**
   * Builds a reply from pieces of text, and yields to other requests in between. The reply is cached if the state of
   * the source data is still `before` when the reply is complete. Concurrent calls for the same request and state share
   * one reply. Rejects with the errors of `pieces`.
   */
  build(
    question: string,
    before: string,
    state: () => string,
    pieces: () => Iterable<string> | Promise<Iterable<string>>,
  ): Promise<Content>
  getSize(): CacheSize
}

const MAX_ENTRIES = 1000
/** Estimated overhead per cached reply, in addition to the bytes of the body. */
const ENTRY_BYTES = 200

/**
 * Creates a cache of at most a thousand replies, which all belong to one state of the source data. The replies and
 * their compressed forms use at most `limitBytes`. Replies that are not in use are evicted first. The first reply for a
 * later state replaces all earlier replies.
 */
export function createPageCache(limitBytes: number): PageCache {
  const kept = new BoundedCache<Content>({ entries: MAX_ENTRIES, bytes: limitBytes })
  const making = new Map<string, Promise<Content>>()
  let keptState: string | undefined
  const keep = (question: string, state: string, content: Content): void => {
    if (state !== keptState) kept.clear()
    keptState = state
    kept.set(question, content)
  }
  return {
    find: (question, state) => (state === keptState ? kept.get(question) : undefined),
    build(question, before, state, pieces) {
      const sizeOf = (bytes: number) => bytes + question.length + ENTRY_BYTES
      const make = async () => {
        const steps = joinedContent(await pieces(), (bytes) => kept.resize(question, content, sizeOf(bytes)))
        const content: Content = await runInSlices(steps)
        if (before === state()) {
          keep(question, before, content)
          kept.resize(question, content, sizeOf(content.length))
        }
        return content
      }
      const place = JSON.stringify([question, before])
      const made = making.get(place) ?? make().finally(() => making.delete(place))
      making.set(place, made)
      return made
    },
    getSize: () => ({ entries: kept.size, bytes: kept.bytes, limitBytes }),
  }
}
