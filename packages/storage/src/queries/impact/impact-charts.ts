import type { Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'

/** Stored chart. */
export type ImpactChartRow = Selectable<Schema['impact_charts']>

/** Lists the charts of a flag, oldest first; with null, the charts that belong to no flag. */
export function listImpactCharts(reader: Reader, feature: string | null): Promise<ImpactChartRow[]> {
  const charts = reader.selectFrom('impact_charts').selectAll().orderBy('created_at').orderBy('id')
  return (
    feature === null ? charts.where('feature_name', 'is', null) : charts.where('feature_name', '=', feature)
  ).execute()
}

/** Inserts a chart, or replaces the definition of the chart with the same id. */
export async function putImpactChart(tx: Tx, row: ImpactChartRow): Promise<void> {
  await tx
    .insertInto('impact_charts')
    .values({ ...row, definition: JSON.stringify(row.definition) })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ definition: JSON.stringify(row.definition) }))
    .execute()
}

/** Deletes a chart. */
export async function deleteImpactChart(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('impact_charts').where('id', '=', id).execute()
}
