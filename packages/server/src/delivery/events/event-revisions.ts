import { invalid } from '@burgee/kit/input/refusals'
import { withTimeout } from '@burgee/kit/with-timeout'
import type { Revision } from '@burgee/storage/epochs'
import { DatabaseUnreachable } from '@burgee/storage/errors'
import type { OpenBroadcast } from './shared-broadcast.ts'

/** Read-your-writes consistency for clients whose requests reach several nodes. */
export interface Revisions {
  /** Returns the latest change that this node knows, as `<number>:<epoch>`. */
  now(): string
  /**
   * Resolves once this node has received the given change and all earlier changes. Does not wait if the change belongs
   * to another database epoch. Rejects with ValidationError if the text is not a revision, and with DatabaseUnreachable
   * if a poll fails or takes more than one second.
   */
  waitFor(text: string): Promise<void>
}

/** Name of the header that responses to changes contain. Clients can send this header with later reads. */
export const REVISION_HEADER = 'x-burgee-revision'

/** Regular expression of the header value, `<number>:<epoch>`. */
export const REVISION_PATTERN = '^([0-9]{1,15}):([^\\s:]{0,100})$'

const MAX_WAIT_MS = 1000
const REVISION_REGEX = new RegExp(REVISION_PATTERN)

/** Creates the `Revisions` of a node from the events that it has received. */
export function createRevisions(broadcast: Pick<OpenBroadcast, 'lastReceived' | 'poll'>): Revisions {
  return {
    now: () => formatRevision(broadcast.lastReceived()),
    async waitFor(text) {
      const wanted = parseRevision(text)
      if (hasReached(broadcast.lastReceived(), wanted)) return
      // a poll returns everything committed before it, so a change that is still missing does not exist in this epoch
      const hasLooked = await withTimeout(MAX_WAIT_MS, broadcast.poll()).catch(() => false)
      if (!hasLooked) throw new DatabaseUnreachable()
    },
  }
}

function formatRevision({ id, epoch }: Revision): string {
  return `${id}:${epoch}`
}

function parseRevision(text: string): Revision {
  const [, id, epoch] = REVISION_REGEX.exec(text) ?? []
  if (id === undefined || epoch === undefined) {
    throw invalid(`"${REVISION_HEADER}" must be a revision that a change returned`, `headers/${REVISION_HEADER}`)
  }
  return { id: Number(id), epoch }
}

function hasReached(current: Revision, wanted: Revision): boolean {
  return current.epoch === wanted.epoch && current.id >= wanted.id
}
