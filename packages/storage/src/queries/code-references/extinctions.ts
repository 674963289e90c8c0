import type { Insertable } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'
import type { ExtinctionRow } from './references.ts'

/** Removal of a flag from a branch, as it is inserted. */
export type NewExtinction = Insertable<Schema['code_extinctions']>

/**
 * Stores removals of flags from the default branches of repositories. A later removal of the same flag from the same
 * repository replaces an earlier one. A removal without a message was inferred from two uploads, and any other replaces
 * it.
 */
export async function putExtinctions(tx: Tx, rows: readonly NewExtinction[]): Promise<void> {
  for (const part of chunks(rows)) {
    await tx
      .insertInto('code_extinctions')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .columns(['repository', 'feature_name'])
          .doUpdateSet(({ ref }) => ({
            branch: ref('excluded.branch'),
            revision: ref('excluded.revision'),
            message: ref('excluded.message'),
            removed_at: ref('excluded.removed_at'),
          }))
          .where(({ or, eb, ref }) =>
            or([
              eb('code_extinctions.message', '=', ''),
              eb('code_extinctions.removed_at', '<=', ref('excluded.removed_at')),
            ]),
          ),
      )
      .execute()
  }
}

/** Lists the removals of a flag from repositories whose default branch has no reference to it now, newest first. */
export function listExtinctions(
  reader: Reader,
  { project, feature }: { readonly project: string; readonly feature: string },
): Promise<ExtinctionRow[]> {
  return reader
    .selectFrom('code_extinctions as e')
    .innerJoin('code_repositories as r', 'r.name', 'e.repository')
    .selectAll('e')
    .select(['r.type', 'r.source_link', 'r.commit_url_template'])
    .where('e.feature_name', '=', feature)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('code_references as c')
            .select('c.repository')
            .whereRef('c.repository', '=', 'e.repository')
            .whereRef('c.branch', '=', 'r.default_branch')
            .where('c.project', '=', project)
            .where('c.feature_name', '=', feature),
        ),
      ),
    )
    .orderBy('e.removed_at', 'desc')
    .execute()
}

/** Returns the flags of a list that exist, also archived ones, with their projects. */
export async function findProjectsOfFlags(reader: Reader, names: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const part of chunks(names)) {
    const rows = await reader.selectFrom('features').select(['name', 'project']).where('name', 'in', part).execute()
    for (const { name, project } of rows) found.set(name, project)
  }
  return found
}
