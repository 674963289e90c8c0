import { invalid } from '@burgee/kit/input/refusals'
import { MAX_UNREAD, type Notification, type Notifications } from '@burgee/protocol/administration/notification'
import {
  isTaskReason,
  NOTIFICATION_REASONS,
  type NotificationReason,
} from '@burgee/protocol/administration/notification-reason'
import type { Reader } from '@burgee/storage/database'
import { listEventsByIds, readNewestEventId } from '@burgee/storage/queries/events/events'
import { findReadUpTo, putReadUpTo } from '@burgee/storage/queries/notifications/notification-reads'
import { type Actor, hasPermission } from '../../core/access/rights/rights.ts'
import { record } from '../../core/execute.ts'
import type { World } from '../../core/world.ts'
import { type InboxTimes, listInboxFlags } from '../inbox/inbox-flags.ts'
import { type EventWithReason, findFlagEvents, findProjectEvents, findRequestEvents } from './notification-reasons.ts'

/** Number of notifications to return, and the number of days after which a flag counts as unused. */
export interface NotificationPage extends Pick<InboxTimes, 'unusedFlagDays'> {
  readonly limit: number
}

/** Number of events to search, newest first. */
const MAX_SEARCHED_EVENTS = 25_000

/**
 * Returns the actions of other users that concern a user, newest first, from the event log, and the flags that the user
 * can archive. The number of queries does not depend on the length of the log. At the first request of a user, all
 * existing notifications count as read, except notifications about change requests that await an action of the user.
 * Throws database errors.
 */
export async function listNotifications(world: World, actor: Actor, page: NotificationPage): Promise<Notifications> {
  const { userId } = actor
  const { limit, unusedFlagDays } = page
  const { newest, readUpTo, found, events, unusedFlags } = await world.db.view(async (reader) => {
    const newest = await readNewestEventId(reader)
    const found = await findConcerning(reader, actor, newest)
    const ids = found.slice(0, limit).map(({ id }) => id)
    const events = await listEventsByIds(reader, ids, hasPermission(actor, 'ADMIN'))
    const unusedFlags = await listInboxFlags(reader, actor, { now: world.clock(), unusedFlagDays })
    return { newest, readUpTo: await findReadUpTo(reader, userId), found, events, unusedFlags }
  })
  const read = readUpTo ?? (await record(world, (tx) => putReadUpTo(tx, userId, newest)))
  const reasons = new Map(found.map(({ id, reason }) => [id, reason]))
  const notifications = events.flatMap((event): Notification[] => {
    const reason = reasons.get(event.id)
    return reason === undefined ? [] : [{ ...event, reason }]
  })
  const unread = found.filter(({ id, reason }) => id > read || isTaskReason(reason)).length
  return {
    notifications,
    unusedFlags,
    unread: Math.min(MAX_UNREAD, unread + unusedFlags.length),
    readUpTo: read,
  }
}

/**
 * Stores and returns the position up to which a user has read. Throws ValidationError for an event that does not exist
 * yet.
 */
export async function markNotificationsRead(world: World, { userId }: Actor, upTo: number): Promise<number> {
  const newest = await readNewestEventId(world.db.reader)
  if (upTo > newest) throw invalid(`"upTo" must be the id of an event; the newest is ${newest}`, 'body/upTo')
  return record(world, (tx) => putReadUpTo(tx, userId, upTo))
}

/**
 * Returns the newest notifications, at most as many as are counted. An event for which there are several reasons is
 * returned once, with the first reason.
 */
async function findConcerning(reader: Reader, actor: Actor, newest: number): Promise<EventWithReason[]> {
  const { userId, hidden } = actor
  const which = { afterId: newest - MAX_SEARCHED_EVENTS, notBy: userId, hidden, limit: MAX_UNREAD }
  const all = [
    ...(await findRequestEvents(reader, actor, which)),
    ...(await findFlagEvents(reader, userId, which)),
    ...(await findProjectEvents(reader, userId, which)),
  ]
  const first = new Map<number, NotificationReason>()
  for (const { id, reason } of all) {
    const known = first.get(id)
    if (known === undefined || getRank(reason) < getRank(known)) first.set(id, reason)
  }
  return [...first]
    .map(([id, reason]) => ({ id, reason }))
    .sort((a, b) => b.id - a.id)
    .slice(0, MAX_UNREAD)
}

const getRank = (reason: NotificationReason) => NOTIFICATION_REASONS.indexOf(reason)
