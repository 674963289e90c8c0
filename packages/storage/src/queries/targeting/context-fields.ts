import type { Constraint } from '@burgee/protocol/feature'
import { type Selectable, sql } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'

/** Defined context field. */
export type ContextFieldRow = Selectable<Schema['context_fields']>

/** Strategy that has a constraint on a context field. */
export interface ContextFieldUse {
  readonly field: string
  readonly strategy: string
  readonly strategyName: string
  readonly feature: string
  readonly project: string
  readonly environment: string
}

/** Lists all context fields in display order. */
export function listContextFields(reader: Reader): Promise<ContextFieldRow[]> {
  return reader.selectFrom('context_fields').selectAll().orderBy('sort_order').orderBy('name').execute()
}

/** Returns a context field by name. */
export function findContextField(reader: Reader, name: string): Promise<ContextFieldRow | undefined> {
  return reader.selectFrom('context_fields').selectAll().where('name', '=', name).executeTakeFirst()
}

/** Inserts a context field. */
export async function insertContextField(tx: Tx, { legal_values, ...row }: ContextFieldRow): Promise<void> {
  await tx
    .insertInto('context_fields')
    .values({ ...row, legal_values: JSON.stringify(legal_values) })
    .execute()
}

/** Updates all columns of a context field except its name. */
export async function updateContextFieldRow(
  tx: Tx,
  { name, legal_values, ...columns }: ContextFieldRow,
): Promise<void> {
  await tx
    .updateTable('context_fields')
    .set({ ...columns, legal_values: JSON.stringify(legal_values) })
    .where('name', '=', name)
    .execute()
}

/**
 * Returns the strategies that use a context field in their own constraints, for all context fields or for one. Ignores
 * the constraints of segments that the strategies use. Takes one query.
 */
export async function listFieldUses(reader: Reader, field?: string): Promise<ContextFieldUse[]> {
  let query = reader
    .selectFrom('feature_strategies as s')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .select(['s.id', 's.name', 's.feature_name', 'f.project', 's.environment', 's.constraints'])
  const text = sql<string>`s.constraints`
  query = field === undefined ? query.where(text, '!=', '[]') : query.where(text, 'like', toMentionPattern(field))
  const rows = await query.orderBy('f.project').orderBy('s.feature_name').orderBy('s.environment').execute()
  return rows.flatMap((row) =>
    listFields(row.constraints)
      .filter((name) => field === undefined || name === field)
      .map((name) => ({
        field: name,
        strategy: row.id,
        strategyName: row.name,
        feature: row.feature_name,
        project: row.project,
        environment: row.environment,
      })),
  )
}

/** Returns the segments whose constraints use a context field, sorted by name. */
export async function listSegmentsUsingField(
  reader: Reader,
  field: string,
): Promise<{ readonly name: string; readonly project: string | null }[]> {
  const rows = await reader
    .selectFrom('segments')
    .select(['name', 'project', 'constraints'])
    .where(sql<string>`constraints`, 'like', toMentionPattern(field))
    .orderBy('name')
    .execute()
  return rows.filter((row) => listFields(row.constraints).includes(field))
}

function listFields(constraints: readonly Constraint[]): string[] {
  return [...new Set(constraints.map((constraint) => constraint.contextName))]
}

/**
 * Returns a LIKE pattern that matches any JSON that may contain the name of a context field. Characters of the name
 * that are special in LIKE match any character.
 */
function toMentionPattern(field: string): string {
  return `%"contextName":${JSON.stringify(field).replace(/[\\%_]/g, '_')}%`
}
