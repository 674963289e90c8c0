import type { Selectable } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'
import type { BranchKey } from './repositories.ts'

/** Most recent upload of code references for one project and branch. */
export type ScanRow = Selectable<Schema['code_scans']>

/** Lists the scans of a branch. */
export function listScans(reader: Reader, { repository, branch }: BranchKey): Promise<ScanRow[]> {
  return reader
    .selectFrom('code_scans')
    .selectAll()
    .where('repository', '=', repository)
    .where('branch', '=', branch)
    .execute()
}

/** Adds or updates scans. Keeps the stored sequence number if the scan has none. */
export async function putScans(tx: Tx, rows: readonly ScanRow[]): Promise<void> {
  for (const part of chunks(rows)) {
    await tx
      .insertInto('code_scans')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['repository', 'branch', 'project']).doUpdateSet(({ fn, ref }) => ({
          head: ref('excluded.head'),
          update_sequence_id: fn.coalesce('excluded.update_sequence_id', 'code_scans.update_sequence_id'),
        })),
      )
      .execute()
  }
}
