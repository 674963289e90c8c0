import type { SourceEvent, SourceUsage } from '@burgee/import/model/source-usage'
import { Problem } from '@burgee/protocol/problem'
import type { Schema, Tx } from '@burgee/storage/database'
import { dropAllBlocks } from '@burgee/storage/queries/events/search-index'
import { insertAll, insertWithIds, raiseNextId } from '@burgee/storage/queries/import/explicit-ids'
import type { Insertable, Selectable } from 'kysely'
import type { ImportContext } from './import-order.ts'

/**
 * Maximum number of events that the target may have before the import. A target with more events is considered to be in
 * use.
 */
const MAX_OWN_EVENTS = 5000
const BY_SERVER = -1337

type EventRow = Selectable<Schema['events']>

/**
 * Writes events with their ids from the source, so that SDKs and streams can continue from the last event id that they
 * have seen. The events of the target get new ids after the imported events, in their previous order. In a merge,
 * existing events keep their ids, and the events of the source are appended with new ids.
 */
export async function writeEvents(writing: ImportContext, earlier: number | undefined): Promise<void> {
  const { tx, order, installation } = writing
  const { lastEventId = 0 } = installation.origin
  if (order.mode === 'merge') return appendEvents(writing)
  // event ids will be reassigned, so the search index is no longer valid
  await dropAllBlocks(tx)
  const own = await takeLaterEvents(tx, earlier ?? 0)
  await copyEvents(writing, earlier ?? 0, (rows) => insertWithIds(tx, 'events', rows))
  await raiseNextId(tx, 'events', lastEventId)
  await insertAll(tx, 'events', own.map(toNewRow))
}

async function appendEvents(writing: ImportContext): Promise<void> {
  const { tx } = writing
  await copyEvents(writing, 0, async (rows) => {
    for (const { id: _there, ...row } of rows) await tx.insertInto('events').values(row).returning('id').execute()
  })
}

async function copyEvents(
  { order, installation, tally, users }: ImportContext,
  afterId: number,
  write: (rows: (Insertable<Schema['events']> & { id: number })[]) => Promise<void>,
): Promise<void> {
  // counting events can require reading all events of the source
  if (order.events === 'none') return
  const all = await installation.amounts.events({ afterId })
  const wish = order.events === 'all' ? { afterId } : { afterId, since: order.events.since }
  const wanted = order.events === 'all' ? all : await installation.amounts.events(wish)
  tally.count('event', all, wanted)
  if (order.isTrial) return
  let done = 0
  for await (const part of installation.events(wish)) {
    await write(part.map((event) => toRow(event, users)))
    done += part.length
    order.progress('event', done, wanted)
  }
}

/**
 * Converts an event. Replaces the author's id with the id in this database. Authors whose accounts no longer exist keep
 * their id from the source.
 */
function toRow(event: SourceEvent, users: ReadonlyMap<number, number>): Insertable<Schema['events']> & { id: number } {
  const userId = event.createdByUserId ?? BY_SERVER
  return {
    id: event.id,
    created_at: event.createdAt,
    type: event.type,
    created_by: event.createdBy,
    created_by_user_id: users.get(userId) ?? userId,
    project: event.project,
    environment: event.environment,
    feature_name: event.flag,
    data: JSON.stringify(event.data ?? null),
    pre_data: JSON.stringify(event.preData ?? null),
    tags: JSON.stringify(event.tags),
    // the events come from another server, so they must not affect the documents for SDKs
    reach: null,
    address: event.address,
  }
}

async function takeLaterEvents(tx: Tx, afterId: number): Promise<EventRow[]> {
  const own = await tx
    .selectFrom('events')
    .selectAll()
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(MAX_OWN_EVENTS + 1)
    .execute()
  if (own.length > MAX_OWN_EVENTS) {
    throw new Problem(
      'InvalidOperationError',
      `The target already has more than ${MAX_OWN_EVENTS} events: use a new target.`,
    )
  }
  await tx.deleteFrom('events').where('id', '>', afterId).execute()
  return own
}

function toNewRow({ id: _before, data, pre_data, tags, undo, agent, ...row }: EventRow): Insertable<Schema['events']> {
  const kept = undo === null ? null : JSON.stringify(undo)
  const mark = agent === null ? null : JSON.stringify(agent)
  const texts = { data: JSON.stringify(data), pre_data: JSON.stringify(pre_data), tags: JSON.stringify(tags) }
  return { ...row, ...texts, undo: kept, agent: mark }
}

/** Writes hourly usage counts, so that usage of imported flags is known from the start. */
export async function writeUsage({ tx, order, installation, tally }: ImportContext): Promise<void> {
  const { usage: amount } = installation.amounts
  const isTaken = order.mode !== 'merge'
  tally.count('usage', amount, isTaken ? amount : 0)
  if (!isTaken || order.isTrial) return
  let done = 0
  for await (const part of installation.usage()) {
    await insertAll(tx, 'client_metrics', part.map(toCounts))
    await insertAll(tx, 'client_metrics_variants', part.flatMap(toVariantCounts))
    done += part.length
    order.progress('usage', done, amount)
  }
}

function getKey({ environment, appName, flag, hour }: SourceUsage) {
  return { environment, app_name: appName, feature_name: flag, hour }
}

function toCounts(one: SourceUsage) {
  return { ...getKey(one), yes: one.yes, no: one.no }
}

function toVariantCounts(one: SourceUsage) {
  return Object.entries(one.variants).map(([variant, count]) => ({ ...getKey(one), variant, count }))
}
