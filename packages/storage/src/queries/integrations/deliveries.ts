import { type Selectable, sql } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'

/** Event that waits for delivery to an integration. */
export type DeliveryRow = Selectable<Schema['integration_deliveries']>
/** Entry in the delivery log of an integration. */
export type AttemptRow = Selectable<Schema['integration_attempts']>

/** Maximum number of pending deliveries per integration. If there are more, the oldest deliveries are dropped. */
export const MAX_PENDING_DELIVERIES = 1000
/** Maximum number of delivery log entries per integration. */
export const MAX_LOGGED_ATTEMPTS = 100

/**
 * Queues events for delivery to an integration, and stores the id of the last event that was examined for the
 * integration. Returns the number of old deliveries that were dropped.
 */
export async function queueEvents(
  tx: Tx,
  integrationId: number,
  { ids, seen, now }: { readonly ids: readonly number[]; readonly seen: number; readonly now: number },
): Promise<number> {
  const known = await tx
    .selectFrom('integrations')
    .select('seen_event_id')
    .where('id', '=', integrationId)
    .executeTakeFirst()
  if (known === undefined || known.seen_event_id >= seen) return 0
  await tx.updateTable('integrations').set({ seen_event_id: seen }).where('id', '=', integrationId).execute()
  // another node may already have examined later events
  const fresh = ids.filter((id) => id > known.seen_event_id)
  if (fresh.length === 0) return 0
  for (const part of chunks(fresh, 100)) {
    await tx
      .insertInto('integration_deliveries')
      .values(part.map((event_id) => ({ integration_id: integrationId, event_id, attempts: 0, part: 0, due_at: now })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  const over = (await countPendingDeliveries(tx, integrationId)) - MAX_PENDING_DELIVERIES
  if (over <= 0) return 0
  const oldest = await tx
    .selectFrom('integration_deliveries')
    .select('event_id')
    .where('integration_id', '=', integrationId)
    .orderBy('event_id')
    .offset(over)
    .limit(1)
    .executeTakeFirstOrThrow()
  await tx
    .deleteFrom('integration_deliveries')
    .where('integration_id', '=', integrationId)
    .where('event_id', '<', oldest.event_id)
    .execute()
  return over
}

/** Counts the pending deliveries of an integration. */
export async function countPendingDeliveries(reader: Reader, integrationId: number): Promise<number> {
  const row = await reader
    .selectFrom('integration_deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('integration_id', '=', integrationId)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Counts the pending deliveries by provider. Providers without pending deliveries have the count 0. */
export async function countPendingByProvider(reader: Reader): Promise<ReadonlyMap<string, number>> {
  const rows = await reader
    .selectFrom('integrations as i')
    .leftJoin('integration_deliveries as d', 'd.integration_id', 'i.id')
    .select(({ fn }) => ['i.provider', fn.count<number>('d.event_id').as('waiting')])
    .groupBy('i.provider')
    .execute()
  return new Map(rows.map(({ provider, waiting }) => [provider, Number(waiting)]))
}

/** Counts the pending deliveries by integration. Integrations without pending deliveries are omitted. */
export async function countPendingByIntegration(reader: Reader): Promise<Map<number, number>> {
  const rows = await reader
    .selectFrom('integration_deliveries')
    .select(({ fn }) => ['integration_id', fn.countAll<number>().as('count')])
    .groupBy('integration_id')
    .execute()
  return new Map(rows.map((row) => [row.integration_id, Number(row.count)]))
}

/** Returns the most recent entry in the delivery log of each integration. Integrations without entries are omitted. */
export function listLastAttempts(reader: Reader): Promise<AttemptRow[]> {
  return reader
    .selectFrom('integration_attempts')
    .selectAll()
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('integration_attempts')
        .select(({ fn }) => fn.max('id').as('id'))
        .groupBy('integration_id'),
    )
    .execute()
}

/** Returns the next delivery of an integration, even if it is not yet due. */
export function findFirstDelivery(reader: Reader, integrationId: number): Promise<DeliveryRow | undefined> {
  return reader
    .selectFrom('integration_deliveries')
    .selectAll()
    .where('integration_id', '=', integrationId)
    .orderBy('event_id')
    .limit(1)
    .executeTakeFirst()
}

/** Removes a completed delivery from the queue. */
export async function removeDelivery(tx: Tx, { integration_id, event_id }: DeliveryRow): Promise<void> {
  await tx
    .deleteFrom('integration_deliveries')
    .where('integration_id', '=', integration_id)
    .where('event_id', '=', event_id)
    .execute()
}

/** Stores the progress of a delivery, and the time of the next attempt. */
export async function delayDelivery(tx: Tx, { integration_id, event_id, ...rest }: DeliveryRow): Promise<void> {
  await tx
    .updateTable('integration_deliveries')
    .set(rest)
    .where('integration_id', '=', integration_id)
    .where('event_id', '=', event_id)
    .execute()
}

/**
 * Adds an entry to the delivery log of an integration. Deletes its oldest entries beyond the maximum. Does nothing if
 * the integration no longer exists.
 */
export async function recordAttempt(tx: Tx, row: Omit<AttemptRow, 'id'>): Promise<void> {
  const there = await tx.selectFrom('integrations').select('id').where('id', '=', row.integration_id).executeTakeFirst()
  if (there === undefined) return
  await tx.insertInto('integration_attempts').values(row).execute()
  await tx
    .deleteFrom('integration_attempts')
    .where('integration_id', '=', row.integration_id)
    .where('id', 'not in', ({ selectFrom }) =>
      selectFrom('integration_attempts')
        .select('id')
        .where('integration_id', '=', row.integration_id)
        .orderBy('id', 'desc')
        .limit(MAX_LOGGED_ATTEMPTS),
    )
    .execute()
}

/** Returns entries in the delivery log of an integration, newest first. */
export function listAttempts(
  reader: Reader,
  integrationId: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<AttemptRow[]> {
  return reader
    .selectFrom('integration_attempts')
    .selectAll()
    .where('integration_id', '=', integrationId)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Work of which one node at a time does each kind. */
export type LeaseName = 'deliveries' | 'audit-export'

/**
 * Acquires or renews the lease under which one node delivers or exports events. Uses the clock of the PostgreSQL
 * server. Returns true if `holder` then has the lease.
 */
export async function takeLease(tx: Tx, name: LeaseName, holder: string, lengthMs: number): Promise<boolean> {
  const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
  const { rows } = await sql<{ holder: string }>`insert into integration_lease (name, holder, until_ms)
    values (${name}, ${holder}, ${now} + ${lengthMs}::bigint)
    on conflict (name) do update set holder = excluded.holder, until_ms = excluded.until_ms
    where integration_lease.holder = excluded.holder or integration_lease.until_ms < ${now}
    returning holder`.execute(tx)
  return rows[0]?.holder === holder
}

/** Releases the delivery lease if `holder` has it. */
export async function releaseLease(tx: Tx, holder: string): Promise<void> {
  await tx.deleteFrom('integration_lease').where('holder', '=', holder).execute()
}
