import type { Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'

/** Row of the integration table. */
export type IntegrationRow = Selectable<Schema['integrations']>

/** Integration that has not yet been stored and so has no id. */
export type NewIntegration = Omit<IntegrationRow, 'id'>

/** Lists all integrations, sorted by id. */
export function listIntegrations(reader: Reader): Promise<IntegrationRow[]> {
  return reader.selectFrom('integrations').selectAll().orderBy('id').execute()
}

/** Returns an integration by id. */
export function findIntegrationById(reader: Reader, id: number): Promise<IntegrationRow | undefined> {
  return reader.selectFrom('integrations').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Inserts an integration and returns its id. */
export async function insertIntegration(tx: Tx, row: NewIntegration): Promise<number> {
  const { id } = await tx.insertInto('integrations').values(toColumns(row)).returning('id').executeTakeFirstOrThrow()
  return id
}

/**
 * Replaces the settings of an integration. Replaces `seen_event_id` (the last event examined) only if `isWoken` is
 * true.
 */
export async function updateIntegration(tx: Tx, { id, ...row }: IntegrationRow, isWoken: boolean): Promise<void> {
  const { seen_event_id, ...set } = toColumns(row)
  const seen = isWoken ? { seen_event_id } : {}
  await tx
    .updateTable('integrations')
    .set({ ...set, ...seen })
    .where('id', '=', id)
    .execute()
}

/** Deletes an integration, its pending deliveries and its delivery log. */
export async function deleteIntegration(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('integrations').where('id', '=', id).execute()
}

function toColumns(row: NewIntegration) {
  return {
    ...row,
    open_parameters: JSON.stringify(row.open_parameters),
    sealed_parameters: JSON.stringify(row.sealed_parameters),
    event_types: JSON.stringify(row.event_types),
    only_projects: JSON.stringify(row.only_projects),
    only_environments: JSON.stringify(row.only_environments),
  }
}
