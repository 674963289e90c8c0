import { invalid } from '@burgee/kit/input/refusals'
import type { Tx } from '@burgee/storage/database'
import {
  deleteGroupMember,
  type GroupRow,
  insertGroupMember,
  listGroupMembers,
  moveGroupMember,
} from '@burgee/storage/queries/access/groups'
import { findPersonById } from '@burgee/storage/queries/access/people'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { ChangeContext } from '../../../core/execute.ts'

/** New members of a group, in order; undefined if the members stay unchanged. */
interface Membership {
  readonly group: Pick<GroupRow, 'id' | 'name'>
  readonly users: readonly number[] | undefined
}

/**
 * Replaces the members of a group and stores their order. Returns one event for each user who was added or removed, or
 * a single event if only the order has changed. Throws ValidationError if an id does not belong to a person. The caller
 * must ensure that an admin remains (`requireRemainingAdmin`).
 */
export async function setMembers(
  tx: Tx,
  { group, users }: Membership,
  { now, author }: ChangeContext,
): Promise<NewEvent[]> {
  if (users === undefined) return []
  const wanted = new Set(users)
  const before = new Map((await listGroupMembers(tx, group.id)).map(({ id, position }) => [id, position]))
  const events: NewEvent[] = []
  const about = (userId: number) => ({ groupId: group.id, groupName: group.name, userId })
  for (const userId of before.keys()) {
    if (wanted.has(userId)) continue
    await deleteGroupMember(tx, { groupId: group.id, userId })
    events.push({ type: 'group-user-removed', preData: about(userId) })
  }
  let isMoved = false
  for (const { userId, position } of assignPositions([...wanted], before)) {
    const stored = before.get(userId)
    if (stored === position) continue
    if (stored !== undefined) {
      await moveGroupMember(tx, { groupId: group.id, userId, position })
      isMoved = true
      continue
    }
    if ((await findPersonById(tx, userId)) === undefined) {
      throw invalid(`There is no user with the id ${userId}.`, 'body/users')
    }
    await insertGroupMember(tx, { groupId: group.id, userId, position, now, by: author.name })
    events.push({ type: 'group-user-added', data: about(userId) })
  }
  if (!isMoved || events.length > 0) return events
  const { id, name } = group
  return [
    { type: 'group-updated', data: { id, name, users: [...wanted] }, preData: { id, name, users: [...before.keys()] } },
  ]
}

/**
 * Returns positions that produce the given order when members are sorted by position, with ties broken by id. Leaves as
 * many positions as possible unchanged.
 */
function assignPositions(
  users: readonly number[],
  stored: ReadonlyMap<number, number>,
): { readonly userId: number; readonly position: number }[] {
  let last = { userId: 0, position: 0 }
  return users.map((userId) => {
    const before = stored.get(userId)
    const isSorted =
      before !== undefined && (before > last.position || (before === last.position && userId > last.userId))
    last = { userId, position: isSorted ? before : last.position + 1 }
    return last
  })
}
