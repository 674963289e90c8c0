import { compareText } from '@burgee/kit/compare-text'
import { type FlagPeople, FOLLOWER_REASONS, type FollowerReason, MOST_PEOPLE_NAMED } from '@burgee/protocol/user'
import { peopleByIds } from '../../store/access/people.ts'
import type { UserRow } from '../../store/access/users.ts'
import type { Reader } from '../../store/database.ts'
import { followersOf } from '../../store/notifications/flag-followers.ts'
import {
  dropPresence,
  PRESENCE_KEPT_MS,
  type Presence,
  presenceOf,
  presentAt,
  putPresence,
  putShown,
} from '../../store/presence/flag-presences.ts'
import { privateProjects } from '../../store/projects/private-projects.ts'
import { type Actor, nameOf } from '../access/rights/rights.ts'
import { record } from '../execute.ts'
import { type FeatureRef, flagNotThere, requireFeature } from '../features/feature-ref.ts'
import type { ServerWorld } from '../server-world.ts'
import type { World } from '../world.ts'

/** Minimum time between two writes of the same presence. */
const WRITTEN_ANEW_AFTER_MS = 20_000

/**
 * Records that a user is viewing a flag, replacing the flag recorded before. Does nothing if the user hides their
 * presence. Writes no event. Throws NotFoundError if the flag does not exist or the user may not see it.
 */
export async function notePresence(world: World, { userId, hidden = [] }: Actor, ref: FeatureRef): Promise<void> {
  if (hidden.includes(ref.project)) throw flagNotThere(ref)
  const before = await world.db.view(async (reader) => {
    await requireFeature(reader, ref)
    return presenceOf(reader, userId)
  })
  const now = world.clock()
  if (!before.isShown || !isNews(before, ref, now)) return
  await record(world, (tx) => putPresence(tx, userId, ref.feature, now))
}

/**
 * Returns true if the presence must be written. Compares the absolute time difference, so that a clock set back does
 * not block writes.
 */
function isNews({ feature, seenAt }: Presence, ref: FeatureRef, now: number): boolean {
  return feature !== ref.feature || Math.abs(now - seenAt) >= WRITTEN_ANEW_AFTER_MS
}

/** Records that a user stopped viewing a flag; does nothing if the user is already viewing another flag. */
export async function endPresence(world: World, userId: number, feature: string): Promise<void> {
  if ((await presenceOf(world.db.reader, userId)).feature !== feature) return
  await record(world, (tx) => dropPresence(tx, userId, feature))
}

/** Returns true if others can see which flag the user is viewing. */
export async function isPresenceShown({ db }: World, userId: number): Promise<boolean> {
  return (await presenceOf(db.reader, userId)).isShown
}

/** Shows or hides the presence of a user; hiding also deletes it. */
export async function showPresence(world: World, userId: number, isShown: boolean): Promise<void> {
  await record(world, async (tx) => {
    await putShown(tx, userId, isShown)
    if (!isShown) await dropPresence(tx, userId)
  })
}

/**
 * Returns the other users who are viewing a flag and the users who follow it. Omits users who may not see the flag.
 * Throws NotFoundError.
 */
export async function peopleOfFlag(world: ServerWorld, { userId }: Actor, ref: FeatureRef): Promise<FlagPeople> {
  const after = world.clock() - PRESENCE_KEPT_MS
  const { present, followers, people, isPrivate } = await world.db.view(async (reader) => {
    await requireFeature(reader, ref)
    const present = new Set(await presentAt(reader, ref.feature, { after, limit: MOST_PEOPLE_NAMED + 1 }))
    present.delete(userId)
    const followers = await followersOf(reader, ref.feature, MOST_PEOPLE_NAMED)
    const people = await activePeople(reader, [...new Set([...present, ...followers.keys()])])
    return { present, followers, people, isPrivate: (await privateProjects(reader)).includes(ref.project) }
  })
  const seeing = isPrivate ? await thoseWhoSee(world, people, ref.project) : people
  const named = seeing.map((user) => ({ id: user.id, name: user.name || nameOf(user) }))
  named.sort((a, b) => compareText(a.name, b.name) || a.id - b.id)
  const following = named.flatMap((person) => {
    const reason = followers.get(person.id)
    return reason === undefined ? [] : [{ ...person, reason }]
  })
  return {
    present: named.filter(({ id }) => present.has(id)).slice(0, MOST_PEOPLE_NAMED),
    followers: following.sort((a, b) => rank(a.reason) - rank(b.reason)).slice(0, MOST_PEOPLE_NAMED),
  }
}

const rank = (reason: FollowerReason): number => FOLLOWER_REASONS.indexOf(reason)

async function activePeople(reader: Reader, ids: readonly number[]): Promise<UserRow[]> {
  if (ids.length === 0) return []
  return (await peopleByIds(reader, ids)).filter(({ active }) => active === 1)
}

/** Returns the people who may see a project. Sequential, because most permissions are cached in memory. */
async function thoseWhoSee({ rights, hidden }: ServerWorld, people: readonly UserRow[], project: string) {
  const seeing: UserRow[] = []
  for (const user of people) {
    if (!(await hidden.from(user.id, await rights.of(user))).includes(project)) seeing.push(user)
  }
  return seeing
}
