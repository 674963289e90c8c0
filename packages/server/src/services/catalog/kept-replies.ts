import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { Content } from '@burgee/kit/http/content'
import { joinedContent } from '@burgee/kit/http/joined-content'
import type { CacheSize } from '@burgee/kit/series/cache-series'
import { runInSlices } from '@burgee/kit/slices'

/** Replies to questions, as long as what they were made of stays as it is. */
export interface KeptReplies {
  /** The reply to a question in this state; undefined where none is kept. */
  find(question: string, state: string): Content | undefined
  /**
   * Makes a reply of pieces of text, in slices, and keeps it where the state is `before` still when it is made; who asks the
   * same meanwhile, in that state, gets the one that is made. Rejects with what `pieces` does.
   */
  make(
    question: string,
    before: string,
    state: () => string,
    pieces: () => Iterable<string> | Promise<Iterable<string>>,
  ): Promise<Content>
  held(): CacheSize
}

const MAX_ENTRIES = 1000
/** What is kept beside the bytes of a body. */
const ENTRY_BYTES = 200

/**
 * Keeps at most a thousand replies of one state, of `limitBytes` together; the least used go first. Compressed forms count
 * as well. Replies of an earlier state are dropped with the first reply of a later one.
 */
export function createKeptReplies(limitBytes: number): KeptReplies {
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
    make(question, before, state, pieces) {
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
    held: () => ({ bytes: kept.bytes, limitBytes }),
  }
}
