import { findFlag } from '@burgee/serving/document/environment-document'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { listStrategies, type StrategyRow } from '@burgee/storage/queries/flags/strategies'
import type { ChangeAuthor } from '../../core/access/rights/rights.ts'
import { type Change, type ChangeContext, executeFlagChange, type FlagChange, inOneStep } from '../../core/execute.ts'
import { inOneRoundTrip } from '../../core/in-one-round-trip.ts'
import type { World } from '../../core/world.ts'
import type { Documents } from '../../delivery/documents/documents.ts'
import { lacksStrategy } from '../projects/default-strategy.ts'
import { setSwitch } from './enabled-and-plan-clock.ts'
import { type FeatureEnvironmentRef, requireFeatureEnvironment } from './feature-ref.ts'
import { addDefaultStrategy, enableStrategies } from './strategies.ts'

/** Requested state of a flag in an environment. */
export interface RequestedState {
  readonly enabled: boolean
  /** True to enable disabled strategies when turning the flag on. */
  readonly activate?: boolean | undefined
}

/** On/off state and strategies of a flag in an environment. */
interface SwitchState {
  readonly before: { readonly enabled: number }
  /** Strategies of the flag; queried only when the flag is turned on. */
  readonly strategies: readonly StrategyRow[]
}

/** Strategies that are enabled after the flag was turned on, and the strategy that was added for this, if any. */
export interface SwitchResult {
  /** Enabled strategies, in order; empty if the flag was turned off. */
  readonly strategies: readonly StrategyRow[]
  readonly added?: StrategyRow
}

/**
 * Turns a flag on or off in one environment. A flag that is turned on always gets an enabled strategy; otherwise, it
 * would accidentally be on for no one or for everyone. With `activate`, enables the disabled strategies of the flag. If
 * still no strategy is enabled, adds the default strategy. An unchanged state creates no event. Returns the strategies
 * that decide who gets the flag. Throws NotFoundError.
 */
export const switchFlag: FlagChange<FeatureEnvironmentRef & RequestedState, SwitchState, SwitchResult> = {
  read: async (reader, to) => {
    const [before, strategies] = await inOneRoundTrip([
      requireFeatureEnvironment(reader, to),
      to.enabled ? listStrategies(reader, to.feature, to.environment) : Promise.resolve([]),
    ])
    return { before, strategies }
  },
  write: async (tx, to, context, { before, strategies }) => {
    if (isAlreadyInState(before, strategies, to)) return { result: { strategies: getEnabled(strategies) }, events: [] }
    const { events, ...result } = to.enabled
      ? await prepareStrategies(tx, to, strategies, context)
      : { events: [], strategies: [] }
    const switched =
      (before.enabled === 1) === to.enabled ? [] : [await setSwitch(tx, to, { enabled: to.enabled, now: context.now })]
    return { result, events: [...events, ...switched] }
  },
}

/** Turns a flag on or off as one step of another change. */
export const setEnabled = inOneStep(switchFlag)

/** Returns true if the flag already has the requested state. */
export function isAlreadyInState(
  state: { readonly enabled: number },
  strategies: readonly StrategyRow[],
  to: RequestedState,
): boolean {
  if ((state.enabled === 1) !== to.enabled) return false
  const disabled = strategies.filter((strategy) => strategy.disabled === 1).length
  return !to.enabled || (disabled < strategies.length && (to.activate !== true || disabled === 0))
}

/** Returns the strategies that are not disabled. */
export const getEnabled = (strategies: readonly StrategyRow[]): StrategyRow[] =>
  strategies.filter(({ disabled }) => disabled === 0)

/** Makes sure that a flag has an enabled strategy before it is turned on. */
async function prepareStrategies(
  tx: Tx,
  to: FeatureEnvironmentRef & RequestedState,
  strategies: readonly StrategyRow[],
  context: ChangeContext,
): Promise<SwitchResult & { readonly events: readonly NewEvent[] }> {
  const disabled = strategies.filter((strategy) => strategy.disabled === 1)
  if (to.activate === true && disabled.length > 0) {
    const enabled = strategies.map((strategy) => ({ ...strategy, disabled: 0 }) as const)
    return { events: await enableStrategies(tx, to, disabled), strategies: enabled }
  }
  if (!lacksStrategy(strategies, to.activate === true)) return { events: [], strategies: getEnabled(strategies) }
  const { result: added, events } = await addDefaultStrategy(tx, to, context)
  return { events, strategies: [added], added }
}

/** Turns several flags on or off, atomically (all flags or none). Throws NotFoundError. */
export const setEnabledFor: Change<
  RequestedState & { project: string; environment: string; features: readonly string[] },
  void
> = async (tx, { features, ...to }, context) => {
  const events: NewEvent[] = []
  for (const feature of new Set(features)) events.push(...(await setEnabled(tx, { ...to, feature }, context)).events)
  return { result: undefined, events }
}

/**
 * Turns a flag on or off in one environment (see `switchFlag`). Scripts often request a state that the flag already
 * has. Such requests are answered without the writer lock: the reply was true at some moment during the request. Throws
 * NotFoundError.
 */
export async function switchFeature(
  world: World & { readonly documents: Pick<Documents, 'peek'> },
  author: ChangeAuthor,
  to: FeatureEnvironmentRef & RequestedState,
): Promise<SwitchResult> {
  const document = world.documents.peek(to.environment)
  // the in-memory document only decides whether a query is worth its cost
  const seemsAsWanted = document !== undefined && findFlag(document, to.feature)?.feature.enabled === to.enabled
  const unchanged = seemsAsWanted ? await readUnchanged(world.db.reader, to) : undefined
  return unchanged ?? executeFlagChange(world, author, switchFlag, to)
}

/** Returns the result if the flag already has the requested state; otherwise undefined. */
async function readUnchanged(
  reader: Reader,
  to: FeatureEnvironmentRef & RequestedState,
): Promise<SwitchResult | undefined> {
  const [before, strategies] = await inOneRoundTrip([
    requireFeatureEnvironment(reader, to),
    listStrategies(reader, to.feature, to.environment),
  ])
  return isAlreadyInState(before, strategies, to) ? { strategies: getEnabled(strategies) } : undefined
}
