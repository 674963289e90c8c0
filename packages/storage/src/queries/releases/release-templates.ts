import { type Insertable, type Selectable, sql } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'
import type { StoredMilestone } from './release-tables.ts'

/** Stored release template. */
export type TemplateRow = Selectable<Schema['release_plan_templates']>

/** Lists release templates sorted by name, including archived templates. */
export function listTemplates(reader: Reader): Promise<TemplateRow[]> {
  return reader.selectFrom('release_plan_templates').selectAll().orderBy('name').orderBy('id').execute()
}

/** Returns a release template by id. Includes archived templates. */
export function findTemplate(reader: Reader, id: string): Promise<TemplateRow | undefined> {
  return reader.selectFrom('release_plan_templates').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Number of release templates, and total length of their stored milestones in characters. */
export interface TemplateTotals {
  readonly count: number
  readonly length: number
}

/** Returns the totals over all release templates except one; includes archived templates. */
export async function sumTemplates(reader: Reader, exceptId: string): Promise<TemplateTotals> {
  const { count, length } = await reader
    .selectFrom('release_plan_templates')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .select(sql<number>`coalesce(sum(length(milestones)), 0)`.as('length'))
    .where('id', '!=', exceptId)
    .executeTakeFirstOrThrow()
  return { count: Number(count), length: Number(length) }
}

/** Inserts a release template. */
export async function insertTemplate(tx: Tx, row: TemplateRow): Promise<void> {
  const values: Insertable<Schema['release_plan_templates']> = { ...row, milestones: JSON.stringify(row.milestones) }
  await tx.insertInto('release_plan_templates').values(values).execute()
  await insertTemplateSegments(tx, row)
}

/** Replaces the name, description, milestones and archiving time of a release template. */
export async function updateTemplate(tx: Tx, row: TemplateRow): Promise<void> {
  const { id, name, description, archived_at } = row
  await tx
    .updateTable('release_plan_templates')
    .set({ name, description, archived_at, milestones: JSON.stringify(row.milestones) })
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('release_template_segments').where('template_id', '=', id).execute()
  await insertTemplateSegments(tx, row)
}

/** Deletes a release template. Release plans that were created from it are not removed. */
export async function deleteTemplate(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('release_plan_templates').where('id', '=', id).execute()
}

/** Returns the ids of the segments that milestones use, without duplicates. */
export function listMilestoneSegments(milestones: readonly StoredMilestone[]): number[] {
  return [...new Set(milestones.flatMap(({ strategies }) => strategies.flatMap(({ segments }) => segments)))]
}

async function insertTemplateSegments(tx: Tx, { id, milestones }: TemplateRow): Promise<void> {
  const segments = listMilestoneSegments(milestones)
  if (segments.length === 0) return
  const rows = segments.map((segment_id) => ({ template_id: id, segment_id }))
  await tx.insertInto('release_template_segments').values(rows).execute()
}
