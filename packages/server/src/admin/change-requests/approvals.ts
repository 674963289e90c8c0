import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import type { RequestRow } from '@burgee/storage/queries/change-requests/requests'
import { listReviews } from '@burgee/storage/queries/change-requests/reviews'
import { readRequiredApprovals } from './change-request-settings.ts'
import { isReviewer } from './reviewers.ts'
import { listReviewEnvironments } from './shared-changes.ts'

/** Lists the ids of the users who have approved a request. */
export async function listApprovals(reader: Reader, { id }: RequestRow): Promise<number[]> {
  return (await listReviews(reader, [id])).filter((row) => row.opinion === 'approved').map((row) => row.user_id)
}

/**
 * Returns the number of valid approvals. An approval is valid if the user who gave it is currently allowed to approve
 * the request in every environment in which the request must be reviewed.
 */
export async function countApprovals(reader: Reader, request: RequestRow): Promise<number> {
  const places = await listReviewEnvironments(reader, request)
  let count = 0
  for (const id of await listApprovals(reader, request)) {
    const rights = await Promise.all(places.map((place) => isReviewer(reader, id, place)))
    if (rights.every(Boolean)) count += 1
  }
  return count
}

/**
 * Returns the currently required number of approvals: the highest number that is required in any of the environments in
 * which the request must be reviewed.
 */
export async function readMaxRequiredApprovals(reader: Reader, request: RequestRow): Promise<number> {
  const places = await listReviewEnvironments(reader, request)
  return Math.max(...(await Promise.all(places.map((place) => readRequiredApprovals(reader, place)))))
}

/** Throws ConflictError if the request has fewer approvals than currently required. */
export async function requireApprovals(reader: Reader, request: RequestRow): Promise<void> {
  const [approvals, required] = [await countApprovals(reader, request), await readMaxRequiredApprovals(reader, request)]
  if (approvals >= required) return
  const message = `The change request has ${approvals} of the ${required} required approvals.`
  throw new Problem('ConflictError', message)
}
