import { notFound } from '@burgee/kit/input/refusals'
import { MAX_SIGNAL_ENDPOINTS, type SignalEndpoint } from '@burgee/protocol/administration/signal-endpoint'
import { Problem } from '@burgee/protocol/problem'
import { listAlertedSafeguards } from '@burgee/storage/queries/releases/safeguards'
import {
  deleteSignalEndpoint,
  findSignalEndpoint,
  listSignalEndpoints,
  putSignalEndpoint,
  type SignalEndpointRow,
  touchSignalEndpoint,
} from '@burgee/storage/queries/signals/signal-endpoints'
import { createSignalToken } from '../../core/access/tokens/signal-tokens.ts'
import { type Change, execute, record } from '../../core/execute.ts'
import { isoOrNull } from '../../core/iso-time.ts'
import { SYSTEM, type World } from '../../core/world.ts'
import { tripSafeguard } from '../releases/safeguard-trips.ts'
import type { FiringAlert } from './read-signal.ts'

/**
 * Maximum number of safeguards that a single signal trips. Senders repeat alerts that are still firing, so the next
 * signal trips further safeguards.
 */
const MAX_TRIPS = 500
/** Minimum time between two updates of the stored time of an endpoint's last signal. */
const USED_MS = 60_000

/** Converts a signal endpoint to its admin API form. */
export function toEndpointView(row: SignalEndpointRow): SignalEndpoint {
  return {
    name: row.name,
    createdByUserId: row.created_by_user_id,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: isoOrNull(row.last_used_at),
  }
}

/** Signal endpoint, together with its token. */
export interface CreatedEndpoint {
  readonly row: SignalEndpointRow
  readonly token: string
}

/**
 * Creates a signal endpoint with a new token; only its hash is stored. Throws NameExistsError, and
 * InvalidOperationError if there are too many endpoints.
 */
export const createSignalEndpoint: Change<{ readonly name: string }, CreatedEndpoint> = async (
  tx,
  { name },
  { random, author, now },
) => {
  const known = await listSignalEndpoints(tx)
  if (known.some((one) => one.name === name)) {
    throw new Problem('NameExistsError', 'A signal endpoint with that name already exists')
  }
  if (known.length >= MAX_SIGNAL_ENDPOINTS) {
    throw new Problem('InvalidOperationError', `There are ${known.length} signal endpoints, the maximum.`)
  }
  const { token, hash } = createSignalToken(random)
  const row: SignalEndpointRow = {
    name,
    token_hash: hash,
    created_by_user_id: author.userId,
    created_at: now,
    last_used_at: null,
  }
  await putSignalEndpoint(tx, row)
  return { result: { row, token }, events: [{ type: 'signal-endpoint-created', data: { name } }] }
}

/** Deletes a signal endpoint; its token is rejected at once. Throws NotFoundError. */
export const removeSignalEndpoint: Change<{ readonly name: string }, void> = async (tx, { name }) => {
  if ((await findSignalEndpoint(tx, name)) === undefined) throw notFound(`There is no signal endpoint "${name}".`)
  await deleteSignalEndpoint(tx, name)
  return { result: undefined, events: [{ type: 'signal-endpoint-deleted', preData: { name } }] }
}

/** Trips the safeguards that wait for one of the alerts in a signal. Signal that an endpoint has received. */
export async function receiveAlerts(world: World, name: string, alerts: readonly FiringAlert[]): Promise<void> {
  const now = world.clock()
  const used = (await findSignalEndpoint(world.db.reader, name))?.last_used_at ?? null
  if (used === null || Math.abs(now - used) >= USED_MS) {
    await record(world, (tx) => touchSignalEndpoint(tx, name, now))
  }
  const names = [...new Set(alerts.map(({ name }) => name))]
  const safeguards = await listAlertedSafeguards(world.db.reader, names, MAX_TRIPS)
  for (const { id, alert_name, feature_name, environment, armed_at: armedAt } of safeguards) {
    const alert = alerts.find(
      (one) =>
        one.name === alert_name &&
        (one.flag ?? feature_name) === feature_name &&
        (one.environment ?? environment) === environment,
    )
    if (alert === undefined) continue
    const detail = alert.message === '' ? alert.name : `${alert.name}: ${alert.message}`
    await execute(world, SYSTEM, tripSafeguard, {
      id,
      armedAt,
      trip: { value: null, threshold: null, window: null, detail },
    })
  }
}
