import { invalid } from '@burgee/kit/input/refusals'
import { chunks } from '@burgee/storage/chunks'
import type { Tx } from '@burgee/storage/database'
import {
  deleteGroupMembers,
  type GroupRow,
  listGroupMembers,
  putGroupMembers,
} from '@burgee/storage/queries/access/groups'
import { listPeopleByIds } from '@burgee/storage/queries/access/people'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { ChangeContext } from '../../../core/execute.ts'

/** New members of a group, in order; undefined if the members stay unchanged. */
interface Membership {
  readonly group: Pick<GroupRow, 'id' | 'name'>
  readonly users: readonly number[] | undefined
}

/**
 * Replaces the members of a group and stores their order. Runs a few SQL statements for every few hundred members.
 * Returns one event for each user who was added or removed, or a single event if only the order has changed. Throws
 * ValidationError if an id does not belong to a person. The caller must ensure that an admin remains
 * (`requireRemainingAdmin`).
 */
export async function setMembers(
  tx: Tx,
  { group, users }: Membership,
  { now, author }: ChangeContext,
): Promise<NewEvent[]> {
  if (users === undefined) return []
  const wanted = new Set(users)
  const before = new Map((await listGroupMembers(tx, group.id)).map(({ id, position }) => [id, position]))
  const gone = [...before.keys()].filter((userId) => !wanted.has(userId))
  const moved = assignPositions([...wanted], before).filter(({ userId, position }) => before.get(userId) !== position)
  const added = moved.filter(({ userId }) => !before.has(userId)).map(({ userId }) => userId)
  await requirePeople(tx, added)
  await deleteGroupMembers(tx, { groupId: group.id, userIds: gone })
  await putGroupMembers(tx, { groupId: group.id, now, by: author.name }, moved)
  const about = (userId: number) => ({ groupId: group.id, groupName: group.name, userId })
  const events: NewEvent[] = [
    ...gone.map((userId): NewEvent => ({ type: 'group-user-removed', preData: about(userId) })),
    ...added.map((userId): NewEvent => ({ type: 'group-user-added', data: about(userId) })),
  ]
  if (moved.length === 0 || events.length > 0) return events
  const { id, name } = group
  return [
    { type: 'group-updated', data: { id, name, users: [...wanted] }, preData: { id, name, users: [...before.keys()] } },
  ]
}

/** Throws ValidationError if an id does not belong to a person. */
async function requirePeople(tx: Tx, ids: readonly number[]): Promise<void> {
  for (const part of chunks(ids)) {
    const known = new Set((await listPeopleByIds(tx, part)).map(({ id }) => id))
    const unknown = part.find((id) => !known.has(id))
    if (unknown !== undefined) throw invalid(`There is no user with the id ${unknown}.`, 'body/users')
  }
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
