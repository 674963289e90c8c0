import type { StrategyInput } from '@burgee/protocol/admin'
import type { StrategySegments } from '@burgee/protocol/segment'
import type { Reader, Tx } from '../store/database.ts'
import { defaultStrategyOf } from '../store/environments.ts'
import type { NewEvent } from '../store/events.ts'
import { deleteStrategy, insertStrategy, type StrategyRow, strategiesOf, updateStrategy } from '../store/strategies.ts'
import { strategyTypeExists } from '../store/strategy-types.ts'
import { checkedConstraints } from './constraints.ts'
import type { Change, Moment } from './execute.ts'
import { strategyView } from './feature-views.ts'
import { invalid, notFound } from './refusals.ts'
import { type EnvironmentTarget, requireFeatureEnvironment, type Target } from './targets.ts'
import { spreadWeights } from './weights.ts'

/** A strategy of a flag in an environment. */
export interface StrategyTarget extends EnvironmentTarget {
  readonly id: string
}

const AFTER_ALL = 9999
const EVERYBODY: StrategyInput = { name: 'flexibleRollout' }

/** Adds a strategy. Throws NotFoundError (flag, environment, segment), ValidationError. */
export const addStrategy: Change<EnvironmentTarget & { body: StrategyInput }, StrategyRow> = async (
  tx,
  { body, ...target },
  moment,
) => {
  await requireFeatureEnvironment(tx, target)
  const { row, event } = await storeStrategy(tx, target, body, moment)
  return { result: row, events: [event] }
}

/** Replaces a strategy; the same again is no event. Throws NotFoundError, ValidationError. */
export const replaceStrategy: Change<StrategyTarget & { body: StrategyInput }, StrategyRow> = async (
  tx,
  { body, ...target },
) => {
  const before = await requireStrategy(tx, target)
  const after = { ...before, ...(await checkedStrategy(tx, target, body, before.sort_order)) }
  const states = { data: strategyView(after), preData: strategyView(before) }
  if (JSON.stringify(states.data) === JSON.stringify(states.preData)) return { result: before, events: [] }
  await updateStrategy(tx, after)
  return { result: after, events: [strategyEvent('feature-strategy-update', target, states)] }
}

/**
 * Lets a strategy use exactly these segments; the same again is no event. Throws NotFoundError (no such strategy in that
 * project and environment, no such segment), ValidationError (segment of another project).
 */
export const setStrategySegments: Change<StrategySegments, StrategyRow> = async (tx, body, moment) => {
  const { strategyId: id, projectId: project, environmentId: environment, segmentIds } = body
  const place = await tx
    .selectFrom('feature_strategies')
    .select(['feature_name', 'environment'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (place?.environment !== environment) throw noStrategy(id)
  const target = { project, feature: place.feature_name, environment, id }
  const { name, ...before } = strategyView(await requireStrategy(tx, target))
  const after = { name, ...before, segments: [...segmentIds] } as StrategyInput
  return replaceStrategy(tx, { ...target, body: after }, moment)
}

/** Removes a strategy. Throws NotFoundError. */
export const removeStrategy: Change<StrategyTarget, void> = async (tx, target) => {
  const before = await requireStrategy(tx, target)
  await deleteStrategy(tx, before.id)
  const preData = strategyView(before)
  return { result: undefined, events: [strategyEvent('feature-strategy-remove', target, { preData })] }
}

/** A strategy of exactly this flag and environment. Throws NotFoundError. */
export async function requireStrategy(reader: Reader, target: StrategyTarget): Promise<StrategyRow> {
  await requireFeatureEnvironment(reader, target)
  const own = await strategiesOf(reader, target.feature, target.environment)
  const found = own.find((strategy) => strategy.id === target.id)
  if (found === undefined) throw noStrategy(target.id)
  return found
}

function noStrategy(id: string) {
  return notFound(`There is no strategy with the id "${id}".`)
}

/** Adds what a flag gets that is turned on without a strategy: its project's default there, else everybody. */
export async function addDefaultStrategy(tx: Tx, target: EnvironmentTarget, moment: Moment): Promise<NewEvent> {
  const body = (await defaultStrategyOf(tx, target)) ?? EVERYBODY
  return (await storeStrategy(tx, target, body, moment)).event
}

async function storeStrategy(tx: Tx, target: EnvironmentTarget, body: StrategyInput, moment: Moment) {
  const row: StrategyRow = {
    id: moment.newId(),
    feature_name: target.feature,
    environment: target.environment,
    created_at: moment.now,
    ...(await checkedStrategy(tx, target, body)),
  }
  await insertStrategy(tx, row)
  return { row, event: strategyEvent('feature-strategy-add', target, { data: strategyView(row) }) }
}

type Checked = Omit<StrategyRow, 'id' | 'feature_name' | 'environment' | 'created_at'>

/** A strategy as it is stored, filled in. Throws ValidationError, NotFoundError (segment). */
export async function checkedStrategy(
  tx: Tx,
  target: Target,
  body: StrategyInput,
  sortOrder: number = AFTER_ALL,
): Promise<Checked> {
  if (!(await strategyTypeExists(tx, body.name))) throw invalid(`There is no strategy "${body.name}".`, 'body/name')
  const segments = [...new Set(body.segments ?? [])].sort((a, b) => a - b)
  await requireSegments(tx, target.project, segments)
  return {
    name: body.name,
    title: body.title ?? null,
    disabled: Number(body.disabled ?? false),
    parameters: checkedParameters(target.feature, body),
    constraints: checkedConstraints(body.constraints ?? []),
    variants: spreadWeights(body.variants ?? []),
    segments,
    sort_order: body.sortOrder ?? sortOrder,
  }
}

/** A gradual rollout sticks to its flag unless told otherwise, and is a whole number of percent. */
function checkedParameters(feature: string, { name, parameters = {} }: StrategyInput): Record<string, string> {
  if (name !== 'flexibleRollout') return { ...parameters }
  const filled = { rollout: '100', stickiness: 'default', groupId: feature, ...parameters }
  const rollout = Number(filled.rollout)
  if (filled.rollout.trim() === '' || !(rollout >= 0 && rollout <= 100)) {
    throw invalid('"rollout" must be a number from 0 to 100', 'body/parameters/rollout')
  }
  return filled
}

async function requireSegments(tx: Tx, project: string, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    const segment = await tx.selectFrom('segments').select('project').where('id', '=', id).executeTakeFirst()
    if (segment === undefined) throw notFound(`There is no segment with the id ${id}.`)
    if (segment.project === null || segment.project === project) continue
    throw invalid(`The segment ${id} belongs to another project.`, 'body/segments')
  }
}

function strategyEvent(
  type: 'feature-strategy-add' | 'feature-strategy-update' | 'feature-strategy-remove',
  { project, feature, environment }: EnvironmentTarget,
  states: { data?: unknown; preData?: unknown },
): NewEvent {
  return { type, project, environment, featureName: feature, ...states }
}
