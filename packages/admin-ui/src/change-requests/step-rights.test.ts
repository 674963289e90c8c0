import type { ChangeRequestState } from '@burgee/protocol/administration/change-request'
import { expect, test } from 'vitest'
import { getRequestRights } from './step-rights.ts'

const person = (id: number) => ({ id, username: `p${id}`, imageUrl: null })
const place = { project: 'shop', environment: 'production', createdBy: person(1) }

/**
 * Person 1 is the author. The UI offers an approval if the server would accept the approval and if the approval has an
 * effect.
 */
test.each<[ChangeRequestState, readonly number[], number, number, boolean]>([
  ['Draft', [], 1, 2, false],
  ['In review', [], 1, 1, false],
  ['In review', [], 1, 2, true],
  ['In review', [2], 2, 2, false],
  ['In review', [2], 2, 3, true],
  // The required number has been lowered since the approval. The same person can approve again to trigger a recount.
  ['In review', [2], 1, 2, true],
  ['Approved', [2], 1, 2, false],
  ['Approved', [2], 1, 3, false],
  // The required number has been raised since the approval.
  ['Approved', [2], 2, 2, false],
  ['Approved', [2], 2, 3, true],
  ['Scheduled', [2], 2, 3, true],
  ['Scheduled', [2, 3], 2, 4, false],
  ['Applied', [2], 2, 3, false],
  ['Rejected', [], 1, 2, false],
])('%s, approved by %j of %s: person %s is offered to approve: %s', (state, by, minApprovals, id, isOffered) => {
  const approvals = by.map((one) => ({ createdBy: person(one), createdAt: '2026-11-22T00:00:00.000Z' }))
  expect(getRequestRights({ ...place, state, approvals, minApprovals }, id, () => true).mayApprove).toBe(isOffered)
  expect(getRequestRights({ ...place, state, approvals, minApprovals }, id, () => false).mayApprove).toBe(false)
})

/**
 * The last value tells if the approval of person 2 is the last required approval, so that the same click may apply the
 * request.
 */
test.each<[ChangeRequestState, readonly number[], number, boolean]>([
  ['Draft', [], 1, false],
  ['In review', [], 1, true],
  ['In review', [], 2, false],
  ['In review', [3], 2, true],
  ['In review', [3], 3, false],
  ['Scheduled', [3], 2, false],
  ['Applied', [], 1, false],
])(
  '%s, approved by %j of %s: approving and applying in one step is offered: %s',
  (state, by, minApprovals, isOffered) => {
    const approvals = by.map((one) => ({ createdBy: person(one), createdAt: '2026-11-22T00:00:00.000Z' }))
    const request = { ...place, state, approvals, minApprovals }
    expect(getRequestRights(request, 2, () => true).mayApproveAndApply).toBe(isOffered)
    expect(getRequestRights(request, 2, (right) => right !== 'APPLY_CHANGE_REQUEST').mayApproveAndApply).toBe(false)
  },
)
