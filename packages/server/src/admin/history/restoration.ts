import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { ChangeAction } from '@burgee/protocol/administration/change-request'
import type { EnvironmentSnapshot, FlagSnapshot } from '@burgee/protocol/administration/flag-history'
import type { Restoration, RestoredDetail } from '@burgee/protocol/administration/flag-restoration'
import { Problem } from '@burgee/protocol/problem'
import { MAX_ROW_ID } from '@burgee/protocol/row-id'
import type { Reader } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { findLastTagsBefore } from '@burgee/storage/queries/events/past-events'
import { readFlagRecords } from '@burgee/storage/queries/flags/flag-records'
import { type Actor, type Rights, requirePermission } from '../../core/access/rights/rights.ts'
import type { Change } from '../../core/execute.ts'
import { applyProposedChange, type CheckedChange } from '../change-requests/change-actions.ts'
import { getDirectPermission } from '../change-requests/direct-rights.ts'
import { type FeatureRef, requireLive } from '../flags/feature-ref.ts'
import { compareEnvironment } from './differences.ts'
import { isSame, toFlagSnapshot } from './flag-snapshot.ts'
import { readFlagAt } from './past-flag.ts'
import { type PointInTime, rejectUnknown } from './point-in-time.ts'
import { compareDetails, restoreDetails } from './restored-details.ts'

/** Parts of a flag to restore; all parts if omitted. */
export interface RestorationScope {
  readonly ref: FeatureRef
  readonly environments?: readonly string[] | undefined
  readonly details?: readonly RestoredDetail[] | undefined
}

/** Request for a restore: the past state, the actor, and the last event that the actor has seen. */
export interface RestoreRequest extends RestorationScope {
  readonly past: FlagSnapshot
  readonly actor: Rights
  readonly lastEventId?: number | undefined
}

/**
 * Returns the past state of a flag for a restore. Throws NotFoundError, and ConflictError if the past state is unknown
 * or the flag did not exist then.
 */
export async function readRestorableState(
  reader: Reader,
  ref: FeatureRef,
  when: PointInTime,
  { hidden }: Pick<Actor, 'hidden'>,
): Promise<FlagSnapshot> {
  await requireLive(reader, ref)
  const { isKnown, knownFrom, flag } = await readFlagAt(reader, ref.feature, when)
  if (!isKnown && knownFrom !== null) return rejectUnknown(knownFrom)
  if (flag !== null && !hidden.includes(flag.project)) return flag
  throw new Problem('ConflictError', `There was no flag "${ref.feature}" at that time.`)
}

/** Returns what a restore would change. Throws NotFoundError, and ValidationError for an invalid environment. */
export async function previewRestoration(
  reader: Reader,
  { ref, environments, details, past }: RestorationScope & Pick<RestoreRequest, 'past'>,
): Promise<Restoration> {
  await requireLive(reader, ref)
  const [record] = await readFlagRecords(reader, [ref.feature])
  if (record === undefined) throw notFound(`There is no flag "${ref.feature}".`)
  const flag = toFlagSnapshot(record)
  const now = flag.environments
  const last = await findLastTagsBefore(reader, ref.feature, MAX_ROW_ID)
  const isAll = environments === undefined && details === undefined
  const every = now.map(({ name }) => name).filter((name) => findEnvironment(past.environments, name))
  const names = isAll ? every : new Set(environments)
  return {
    lastEventId: last?.id ?? 0,
    details: isAll ? compareDetails(flag, past) : compareDetails(flag, past, details ?? []),
    environments: [...names].map((name) => buildEnvironmentRestoration(ref, name, now, past)),
  }
}

function buildEnvironmentRestoration(
  ref: FeatureRef,
  name: string,
  now: readonly EnvironmentSnapshot[],
  then: FlagSnapshot,
) {
  const [is, was] = [findEnvironment(now, name), findEnvironment(then.environments, name)]
  if (is === undefined || was === undefined) {
    const when = is === undefined ? 'is not' : 'was not'
    throw invalid(`The flag "${ref.feature}" ${when} in the environment "${name}"`, 'body/environments')
  }
  const target = { ...was, strategies: matchStrategies(is, was), enabled: isExplicitlyOpen(was) }
  const differences = compareEnvironment(is, target)
  const isOther = differences.length > 0
  const opens = !target.enabled || !isOther ? 'nobody' : is.enabled ? 'changes-who' : 'turns-on'
  return {
    ...({ environment: name, opens, staysOff: was.enabled && !target.enabled, differences } as const),
    changes: buildChanges(is, target).map(({ action, payload }) => ({ feature: ref.feature, action, payload })),
  }
}

/**
 * Returns the strategies of the past state. A strategy that was removed and later added again gets its current id
 * instead of its past id.
 */
function matchStrategies(is: EnvironmentSnapshot, was: EnvironmentSnapshot): EnvironmentSnapshot['strategies'] {
  const known = new Set(was.strategies.map(({ id }) => id))
  const others = is.strategies.filter(({ id }) => !known.has(id))
  return was.strategies.map((strategy) => {
    if (is.strategies.some(({ id }) => id === strategy.id)) return strategy
    const at = others.findIndex((one) =>
      isSame({ ...one, id: '', sortOrder: 0 }, { ...strategy, id: '', sortOrder: 0 }),
    )
    const [found] = at < 0 ? [] : others.splice(at, 1)
    return { ...strategy, id: found?.id ?? strategy.id }
  })
}

const findEnvironment = (places: readonly EnvironmentSnapshot[], name: string) =>
  places.find((one) => one.name === name)

/**
 * Returns true if the flag is on and has an enabled strategy. Without an enabled strategy, the flag would be on for
 * everyone although no user chose that.
 */
const isExplicitlyOpen = ({ enabled, strategies }: EnvironmentSnapshot) =>
  enabled && strategies.some((one) => !one.disabled)

/**
 * Returns the changes that restore an environment. The order of the changes never exposes the flag to more users in
 * between: turn off first, turn on last, and add strategies before removing other strategies.
 */
function buildChanges(is: EnvironmentSnapshot, was: EnvironmentSnapshot): CheckedChange[] {
  const orders = getSortOrders(was)
  const wanted = was.strategies.map((strategy, index) => ({ ...strategy, sortOrder: orders[index] ?? index }))
  const put = wanted
    .toSorted((a, b) => Number(a.disabled) - Number(b.disabled))
    .flatMap(({ id, ...strategy }): CheckedChange[] => {
      const own = is.strategies.find((one) => one.id === id)
      if (own === undefined) return [toProposed('addStrategy', strategy)]
      return isSame(own, { id, ...strategy })
        ? []
        : [toProposed('updateStrategy', { id, ...strategy, allowEmpty: true })]
    })
  const gone = is.strategies.filter(({ id }) => !wanted.some((one) => one.id === id))
  const variants = isSame(is.variants, was.variants) ? [] : [toProposed('patchVariant', { variants: was.variants })]
  return [
    ...(is.enabled && !was.enabled ? [toProposed('updateEnabled', { enabled: false })] : []),
    ...put,
    ...gone.map(({ id }) => toProposed('deleteStrategy', { id })),
    ...variants,
    ...(!is.enabled && was.enabled ? [toProposed('updateEnabled', { enabled: true })] : []),
  ]
}

const toProposed = (action: ChangeAction, payload: unknown): CheckedChange => ({ action, payload }) as CheckedChange

/**
 * Returns the sort orders of the past strategies. If the sort orders are not strictly ascending, returns the positions
 * instead.
 */
function getSortOrders({ strategies }: EnvironmentSnapshot): number[] {
  const orders = strategies.map(({ sortOrder }) => sortOrder)
  const isTelling = orders.every((order, index) => index === 0 || order > (orders[index - 1] ?? order))
  return isTelling ? orders : orders.map((_order, index) => index)
}

/**
 * Restores a flag, either all requested parts or none. Applies ordinary changes, which require their usual permissions.
 * Throws NotFoundError, ValidationError, NoAccessError, and PreconditionFailedError if the flag has changed since the
 * actor last read it.
 */
export const restoreFlag: Change<RestoreRequest, Restoration> = async (tx, order, moment) => {
  const { ref, actor, lastEventId } = order
  const result = await previewRestoration(tx, order)
  if (lastEventId !== undefined && lastEventId !== result.lastEventId) {
    const message = `The flag "${ref.feature}" was changed in the meantime. Nothing was restored: review the flag and try again.`
    throw new Problem('PreconditionFailedError', message)
  }
  const events: NewEvent[] = await restoreDetails(tx, { ref, was: order.past, differences: result.details }, moment)
  for (const { environment, changes } of result.environments) {
    for (const { action, payload } of changes) {
      requirePermission(actor, getDirectPermission(action), { project: ref.project, environment })
      const change = { ref: { ...ref, environment }, ...toProposed(action, payload) }
      events.push(...(await applyProposedChange(tx, change, moment)))
    }
  }
  return { result, events }
}
