import { requireUrlFriendly } from '@burgee/kit/input/refusals'
import type { CreateFeature, UpdateFeature } from '@burgee/protocol/admin-feature'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import {
  type FeatureRow,
  findFeature,
  insertFeature,
  listProjectEnvironmentNames,
  readVariantsOfFeatures,
} from '@burgee/storage/queries/flags/features'
import { listStrategies, type StrategyRow } from '@burgee/storage/queries/flags/strategies'
import { type Change, type ChangeContext, type FlagChange, inOneStep } from '../../core/execute.ts'
import { inOneRoundTrip } from '../../core/in-one-round-trip.ts'
import { lacksStrategy } from '../projects/default-strategy.ts'
import { addProjectLinks } from '../projects/feature-links.ts'
import { requireOpenProject } from '../projects/project-ref.ts'
import { setSwitch } from './environment-switch.ts'
import { buildFeatureEvent, type FeatureChange } from './feature-events.ts'
import { type FeatureEnvironmentRef, type FeatureRef, requireFeatureEnvironment, requireLive } from './feature-ref.ts'
import { requireFittingName, requireRoom } from './flag-rules.ts'
import { addDefaultStrategy, enableStrategies } from './strategies.ts'
import { tagFeature } from './tags.ts'

/**
 * Creates a flag, off in all environments of its project. Throws ValidationError, NotFoundError, NameExistsError, and
 * InvalidOperationError if the project has reached its limit of flags.
 */
export const createFeature: Change<{ project: string; body: CreateFeature }, FeatureRow> = async (
  tx,
  input,
  context,
) => {
  const { project, body } = input
  const [rules, , environments] = await inOneRoundTrip([
    requireOpenProject(tx, project),
    requireFreeName(tx, body.name),
    listProjectEnvironmentNames(tx, project),
  ])
  requireFittingName(rules, body.name)
  await requireRoom(tx, rules, 1)
  const row: FeatureRow = {
    name: body.name,
    project,
    type: body.type ?? 'release',
    description: body.description ?? null,
    stale: 0,
    impression_data: body.impressionData === true ? 1 : 0,
    created_at: context.now,
    archived_at: null,
    last_seen_at: null,
    potentially_stale: 0,
    created_by: context.author.name,
    created_by_user_id: context.author.userId,
  }
  await insertFeature(tx, row, environments)
  const events: NewEvent[] = [buildFeatureEvent('feature-created', { after: row, variants: [] })]
  events.push(...(await addProjectLinks(tx, rules.link_templates, { project, feature: row.name }, context)))
  for (const tag of body.tags ?? []) events.push(...(await tagFeature(tx, row, tag)))
  return { result: row, events }
}

/** Rejects flag names that are invalid or taken. Throws ValidationError, NameExistsError. */
export async function requireFreeName(reader: Reader, name: string): Promise<void> {
  requireUrlFriendly(name, 'body/name')
  const taken = await findFeature(reader, name)
  if (taken === undefined) return
  const kind = taken.archived_at === null ? 'A flag' : 'An archived flag'
  throw new Problem('NameExistsError', `${kind} with that name already exists`)
}

/**
 * Updates description, type, stale and impressionData. Omitted fields keep their value; an unchanged flag creates no
 * event. Throws NotFoundError, ValidationError if the body contains another name.
 */
export const updateFeature: Change<FeatureRef & { body: UpdateFeature }, FeatureRow> = async (tx, input) => {
  const { body, feature } = input
  const [before, variants] = await inOneRoundTrip([requireLive(tx, input), readVariantsOfFeatures(tx, [feature])])
  if (body.name !== undefined && body.name !== before.name) {
    throw new Problem('ValidationError', 'The request is not valid: the property `name` of a flag cannot be changed.')
  }
  const after: FeatureRow = {
    ...before,
    description: body.description === undefined ? before.description : body.description,
    type: body.type ?? before.type,
    stale: Number(body.stale ?? before.stale === 1),
    impression_data: Number(body.impressionData ?? before.impression_data === 1),
  }
  await tx
    .updateTable('features')
    .set({
      description: after.description,
      type: after.type,
      stale: after.stale,
      impression_data: after.impression_data,
    })
    .where('name', '=', before.name)
    .execute()
  return { result: after, events: eventsOfUpdate({ before, after, variants: variants.get(feature) ?? [] }) }
}

function eventsOfUpdate(change: Required<FeatureChange>): NewEvent[] {
  const { before, after } = change
  const events: NewEvent[] = []
  const isOther =
    before.description !== after.description ||
    before.type !== after.type ||
    before.impression_data !== after.impression_data
  if (isOther) events.push(buildFeatureEvent('feature-metadata-updated', change))
  if (before.stale !== after.stale) {
    events.push(buildFeatureEvent(after.stale === 1 ? 'feature-stale-on' : 'feature-stale-off', change))
  }
  return events
}

/** Requested state of a flag in an environment. */
export interface RequestedState {
  readonly enabled: boolean
  /** True to enable disabled strategies when turning the flag on. */
  readonly activate?: boolean | undefined
}

/** State and strategies of a flag in an environment. */
interface SwitchState {
  readonly before: { readonly enabled: number }
  /** Strategies of the flag; queried only when the flag is turned on. */
  readonly strategies: readonly StrategyRow[]
}

/** Enabled strategies of a flag after it was turned on, and the strategy that was added for this, if any. */
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
