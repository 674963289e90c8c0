import { notFound } from '@burgee/kit/input/refusals'
import type { CreateEnvironment, SortOrders, UpdateEnvironment } from '@burgee/protocol/environment'
import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import {
  type EnvironmentRow,
  findEnvironment,
  readMaxSortOrder,
  toEnvironmentState,
  updateEnvironmentRow,
} from '@burgee/storage/queries/projects/environments'
import type { Change, Outcome } from '../../core/execute.ts'
import { requireKey } from '../../core/names.ts'

const SORT_ORDER_STEP = 100

/** Returns an environment by name. Throws NotFoundError. */
export async function requireEnvironment(reader: Reader, name: string): Promise<EnvironmentRow> {
  const row = await findEnvironment(reader, name)
  if (row !== undefined) return row
  throw notFound(`There is no environment "${name}".`)
}

/** Creates an environment, which no project uses yet. Throws ValidationError, NameExistsError. */
export const createEnvironment: Change<CreateEnvironment, EnvironmentRow> = async (tx, body) => {
  await requireFreeEnvironment(tx, body.name)
  const row: EnvironmentRow = {
    name: body.name,
    type: body.type,
    sort_order: body.sortOrder ?? (await readMaxSortOrder(tx)) + SORT_ORDER_STEP,
    enabled: Number(body.enabled ?? true),
    protected: 0,
  }
  await tx.insertInto('environments').values(row).execute()
  const event: NewEvent = { type: 'environment-created', environment: row.name, data: toEnvironmentState(row) }
  return { result: row, events: [event] }
}

/** Throws ValidationError for an invalid name, NameExistsError for a name in use. */
export async function requireFreeEnvironment(reader: Reader, name: string): Promise<void> {
  requireKey('name', name)
  if ((await findEnvironment(reader, name)) === undefined) return
  throw new Problem('NameExistsError', `There is already an environment named "${name}".`)
}

/**
 * Updates type and sort order; omitted fields keep their value, and no event is created if nothing changes. Throws
 * NotFoundError.
 */
export const updateEnvironment: Change<{ name: string; body: UpdateEnvironment }, EnvironmentRow> = async (
  tx,
  { name, body },
) => {
  const before = await requireEnvironment(tx, name)
  const after = { ...before, type: body.type ?? before.type, sort_order: body.sortOrder ?? before.sort_order }
  await updateEnvironmentRow(tx, after)
  return toOutcome(before, after)
}

/** Enables or disables an environment; creates no event if nothing changes. Throws NotFoundError. */
export const switchEnvironment: Change<{ name: string; enabled: boolean }, EnvironmentRow> = async (
  tx,
  { name, enabled },
) => {
  const before = await requireEnvironment(tx, name)
  const after = { ...before, enabled: Number(enabled) }
  await updateEnvironmentRow(tx, after)
  return toOutcome(before, after)
}

/**
 * Reorders environments atomically (all environments or none), with an event for each environment that moves. Throws
 * NotFoundError.
 */
export const orderEnvironments: Change<SortOrders, void> = async (tx, orders) => {
  const events: NewEvent[] = []
  for (const [name, sort_order] of Object.entries(orders)) {
    const before = await requireEnvironment(tx, name)
    const after = { ...before, sort_order }
    await updateEnvironmentRow(tx, after)
    events.push(...toOutcome(before, after).events)
  }
  return { result: undefined, events }
}

function toOutcome(before: EnvironmentRow, after: EnvironmentRow): Outcome<EnvironmentRow> {
  const states = { data: toEnvironmentState(after), preData: toEnvironmentState(before) }
  if (JSON.stringify(states.data) === JSON.stringify(states.preData)) return { result: before, events: [] }
  return { result: after, events: [{ type: 'environment-updated', environment: after.name, ...states }] }
}
