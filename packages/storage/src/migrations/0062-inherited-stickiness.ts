import { type Kysely, type Selectable, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'

/**
 * Restores the inherited stickiness of strategy variants. Earlier versions stored `"default"` if a variant had no
 * stickiness, so variants no longer followed a strategy with another stickiness. Writes one event per strategy.
 * Imported strategies that were not edited since stay unchanged, because their `"default"` comes from the source.
 */
export function inheritedStickiness(now: number): Migration {
  return {
    up: async (unknown: Kysely<unknown>) => {
      const db = unknown as Kysely<Schema>
      const rows = await candidates(db)
      if (rows.length === 0) return
      const imported = await lastImport(db)
      for (const row of rows) {
        if (imported === undefined || (await isWrittenHere(db, row, imported))) await repair(db, row, now)
      }
    },
  }
}

type Row = Selectable<Schema['feature_strategies']> & { readonly project: string }

interface LastImport {
  readonly id: number
  readonly created_at: number
}

async function candidates(db: Kysely<Schema>): Promise<Row[]> {
  const rows = await db
    .selectFrom('feature_strategies as s')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .selectAll('s')
    .select('f.project')
    .where(sql<boolean>`s.variants like '%"stickiness":"default"%'`)
    .execute()
  return rows
    .map((row) => ({
      ...row,
      parameters: parsed(row.parameters),
      constraints: parsed(row.constraints),
      variants: parsed(row.variants),
    }))
    .filter(({ parameters }) => ![undefined, '', 'default'].includes(parameters.stickiness))
}

async function lastImport(db: Kysely<Schema>): Promise<LastImport | undefined> {
  const row = await db
    .selectFrom('events')
    .select(['id', 'created_at'])
    .where('type', '=', 'instance-imported')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { id: Number(row.id), created_at: Number(row.created_at) }
}

/** True if this server stored the variants: the strategy is newer than the import, or was edited after it. */
async function isWrittenHere(db: Kysely<Schema>, row: Row, imported: LastImport): Promise<boolean> {
  if (Number(row.created_at) > imported.created_at) return true
  const edits = await db
    .selectFrom('events')
    .select('data')
    .where('feature_name', '=', row.feature_name)
    .where('environment', '=', row.environment)
    .where('type', 'in', ['feature-strategy-add', 'feature-strategy-update'])
    .where('id', '>', imported.id)
    .execute()
  return edits.some(({ data }) => (parsed(data) as { id?: unknown } | null)?.id === row.id)
}

async function repair(db: Kysely<Schema>, row: Row, now: number): Promise<void> {
  const variants = row.variants.map(({ stickiness, ...variant }) =>
    stickiness === undefined || stickiness === 'default' ? variant : { ...variant, stickiness },
  )
  await db
    .updateTable('feature_strategies')
    .set({ variants: JSON.stringify(variants) })
    .where('id', '=', row.id)
    .execute()
  const links = await db
    .selectFrom('feature_strategy_segments')
    .select('segment_id')
    .where('strategy_id', '=', row.id)
    .orderBy('segment_id')
    .execute()
  const tags = await db
    .selectFrom('feature_tags')
    .select(['value', 'type'])
    .where('feature_name', '=', row.feature_name)
    .orderBy('type')
    .orderBy('value')
    .execute()
  const { id, name, title, sort_order: sortOrder, parameters, constraints } = row
  const segments = links.map(({ segment_id }) => Number(segment_id))
  const view = { id, name, title, disabled: Number(row.disabled) === 1, sortOrder, parameters, constraints, segments }
  await db
    .insertInto('events')
    .values({
      type: 'feature-strategy-update',
      created_at: now,
      created_by: 'system',
      created_by_user_id: -1337,
      project: row.project,
      environment: row.environment,
      feature_name: row.feature_name,
      data: JSON.stringify({ ...view, variants }),
      pre_data: JSON.stringify({ ...view, variants: row.variants }),
      tags: JSON.stringify(tags.map(({ value, type }) => ({ value, type }))),
      reach: row.environment,
      address: null,
    })
    .execute()
}

/** Parses a JSON column, which some drivers return as text. */
function parsed<T>(value: T): T {
  return typeof value === 'string' ? (JSON.parse(value) as T) : value
}
