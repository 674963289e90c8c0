import type { IntegrationEvent, IntegrationStatus } from '@burgee/protocol/administration/integration'
import { type Event, isAdminEvent } from '@burgee/protocol/event'
import type { Reader } from '@burgee/storage/database'
import { toEvent } from '@burgee/storage/queries/events/events'
import {
  type AttemptRow,
  countPendingByIntegration,
  listAttempts,
  listLastAttempts,
  recordAttempt,
} from '@burgee/storage/queries/integrations/deliveries'
import { filterVisible } from '../../core/access/rights/hidden-projects.ts'
import { type Actor, hasPermission, type Rights } from '../../core/access/rights/rights.ts'
import { record } from '../../core/execute.ts'
import { isoOrNull } from '../../core/iso-time.ts'
import type { World } from '../../core/world.ts'
import { buildTestEvent, type DeliveryMeans, deliver } from './integration-delivery.ts'
import { requireIntegration, requireManageableIntegration } from './integrations.ts'

/**
 * Returns an integration's delivery log, newest first, without events that are hidden from the reader. Throws
 * NotFoundError.
 */
export async function readDeliveryLog(
  reader: Reader,
  id: number,
  { actor, ...page }: { readonly actor: Rights; readonly limit: number; readonly offset: number },
): Promise<IntegrationEvent[]> {
  await requireIntegration(reader, id)
  const rows = await listAttempts(reader, id, page)
  const ids = [...new Set(rows.map(({ event_id }) => event_id).filter((one) => one !== null))]
  const events = ids.length === 0 ? [] : await reader.selectFrom('events').selectAll().where('id', 'in', ids).execute()
  const isAdmin = hasPermission(actor, 'ADMIN')
  const seen = filterVisible(actor.hidden, events, ({ project }) => project).filter(
    ({ type }) => isAdmin || !isAdminEvent(type),
  )
  const byId = new Map(seen.map((row) => [Number(row.id), toEvent(row)]))
  return rows.map((row) => toIntegrationEvent(row, row.event_id === null ? undefined : byId.get(Number(row.event_id))))
}

/** Returns the delivery status of integrations in the order of `ids`, with two queries. */
export async function readIntegrationStatuses(reader: Reader, ids: readonly number[]): Promise<IntegrationStatus[]> {
  const waiting = await countPendingByIntegration(reader)
  const last = new Map((await listLastAttempts(reader)).map((row) => [row.integration_id, row]))
  return ids.map((id) => {
    const row = last.get(id)
    const createdAt = row && new Date(Number(row.created_at)).toISOString()
    return {
      integrationId: id,
      waiting: waiting.get(id) ?? 0,
      last: row === undefined ? null : { createdAt: createdAt ?? '', state: row.state, status: row.status },
    }
  })
}

/**
 * Sends a test event to an integration, even if the integration is disabled, and records the delivery in the log.
 * Throws NotFoundError, NoAccessError.
 */
export async function testIntegration(
  world: World & { readonly deliveryMeans: DeliveryMeans },
  author: Actor,
  id: number,
): Promise<IntegrationEvent> {
  const integration = await requireManageableIntegration(world.db.reader, id, author.hidden)
  const event = buildTestEvent(integration, author.name, world.clock())
  const { error, status, durationMs } = await deliver(integration, { event, part: 0 }, world.deliveryMeans)
  const line = {
    integration_id: id,
    event_id: null,
    created_at: world.clock(),
    attempt: 1,
    next_at: null,
    state: error === undefined ? ('success' as const) : ('failed' as const),
    error: error ?? '',
    status: status ?? null,
    duration_ms: durationMs,
  }
  await record(world, (tx) => recordAttempt(tx, line))
  return toIntegrationEvent({ id: 0, ...line }, undefined)
}

function toIntegrationEvent(row: AttemptRow, event: Event | undefined): IntegrationEvent {
  return {
    id: String(row.id),
    integrationId: row.integration_id,
    createdAt: new Date(Number(row.created_at)).toISOString(),
    state: row.state,
    stateDetails: row.error,
    event: event ?? null,
    details: { nextAttemptAt: isoOrNull(row.next_at) },
    status: row.status,
    durationMs: row.duration_ms,
    attempt: row.attempt,
    eventId: row.event_id,
  }
}
