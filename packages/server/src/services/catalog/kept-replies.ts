import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { Content } from '@burgee/kit/http/content'
import { joinedContent } from '@burgee/kit/http/joined-content'
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
  held(): { readonly bytes: number }
}

interface Kept {
  readonly state: string
  readonly content: Content
}

const MOST = { entries: 1000, bytes: 32 * 1024 * 1024 }
/** What is kept beside the bytes of a body. */
const ENTRY_BYTES = 200

/** Keeps at most a thousand replies of 32 MiB together; the least used go first. Compressed forms count as well. */
export function createKeptReplies(): KeptReplies {
  const kept = new BoundedCache<Kept>(MOST)
  const making = new Map<string, Promise<Content>>()
  return {
    find(question, state) {
      const known = kept.get(question)
      return known?.state === state ? known.content : undefined
    },
    make(question, before, state, pieces) {
      const sizeOf = (bytes: number) => bytes + question.length + ENTRY_BYTES
      const make = async () => {
        const steps = joinedContent(await pieces(), (bytes) => kept.resize(question, entry, sizeOf(bytes)))
        const content = await runInSlices(steps)
        const entry: Kept = { state: before, content }
        if (before === state()) {
          kept.set(question, entry)
          kept.resize(question, entry, sizeOf(content.length))
        }
        return content
      }
      const place = JSON.stringify([question, before])
      const made = making.get(place) ?? make().finally(() => making.delete(place))
      making.set(place, made)
      return made
    },
    held: () => ({ bytes: kept.bytes }),
  }
}
