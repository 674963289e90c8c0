import type { Selectable } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'

/** Origin of an object that files describe. */
export type OriginRow = Selectable<Schema['config_origins']>

/** Columns that identify an origin. */
export type OriginKey = Pick<OriginRow, 'project' | 'kind' | 'name'>

/** Rows per statement: each row has nine parameters, and databases limit their number. */
const ROWS_PER_INSERT = 100

/** Returns the origins of objects, sorted by project, kind and name; of one project if it is given. */
export function listOrigins(reader: Reader, project?: string): Promise<OriginRow[]> {
  const query = reader.selectFrom('config_origins').selectAll().orderBy('project').orderBy('kind').orderBy('name')
  return (project === undefined ? query : query.where('project', '=', project)).execute()
}

/** Inserts origins, or replaces the stored origins of the same objects. */
export async function putOrigins(tx: Tx, rows: readonly OriginRow[]): Promise<void> {
  for (const part of chunks(rows, ROWS_PER_INSERT)) {
    await tx
      .insertInto('config_origins')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['project', 'kind', 'name']).doUpdateSet((eb) => ({
          repository: eb.ref('excluded.repository'),
          commit_id: eb.ref('excluded.commit_id'),
          path: eb.ref('excluded.path'),
          applied_at: eb.ref('excluded.applied_at'),
          drifted_at: eb.ref('excluded.drifted_at'),
        })),
      )
      .execute()
  }
}

/** Records that objects were changed by hand. The time of an earlier such change stays. */
export async function markDrift(tx: Tx, keys: readonly OriginKey[], now: number): Promise<void> {
  for (const { project, kind, names } of groupByKind(keys)) {
    await tx
      .updateTable('config_origins')
      .set({ drifted_at: now })
      .where('project', '=', project)
      .where('kind', '=', kind)
      .where('name', 'in', names)
      .where('drifted_at', 'is', null)
      .execute()
  }
}

/** Groups keys by project and kind, in parts that fit into one statement. */
function groupByKind(keys: readonly OriginKey[]) {
  return [...Map.groupBy(keys, ({ project, kind }) => `${project} ${kind}`).values()].flatMap((own) =>
    chunks(own).flatMap((part) => {
      const [first] = part
      if (first === undefined) return []
      return [{ project: first.project, kind: first.kind, names: part.map(({ name }) => name) }]
    }),
  )
}

/** Deletes origins. Runs one statement for a few hundred origins of a kind. */
export async function deleteOrigins(tx: Tx, keys: readonly OriginKey[]): Promise<void> {
  for (const { project, kind, names } of groupByKind(keys)) {
    await tx
      .deleteFrom('config_origins')
      .where('project', '=', project)
      .where('kind', '=', kind)
      .where('name', 'in', names)
      .execute()
  }
}
