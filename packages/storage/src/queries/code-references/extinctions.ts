import type { Insertable } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'
import type { ExtinctionRow } from './references.ts'

/** Row to insert for the removal of a flag from a branch. */
export type NewExtinction = Insertable<Schema['code_extinctions']>

/**
 * Stores which commits removed flags from the default branches of repositories. A later removal of the same flag from
 * the same repository replaces an earlier one. A removal without a message was inferred from two uploads, and any later
 * or earlier removal of the flag replaces it.
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

/**
 * Lists the latest removal of a flag from each repository whose default branch no longer refers to the flag, newest
 * first.
 */
export function listExtinctions(reader: Reader, feature: string): Promise<ExtinctionRow[]> {
  return selectExtinctions(reader, [feature]).execute()
}

/**
 * Selects the latest removal of each flag from each repository whose default branch no longer refers to the flag,
 * newest first.
 */
export function selectExtinctions(reader: Reader, features: readonly string[]) {
  return selectAllExtinctions(reader).where('e.feature_name', 'in', [...features])
}

/** Selects the latest removals of all flags, newest first, as `e`; the flags as `f`, and the repositories as `r`. */
export function selectAllExtinctions(reader: Reader) {
  return reader
    .selectFrom('code_extinctions as e')
    .innerJoin('code_repositories as r', 'r.name', 'e.repository')
    .innerJoin('features as f', 'f.name', 'e.feature_name')
    .selectAll('e')
    .select(['r.type', 'r.source_link', 'r.commit_url_template'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('code_references as c')
            .select('c.repository')
            .whereRef('c.repository', '=', 'e.repository')
            .whereRef('c.branch', '=', 'r.default_branch')
            .whereRef('c.project', '=', 'f.project')
            .whereRef('c.feature_name', '=', 'e.feature_name'),
        ),
      ),
    )
    .orderBy('e.removed_at', 'desc')
    .orderBy('e.repository')
}

/** Returns the projects of the given flags by flag name; includes archived flags, and omits names that no flag has. */
export async function findProjectsOfFlags(reader: Reader, names: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const part of chunks(names)) {
    const rows = await reader.selectFrom('features').select(['name', 'project']).where('name', 'in', part).execute()
    for (const { name, project } of rows) found.set(name, project)
  }
  return found
}
