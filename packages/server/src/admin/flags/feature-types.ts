import { notFound } from '@burgee/kit/input/refusals'
import type { FeatureType } from '@burgee/protocol/feature-type'
import type { Reader, Schema } from '@burgee/storage/database'
import type { Selectable } from 'kysely'
import type { Change } from '../../core/execute.ts'

type FeatureTypeRow = Selectable<Schema['feature_types']>

/** Returns all flag types in display order. */
export async function readFeatureTypes(reader: Reader): Promise<FeatureType[]> {
  const rows = await reader.selectFrom('feature_types').selectAll().orderBy('sort_order').orderBy('id').execute()
  return rows.map(toFeatureType)
}

/** Sets the expected lifetime of flags of a type. An unchanged lifetime creates no event. Throws NotFoundError. */
export const setLifetime: Change<{ id: string; days: number | null }, FeatureType> = async (tx, { id, days }) => {
  const row = await tx.selectFrom('feature_types').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw notFound(`There is no feature type "${id}".`)
  const before = toFeatureType(row)
  const after = { ...before, lifetimeDays: days === 0 ? null : days }
  if (after.lifetimeDays === before.lifetimeDays) return { result: before, events: [] }
  await tx.updateTable('feature_types').set({ lifetime_days: after.lifetimeDays }).where('id', '=', id).execute()
  return { result: after, events: [{ type: 'feature-type-updated', data: after, preData: before }] }
}

function toFeatureType({ id, name, description, lifetime_days }: FeatureTypeRow): FeatureType {
  return { id, name, description, lifetimeDays: lifetime_days }
}
