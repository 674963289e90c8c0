import { invalid, notFound, requireUrlFriendly } from '@burgee/kit/input/refusals'
import { Problem } from '@burgee/protocol/problem'
import type {
  ContextFieldView,
  CreateContextField,
  LegalValue,
  UpdateContextField,
} from '@burgee/protocol/targeting/context-field'
import type { Reader } from '@burgee/storage/database'
import {
  type ContextFieldRow,
  type ContextFieldUse,
  findContextField,
  insertContextField,
  listContextFields,
  listFieldUses,
  listSegmentsUsingField,
  updateContextFieldRow,
} from '@burgee/storage/queries/targeting/context-fields'
import { type CallerVisibility, getNameFor } from '../../core/access/rights/hidden-projects.ts'
import type { Change, Outcome } from '../../core/execute.ts'

/** Fields that every SDK sets itself or accepts without configuration. Source: wire protocol */
const BUILT_IN = ['appName', 'currentTime', 'environment', 'sessionId', 'userId']

/** Lists all context fields, each with the number of flags and projects that use it; runs two queries. */
export async function readContextFields(reader: Reader): Promise<ContextFieldView[]> {
  const rows = await listContextFields(reader)
  const uses = Map.groupBy(await listFieldUses(reader), (use) => use.field)
  return rows.map((row) => toContextField(row, uses.get(row.name) ?? []))
}

/** Converts a field to its admin API form. */
export function toContextField(row: ContextFieldRow, uses: readonly ContextFieldUse[] = []): ContextFieldView {
  return {
    ...toContextFieldState(row),
    builtIn: BUILT_IN.includes(row.name),
    usedInProjects: new Set(uses.map((use) => use.project)).size,
    usedInFeatures: new Set(uses.map((use) => use.feature)).size,
  }
}

function toContextFieldState(row: ContextFieldRow) {
  return {
    name: row.name,
    description: row.description,
    stickiness: row.stickiness === 1,
    sortOrder: row.sort_order,
    legalValues: row.legal_values,
    createdAt: new Date(row.created_at).toISOString(),
  }
}

/** Returns a field by name. Throws NotFoundError. */
export async function requireContextField(reader: Reader, name: string): Promise<ContextFieldRow> {
  const row = await findContextField(reader, name)
  if (row !== undefined) return row
  throw notFound(`There is no context field "${name}".`)
}

/** Throws ValidationError for an invalid name, NameExistsError for a name in use. */
export async function requireFreeField(reader: Reader, name: string): Promise<void> {
  requireUrlFriendly(name, 'body/name')
  if ((await findContextField(reader, name)) === undefined) return
  throw new Problem('NameExistsError', `There is already a context field named "${name}".`)
}

/** Creates a field. Throws ValidationError, NameExistsError. */
export const createContextField: Change<CreateContextField, ContextFieldRow> = async (tx, body, { now }) => {
  await requireFreeField(tx, body.name)
  const last = (await listContextFields(tx)).at(-1)?.sort_order ?? -1
  const row = { name: body.name, created_at: now, ...toColumns(body, { ...EMPTY_DETAILS, sort_order: last + 1 }) }
  await insertContextField(tx, row)
  return { result: row, events: [{ type: 'context-field-created', data: toContextFieldState(row) }] }
}

/**
 * Updates a field; omitted fields keep their value, and no event is created if nothing changes. Throws NotFoundError,
 * ValidationError.
 */
export const replaceContextField: Change<{ name: string; body: UpdateContextField }, void> = async (
  tx,
  { name, body },
) => {
  const before = await requireContextField(tx, name)
  const after = { ...before, ...toColumns(body, before) }
  await updateContextFieldRow(tx, after)
  return toOutcome(before, after)
}

/** Adds a legal value or changes its description. Throws NotFoundError, ValidationError. */
export const putLegalValue: Change<{ name: string; value: LegalValue }, void> = async (tx, { name, value }) => {
  const before = await requireContextField(tx, name)
  const { legal_values } = before
  const isKnown = legal_values.some((one) => one.value === value.value)
  const values = isKnown
    ? legal_values.map((one) => (one.value === value.value ? value : one))
    : [...legal_values, value]
  const after = { ...before, legal_values: checkValues(values) }
  await updateContextFieldRow(tx, after)
  return toOutcome(before, after)
}

/** Removes a legal value. Throws NotFoundError. */
export const removeLegalValue: Change<{ name: string; value: string }, void> = async (tx, { name, value }) => {
  const before = await requireContextField(tx, name)
  const legal_values = before.legal_values.filter((one) => one.value !== value)
  if (legal_values.length === before.legal_values.length) {
    throw notFound(`The context field "${name}" has no legal value "${value}".`)
  }
  const after = { ...before, legal_values }
  await updateContextFieldRow(tx, after)
  return toOutcome(before, after)
}

/**
 * Deletes a field that is not in use. Throws NotFoundError, InvalidOperationError for a built-in field, and
 * ConflictError for a field in use.
 */
export const removeContextField: Change<{ name: string } & CallerVisibility, void> = async (tx, { name, hidden }) => {
  const before = await requireContextField(tx, name)
  if (BUILT_IN.includes(name)) {
    throw new Problem('InvalidOperationError', `The context field "${name}" is built in and cannot be removed.`)
  }
  const [use] = await listFieldUses(tx, name)
  const [segment] = await listSegmentsUsingField(tx, name)
  if (use !== undefined) throw createInUse(name, getNameFor(hidden, use.project, `the flag "${use.feature}"`))
  if (segment !== undefined)
    throw createInUse(name, getNameFor(hidden, segment.project, `the segment "${segment.name}"`))
  await tx.deleteFrom('context_fields').where('name', '=', name).execute()
  return { result: undefined, events: [{ type: 'context-field-deleted', preData: toContextFieldState(before) }] }
}

function createInUse(name: string, by: string): Problem {
  return new Problem('ConflictError', `The context field "${name}" is in use, by ${by}.`)
}

type Details = Pick<ContextFieldRow, 'description' | 'stickiness' | 'sort_order' | 'legal_values'>

const EMPTY_DETAILS = { description: null, stickiness: 0, legal_values: [] }

/** Converts a request body to the columns of a field; omitted properties keep the value of `before`. */
function toColumns(body: UpdateContextField, before: Details): Details {
  const { description = before.description, stickiness, sortOrder = before.sort_order, legalValues } = body
  return {
    description,
    stickiness: stickiness === undefined ? before.stickiness : Number(stickiness),
    sort_order: sortOrder,
    legal_values: legalValues === undefined ? before.legal_values : checkValues(legalValues),
  }
}

const MAX_VALUES = 1000

function checkValues(values: readonly LegalValue[]): LegalValue[] {
  if (values.length > MAX_VALUES) {
    throw invalid(`"legalValues" must not have more than ${MAX_VALUES} values`, 'body/legalValues')
  }
  const seen = new Set<string>()
  return values.map(({ value, description }) => {
    if (seen.has(value)) throw invalid(`The legal value "${value}" occurs twice.`, 'body/legalValues')
    seen.add(value)
    return { value, ...(description === undefined ? {} : { description }) }
  })
}

function toOutcome(before: ContextFieldRow, after: ContextFieldRow): Outcome<void> {
  const states = { data: toContextFieldState(after), preData: toContextFieldState(before) }
  if (JSON.stringify(states.data) === JSON.stringify(states.preData)) return { result: undefined, events: [] }
  return { result: undefined, events: [{ type: 'context-field-updated', ...states }] }
}
