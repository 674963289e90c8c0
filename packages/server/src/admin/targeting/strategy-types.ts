import { invalid, notFound, requireUrlFriendly } from '@burgee/kit/input/refusals'
import { Problem } from '@burgee/protocol/problem'
import type {
  CreateStrategyType,
  ParameterDefinition,
  StrategyTypeView,
  UpdateStrategyType,
} from '@burgee/protocol/targeting/strategy-type'
import type { Reader } from '@burgee/storage/database'
import { listDefaultStrategies } from '@burgee/storage/queries/projects/environments'
import {
  findStrategyType,
  listFlagsWithStrategy,
  type StrategyTypeRow,
  updateStrategyTypeRow,
} from '@burgee/storage/queries/targeting/strategy-types'
import { type CallerVisibility, getNameFor } from '../../core/access/rights/hidden-projects.ts'
import type { Change } from '../../core/execute.ts'

/** Sort order of custom types. Custom types follow the built-in types and are sorted by name. */
const CUSTOM_SORT_ORDER = 9999

/** Converts a strategy type to its admin API form. */
export function toStrategyType(row: StrategyTypeRow): StrategyTypeView {
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
  const row = await findStrategyType(reader, name)
  if (row !== undefined) return row
  throw notFound(`There is no strategy "${name}".`)
}

/** Creates a strategy type, which SDKs must implement. Throws ValidationError, NameExistsError. */
export const createStrategyType: Change<CreateStrategyType, StrategyTypeRow> = async (tx, body) => {
  requireUrlFriendly(body.name, 'body/name')
  if ((await findStrategyType(tx, body.name)) !== undefined) {
    throw new Problem('NameExistsError', `There is already a strategy named "${body.name}".`)
  }
  const row = { name: body.name, ...toColumns(body), deprecated: 0, built_in: 0, sort_order: CUSTOM_SORT_ORDER }
  await tx
    .insertInto('strategy_types')
    .values({ ...row, parameters: JSON.stringify(row.parameters) })
    .execute()
  return { result: row, events: [{ type: 'strategy-created', data: toStrategyType(row) }] }
}

/**
 * Replaces the parameters of a strategy type; omitted title and description keep their value, and no event is created
 * if nothing changes. Throws NotFoundError, InvalidOperationError for a built-in type.
 */
export const replaceStrategyType: Change<{ name: string; body: UpdateStrategyType }, void> = async (
  tx,
  { name, body },
) => {
  const before = await requireCustomType(tx, name)
  const after = { ...before, ...toColumns(body, before) }
  const states = { data: toStrategyType(after), preData: toStrategyType(before) }
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
    events: [{ type, data: toStrategyType(after), preData: toStrategyType(before) }],
  }
}

/**
 * Deletes an unused strategy type. Throws NotFoundError, InvalidOperationError for a built-in type, ConflictError for a
 * type in use.
 */
export const removeStrategyType: Change<{ name: string } & CallerVisibility, void> = async (tx, { name, hidden }) => {
  const before = await requireCustomType(tx, name)
  const [flag] = await listFlagsWithStrategy(tx, name, 1)
  if (flag !== undefined) throw createInUse(name, getNameFor(hidden, flag.project, `the flag "${flag.name}"`))
  const place = (await listDefaultStrategies(tx)).find(({ strategy }) => strategy.name === name)
  if (place !== undefined) {
    const where = `project "${place.project}", environment "${place.environment}"`
    throw createInUse(name, getNameFor(hidden, place.project, `the default strategy of ${where}`))
  }
  await tx.deleteFrom('strategy_types').where('name', '=', name).execute()
  return { result: undefined, events: [{ type: 'strategy-deleted', preData: toStrategyType(before) }] }
}

async function requireCustomType(reader: Reader, name: string): Promise<StrategyTypeRow> {
  const row = await requireStrategyType(reader, name)
  if (row.built_in === 0) return row
  throw new Problem('InvalidOperationError', `The strategy "${name}" is built in and cannot be changed.`)
}

/**
 * Converts a request body to the columns of a strategy type; omitted title and description keep the value of `before`.
 */
function toColumns(body: UpdateStrategyType, before?: StrategyTypeRow) {
  const { title = before?.title ?? null, description = before?.description ?? null } = body
  return { title, description, parameters: body.parameters.map(checkParameter) }
}

function checkParameter(parameter: ParameterDefinition, index: number, all: readonly ParameterDefinition[]) {
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

function createInUse(name: string, by: string): Problem {
  return new Problem('ConflictError', `The strategy "${name}" is in use, by ${by}.`)
}
