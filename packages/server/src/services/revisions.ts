import { invalid } from '@burgee/kit/input/refusals'
import { within } from '@burgee/kit/within'
import type { Revision } from '../store/epochs.ts'
import { DatabaseAway } from '../store/errors.ts'
import type { OpenBroadcast } from './shared-broadcast.ts'

/** Lets people read what they have written, whichever node they ask. */
export interface Revisions {
  /** The last change that this node knows, as `<number>:<epoch>`. */
  now(): string
  /**
   * Resolves when this node knows a change, and all before it. Of another life of the database nobody waits for anything.
   * Rejects with ValidationError for what is no revision, and with DatabaseAway where it takes longer than a second.
   */
  reached(text: string): Promise<void>
}

/** The header that a change answers with and that a read may carry. */
export const REVISION_HEADER = 'x-burgee-revision'

/** Regular expression of its value, `<number>:<epoch>`. */
export const REVISION_PATTERN = '^([0-9]{1,15}):([^\\s:]{0,100})$'

const LONGEST_WAIT_MS = 1000
const FORM = new RegExp(REVISION_PATTERN)

/** Revisions by what a node has heard of. */
export function createRevisions(broadcast: Pick<OpenBroadcast, 'heard' | 'look'>): Revisions {
  return {
    now: () => textOf(broadcast.heard()),
    async reached(text) {
      const wanted = revisionOf(text)
      if (isKnown(broadcast.heard(), wanted)) return
      // one look reads all that was committed before; a change that is not among it there never was
      const hasLooked = await within(LONGEST_WAIT_MS, broadcast.look()).catch(() => false)
      if (!hasLooked) throw new DatabaseAway()
    },
  }
}

function textOf({ id, epoch }: Revision): string {
  return `${id}:${epoch}`
}

function revisionOf(text: string): Revision {
  const [, id, epoch] = FORM.exec(text) ?? []
  if (id === undefined || epoch === undefined) {
    throw invalid(`"${REVISION_HEADER}" must be what a change has answered with`, `headers/${REVISION_HEADER}`)
  }
  return { id: Number(id), epoch }
}

function isKnown(heard: Revision, wanted: Revision): boolean {
  return heard.epoch === wanted.epoch && heard.id >= wanted.id
}
