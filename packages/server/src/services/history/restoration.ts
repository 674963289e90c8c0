import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { ChangeAction } from '@burgee/protocol/administration/change-request'
import type { EnvironmentThen, FlagThen } from '@burgee/protocol/administration/flag-history'
import type { Restoration, RestoredDetail } from '@burgee/protocol/administration/flag-restoration'
import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '../../store/database.ts'
import type { NewEvent } from '../../store/events/events.ts'
import { lastTagsBefore } from '../../store/events/past-events.ts'
import { readFlagRecords } from '../../store/features/flag-records.ts'
import { type Actor, requireRight } from '../access/rights/rights.ts'
import { carryOutChange, type Proposed } from '../change-requests/actions.ts'
import { DIRECT_RIGHTS } from '../change-requests/direct-rights.ts'
import type { Change } from '../execute.ts'
import { type FeatureRef, requireLive } from '../features/feature-ref.ts'
import { differencesIn } from './differences.ts'
import { flagThen, isSame } from './flag-then.ts'
import { refuseUnknown, type When } from './moment.ts'
import { flagAt } from './past-flag.ts'
import { differingDetails, restoreDetails } from './restored-details.ts'

/** Parts of a flag to restore; everything if none is named. */
export interface RestorationAsked {
  readonly ref: FeatureRef
  readonly environments?: readonly string[] | undefined
  readonly details?: readonly RestoredDetail[] | undefined
}

/** Restore request with the past state, the actor, and the last event that the actor saw. */
export interface RestoreOrder extends RestorationAsked {
  readonly then: FlagThen
  readonly actor: Pick<Actor, 'grants' | 'hidden'>
  readonly lastEventId?: number | undefined
}

/**
 * Returns the past state of a flag for a restore. Throws NotFoundError, and ConflictError if the past state is unknown
 * or the flag did not exist then.
 */
export async function restorable(
  reader: Reader,
  ref: FeatureRef,
  when: When,
  { hidden = [] }: Pick<Actor, 'hidden'>,
): Promise<FlagThen> {
  await requireLive(reader, ref)
  const { isKnown, knownFrom, flag } = await flagAt(reader, ref.feature, when)
  if (!isKnown && knownFrom !== null) return refuseUnknown(knownFrom)
  if (flag !== null && !hidden.includes(flag.project)) return flag
  throw new Problem('ConflictError', `There was no flag "${ref.feature}" then.`)
}

/** Returns the effects of a restore. Throws NotFoundError, and ValidationError for an invalid environment. */
export async function restorationOf(
  reader: Reader,
  { ref, environments, details, then }: RestorationAsked & Pick<RestoreOrder, 'then'>,
): Promise<Restoration> {
  await requireLive(reader, ref)
  const [record] = await readFlagRecords(reader, [ref.feature])
  if (record === undefined) throw notFound(`There is no flag "${ref.feature}".`)
  const flag = flagThen(record)
  const now = flag.environments
  const last = await lastTagsBefore(reader, ref.feature, 2_147_483_647)
  const isAll = environments === undefined && details === undefined
  const every = now.map(({ name }) => name).filter((name) => placeIn(then.environments, name))
  const names = isAll ? every : new Set(environments)
  return {
    lastEventId: last?.id ?? 0,
    details: isAll ? differingDetails(flag, then) : differingDetails(flag, then, details ?? []),
    environments: [...names].map((name) => placeOf(ref, name, now, then)),
  }
}

function placeOf(ref: FeatureRef, name: string, now: readonly EnvironmentThen[], then: FlagThen) {
  const [is, was] = [placeIn(now, name), placeIn(then.environments, name)]
  if (is === undefined || was === undefined) {
    const when = is === undefined ? 'is not' : 'was not'
    throw invalid(`The flag "${ref.feature}" ${when} in the environment "${name}"`, 'body/environments')
  }
  const target = { ...was, strategies: recognised(is, was), enabled: isOpenBySay(was) }
  const differences = differencesIn(is, target)
  const isOther = differences.length > 0
  const opens = !target.enabled || !isOther ? 'nobody' : is.enabled ? 'changes-who' : 'turns-on'
  return {
    ...({ environment: name, opens, staysOff: was.enabled && !target.enabled, differences } as const),
    changes: changesTo(is, target).map(({ action, payload }) => ({ feature: ref.feature, action, payload })),
  }
}

/** Returns the past strategies. A strategy that was removed and added again with another id is given its current id. */
function recognised(is: EnvironmentThen, was: EnvironmentThen): EnvironmentThen['strategies'] {
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

const placeIn = (places: readonly EnvironmentThen[], name: string) => places.find((one) => one.name === name)

/**
 * Returns true if the flag is on with an enabled strategy. Without one, the flag would be on for everyone, which no one
 * chose explicitly.
 */
const isOpenBySay = ({ enabled, strategies }: EnvironmentThen) => enabled && strategies.some((one) => !one.disabled)

/**
 * Returns the changes that restore an environment, in an order that never exposes the flag in between: turning off
 * first, turning on last, and adding strategies before removing others.
 */
function changesTo(is: EnvironmentThen, was: EnvironmentThen): Proposed[] {
  const orders = ordersOf(was)
  const wanted = was.strategies.map((strategy, index) => ({ ...strategy, sortOrder: orders[index] ?? index }))
  const put = wanted
    .toSorted((a, b) => Number(a.disabled) - Number(b.disabled))
    .flatMap(({ id, ...strategy }): Proposed[] => {
      const own = is.strategies.find((one) => one.id === id)
      if (own === undefined) return [proposed('addStrategy', strategy)]
      return isSame(own, { id, ...strategy }) ? [] : [proposed('updateStrategy', { id, ...strategy, allowEmpty: true })]
    })
  const gone = is.strategies.filter(({ id }) => !wanted.some((one) => one.id === id))
  const variants = isSame(is.variants, was.variants) ? [] : [proposed('patchVariant', { variants: was.variants })]
  return [
    ...(is.enabled && !was.enabled ? [proposed('updateEnabled', { enabled: false })] : []),
    ...put,
    ...gone.map(({ id }) => proposed('deleteStrategy', { id })),
    ...variants,
    ...(!is.enabled && was.enabled ? [proposed('updateEnabled', { enabled: true })] : []),
  ]
}

const proposed = (action: ChangeAction, payload: unknown): Proposed => ({ action, payload }) as Proposed

/** Returns the past sort orders, or new sort orders if the past ones are not strictly ascending. */
function ordersOf({ strategies }: EnvironmentThen): number[] {
  const orders = strategies.map(({ sortOrder }) => sortOrder)
  const isTelling = orders.every((order, index) => index === 0 || order > (orders[index - 1] ?? order))
  return isTelling ? orders : orders.map((_order, index) => index)
}

/**
 * Restores a flag, either all requested parts or none. Applies ordinary changes, each of which requires its usual
 * permission. Throws NotFoundError, ValidationError, NoAccessError, and PreconditionFailedError if the flag has changed
 * since the actor last saw it.
 */
export const restoreFlag: Change<RestoreOrder, Restoration> = async (tx, order, moment) => {
  const { ref, actor, lastEventId } = order
  const result = await restorationOf(tx, order)
  if (lastEventId !== undefined && lastEventId !== result.lastEventId) {
    const message = `The flag "${ref.feature}" was changed in the meantime. Nothing was done: look at it again.`
    throw new Problem('PreconditionFailedError', message)
  }
  const events: NewEvent[] = await restoreDetails(tx, { ref, was: order.then, differences: result.details }, moment)
  for (const { environment, changes } of result.environments) {
    for (const { action, payload } of changes) {
      requireRight(actor, DIRECT_RIGHTS[action] ?? 'ADMIN', { project: ref.project, environment })
      const change = { ref: { ...ref, environment }, ...proposed(action, payload) }
      events.push(...(await carryOutChange(tx, change, moment)))
    }
  }
  return { result, events }
}
