import { invalid, notFound, requireUrlFriendly } from '@burgee/kit/input/refusals'
import { Problem } from '@burgee/protocol/problem'
import type {
  CreateStrategyType,
  ParameterDefinition,
  StrategyTypeView,
  UpdateStrategyType,
} from '@burgee/protocol/targeting/strategy-type'
import type { Reader } from '../../store/database.ts'
import { defaultStrategies } from '../../store/projects/environments.ts'
import {
  flagsWithStrategy,
  type StrategyTypeRow,
  strategyTypeNamed,
  updateStrategyTypeRow,
} from '../../store/targeting/strategy-types.ts'
import { namedFor, type Seen } from '../access/rights/hidden-projects.ts'
import type { Change } from '../execute.ts'

/** Sort order of custom types: they follow the built-in types and are sorted by name. */
const OWN = 9999

/** Converts a strategy type to its admin API form. */
export function strategyTypeView(row: StrategyTypeRow): StrategyTypeView {
  return {
    name: row.name,
    title: row.title,
    displayName: row.title ?? row.name,
    description: row.description,
    editable: row.built_in === 0,
    deprecated: row.deprecated === 1,
    parameters: row.parameters,
  }
}

/** Returns a strategy type by name. Throws NotFoundError. */
export async function requireStrategyType(reader: Reader, name: string): Promise<StrategyTypeRow> {
  const row = await strategyTypeNamed(reader, name)
  if (row !== undefined) return row
  throw notFound(`There is no strategy "${name}".`)
}

/** Creates a strategy type, which SDKs must implement. Throws ValidationError, NameExistsError. */
export const createStrategyType: Change<CreateStrategyType, StrategyTypeRow> = async (tx, body) => {
  requireUrlFriendly(body.name, 'body/name')
  if ((await strategyTypeNamed(tx, body.name)) !== undefined) {
    throw new Problem('NameExistsError', `There is already a strategy named "${body.name}".`)
  }
  const row = { name: body.name, ...columnsOf(body), deprecated: 0, built_in: 0, sort_order: OWN }
  await tx
    .insertInto('strategy_types')
    .values({ ...row, parameters: JSON.stringify(row.parameters) })
    .execute()
  return { result: row, events: [{ type: 'strategy-created', data: strategyTypeView(row) }] }
}

/**
 * Replaces the parameters of a strategy type; omitted title and description keep their value, and no event is created
 * if nothing changes. Throws NotFoundError, InvalidOperationError for a built-in type.
 */
export const replaceStrategyType: Change<{ name: string; body: UpdateStrategyType }, void> = async (
  tx,
  { name, body },
) => {
  const before = await requireOwn(tx, name)
  const after = { ...before, ...columnsOf(body, before) }
  const states = { data: strategyTypeView(after), preData: strategyTypeView(before) }
  if (JSON.stringify(states.data) === JSON.stringify(states.preData)) return { result: undefined, events: [] }
  await updateStrategyTypeRow(tx, after)
  return { result: undefined, events: [{ type: 'strategy-updated', ...states }] }
}

/**
 * Deprecates a strategy type or reverts the deprecation; existing strategies continue to work. Throws NotFoundError.
 */
export const setDeprecated: Change<{ name: string; deprecated: boolean }, void> = async (tx, { name, deprecated }) => {
  const before = await requireStrategyType(tx, name)
  if ((before.deprecated === 1) === deprecated) return { result: undefined, events: [] }
  const after = { ...before, deprecated: Number(deprecated) }
  await updateStrategyTypeRow(tx, after)
  const type = deprecated ? 'strategy-deprecated' : 'strategy-reactivated'
  return {
    result: undefined,
    events: [{ type, data: strategyTypeView(after), preData: strategyTypeView(before) }],
  }
}

/**
 * Deletes an unused strategy type. Throws NotFoundError, InvalidOperationError for a built-in type, ConflictError for a
 * type in use.
 */
export const removeStrategyType: Change<{ name: string } & Seen, void> = async (tx, { name, hidden }) => {
  const before = await requireOwn(tx, name)
  const [flag] = await flagsWithStrategy(tx, name, 1)
  if (flag !== undefined) throw inUse(name, namedFor(hidden, flag.project, `the flag "${flag.name}"`))
  const place = (await defaultStrategies(tx)).find(({ strategy }) => strategy.name === name)
  if (place !== undefined) {
    const where = `project "${place.project}", environment "${place.environment}"`
    throw inUse(name, namedFor(hidden, place.project, `the default strategy of ${where}`))
  }
  await tx.deleteFrom('strategy_types').where('name', '=', name).execute()
  return { result: undefined, events: [{ type: 'strategy-deleted', preData: strategyTypeView(before) }] }
}

async function requireOwn(reader: Reader, name: string): Promise<StrategyTypeRow> {
  const row = await requireStrategyType(reader, name)
  if (row.built_in === 0) return row
  throw new Problem('InvalidOperationError', `The strategy "${name}" is built in and cannot be changed.`)
}

/**
 * Converts a request body to the columns of a strategy type; omitted title and description keep the value of `before`.
 */
function columnsOf(body: UpdateStrategyType, before?: StrategyTypeRow) {
  const { title = before?.title ?? null, description = before?.description ?? null } = body
  return { title, description, parameters: body.parameters.map(checkedParameter) }
}

function checkedParameter(parameter: ParameterDefinition, index: number, all: readonly ParameterDefinition[]) {
  const { name, type, description, required } = parameter
  if (all.findIndex((one) => one.name === name) !== index) {
    throw invalid(`The parameter "${name}" is given twice.`, 'body/parameters')
  }
  return {
    name,
    type,
    ...(description === undefined ? {} : { description }),
    ...(required === undefined ? {} : { required }),
  }
}

function inUse(name: string, by: string): Problem {
  return new Problem('ConflictError', `The strategy "${name}" is in use, by ${by}.`)
}
