import type { ChangeRequestState } from '@burgee/protocol/administration/change-request'
import { expect, test } from 'vitest'
import { rightsOf } from './step-rights.ts'

const person = (id: number) => ({ id, username: `p${id}`, imageUrl: null })
const place = { project: 'shop', environment: 'production', createdBy: person(1) }

/** Person 1 made it; an approval is offered where the server would take one and it leads further. */
test.each<[ChangeRequestState, readonly number[], number, number, boolean]>([
  ['Draft', [], 1, 2, false],
  ['In review', [], 1, 1, false],
  ['In review', [], 1, 2, true],
  ['In review', [2], 2, 2, false],
  ['In review', [2], 2, 3, true],
  // fewer are needed since: the same person again has it counted
  ['In review', [2], 1, 2, true],
  ['Approved', [2], 1, 2, false],
  ['Approved', [2], 1, 3, false],
  // more are needed since
  ['Approved', [2], 2, 2, false],
  ['Approved', [2], 2, 3, true],
  ['Scheduled', [2], 2, 3, true],
  ['Scheduled', [2, 3], 2, 4, false],
  ['Applied', [2], 2, 3, false],
  ['Rejected', [], 1, 2, false],
])('%s, approved by %j of %s: person %s is offered to approve: %s', (state, by, minApprovals, id, isOffered) => {
  const approvals = by.map((one) => ({ createdBy: person(one), createdAt: '2026-11-22T00:00:00.000Z' }))
  expect(rightsOf({ ...place, state, approvals, minApprovals }, id, () => true).mayApprove).toBe(isOffered)
  expect(rightsOf({ ...place, state, approvals, minApprovals }, id, () => false).mayApprove).toBe(false)
})
