import { invalid } from '@burgee/kit/input/refusals'
import { listDismissedSplashes, listFeedback, putFeedback, putSplash } from '@burgee/storage/queries/access/people'
import { record } from '../../../core/execute.ts'
import type { World } from '../../../core/world.ts'

/**
 * Maximum number of splash ids, and of feedback ids, stored per user. A limit is needed because clients choose the ids.
 */
const MAX_NOTES = 100

/** Records that a user has seen a splash page. Throws ValidationError beyond the limit. */
export function recordSplash(world: World, userId: number, id: string): Promise<void> {
  return record(world, async (tx) => {
    requireRoom(await listDismissedSplashes(tx, userId), id, 'splash ids')
    await putSplash(tx, userId, id)
  })
}

/** Records that a user was asked for feedback. Throws ValidationError beyond the limit. */
export function recordFeedback(world: World, row: Parameters<typeof putFeedback>[1]): Promise<void> {
  return record(world, async (tx) => {
    const known = (await listFeedback(tx, row.user_id)).map(({ feedback_id }) => feedback_id)
    requireRoom(known, row.feedback_id, 'feedback ids')
    await putFeedback(tx, row)
  })
}

function requireRoom(known: readonly string[], id: string, what: string): void {
  if (known.length < MAX_NOTES || known.includes(id)) return
  throw invalid(`A user has at most ${MAX_NOTES} ${what}.`, 'params/id')
}
