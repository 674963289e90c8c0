import { compareText } from '@burgee/kit/compare-text'
import { type FlagPeople, FOLLOWER_REASONS, type FollowerReason, MAX_LISTED_PEOPLE } from '@burgee/protocol/user'
import type { Reader } from '@burgee/storage/database'
import { listPeopleByIds } from '@burgee/storage/queries/access/people'
import type { UserRow } from '@burgee/storage/queries/access/users'
import { readFollowers } from '@burgee/storage/queries/notifications/flag-followers'
import {
  deletePresence,
  listPresentUserIds,
  PRESENCE_TTL_MS,
  type Presence,
  putPresence,
  putPresenceVisibility,
  readPresence,
} from '@burgee/storage/queries/presence/flag-presences'
import { listPrivateProjects } from '@burgee/storage/queries/projects/private-projects'
import { type Actor, getUserName } from '../../core/access/rights/rights.ts'
import { record } from '../../core/execute.ts'
import type { ServerWorld } from '../../core/server-world.ts'
import type { World } from '../../core/world.ts'
import { createFlagNotFound, type FeatureRef, requireFeature } from '../flags/feature-ref.ts'

/** Minimum time between two writes of the same presence record. */
const MIN_WRITE_INTERVAL_MS = 20_000

/**
 * Records that a user is viewing a flag, replacing the flag recorded before. Does nothing if the user hides their
 * presence. Writes no event. Throws NotFoundError if the flag does not exist or is hidden from the user.
 */
export async function recordPresence(world: World, { userId, hidden }: Actor, ref: FeatureRef): Promise<void> {
  if (hidden.includes(ref.project)) throw createFlagNotFound(ref)
  const before = await world.db.view(async (reader) => {
    await requireFeature(reader, ref)
    return readPresence(reader, userId)
  })
  const now = world.clock()
  if (!before.isShown || !isWriteNeeded(before, ref, now)) return
  await record(world, (tx) => putPresence(tx, userId, ref.feature, now))
}

/**
 * Returns true if the presence record must be written. Compares absolute time differences, so that setting the clock
 * back does not block writes.
 */
function isWriteNeeded({ feature, seenAt }: Presence, ref: FeatureRef, now: number): boolean {
  return feature !== ref.feature || Math.abs(now - seenAt) >= MIN_WRITE_INTERVAL_MS
}

/** Records that a user has stopped viewing a flag. Does nothing if the user is already viewing another flag. */
export async function endPresence(world: World, userId: number, feature: string): Promise<void> {
  if ((await readPresence(world.db.reader, userId)).feature !== feature) return
  await record(world, (tx) => deletePresence(tx, userId, feature))
}

/** Returns true if other users can see which flag the user is viewing. */
export async function isPresenceVisible({ db }: World, userId: number): Promise<boolean> {
  return (await readPresence(db.reader, userId)).isShown
}

/** Shows or hides which flag a user is viewing; hiding also deletes the existing record. */
export async function setPresenceVisibility(world: World, userId: number, isShown: boolean): Promise<void> {
  await record(world, async (tx) => {
    await putPresenceVisibility(tx, userId, isShown)
    if (!isShown) await deletePresence(tx, userId)
  })
}

/**
 * Returns the other users who are viewing a flag and the users who follow it. Omits users who may not see the flag.
 * Throws NotFoundError.
 */
export async function readFlagPeople(world: ServerWorld, { userId }: Actor, ref: FeatureRef): Promise<FlagPeople> {
  const after = world.clock() - PRESENCE_TTL_MS
  const { present, followers, people, isPrivate } = await world.db.view(async (reader) => {
    await requireFeature(reader, ref)
    const present = new Set(await listPresentUserIds(reader, ref.feature, { after, limit: MAX_LISTED_PEOPLE + 1 }))
    present.delete(userId)
    const followers = await readFollowers(reader, ref.feature, MAX_LISTED_PEOPLE)
    const people = await readActivePeople(reader, [...new Set([...present, ...followers.keys()])])
    return { present, followers, people, isPrivate: (await listPrivateProjects(reader)).includes(ref.project) }
  })
  const seeing = isPrivate ? await filterWhoCanSee(world, people, ref.project) : people
  const named = seeing.map((user) => ({ id: user.id, name: user.name || getUserName(user) }))
  named.sort((a, b) => compareText(a.name, b.name) || a.id - b.id)
  const following = named.flatMap((person) => {
    const reason = followers.get(person.id)
    return reason === undefined ? [] : [{ ...person, reason }]
  })
  return {
    present: named.filter(({ id }) => present.has(id)).slice(0, MAX_LISTED_PEOPLE),
    followers: following.sort((a, b) => getRank(a.reason) - getRank(b.reason)).slice(0, MAX_LISTED_PEOPLE),
  }
}

const getRank = (reason: FollowerReason): number => FOLLOWER_REASONS.indexOf(reason)

async function readActivePeople(reader: Reader, ids: readonly number[]): Promise<UserRow[]> {
  if (ids.length === 0) return []
  return (await listPeopleByIds(reader, ids)).filter(({ active }) => active === 1)
}

/**
 * Returns the people who may see a project. Checks people one by one, which is fast, because most permissions are
 * cached in memory.
 */
async function filterWhoCanSee({ rights, hidden }: ServerWorld, people: readonly UserRow[], project: string) {
  const seeing: UserRow[] = []
  for (const user of people) {
    if (!(await hidden.from(user.id, await rights.getGrants(user))).includes(project)) seeing.push(user)
  }
  return seeing
}
