import type { Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'

/** Branch of a repository. */
export interface BranchKey {
  readonly repository: string
  readonly branch: string
}

/** Stored repository. */
export type RepositoryRow = Selectable<Schema['code_repositories']>
/** Stored branch of a repository. */
export type BranchRow = Selectable<Schema['code_branches']>
/** Stored branch, with the highest sequence number that any project has in it. */
export type ListedBranchRow = BranchRow & { readonly update_sequence_id: number | null }

/** Returns a repository by name. */
export function findRepository(reader: Reader, name: string): Promise<RepositoryRow | undefined> {
  return reader.selectFrom('code_repositories').selectAll().where('name', '=', name).executeTakeFirst()
}

/** Counts all repositories. */
export async function countRepositories(reader: Reader): Promise<number> {
  const row = await reader
    .selectFrom('code_repositories')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Adds a repository. Returns false if the name is taken. */
export async function insertRepository(tx: Tx, row: RepositoryRow): Promise<boolean> {
  const added = await tx
    .insertInto('code_repositories')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .executeTakeFirst()
  return added !== undefined
}

/** Replaces the properties of a repository, except its name and the time of its creation. */
export async function updateRepository(tx: Tx, { name, created_at: _, ...row }: RepositoryRow): Promise<void> {
  await tx.updateTable('code_repositories').set(row).where('name', '=', name).execute()
}

/** Deletes a repository with its branches, references and removals. */
export async function deleteRepository(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('code_repositories').where('name', '=', name).execute()
}

/** Lists the projects for which a repository has uploads, or removals of flags. */
export async function listRepositoryProjects(reader: Reader, repository: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('code_scans')
    .select('project')
    .where('repository', '=', repository)
    .union((query) =>
      query
        .selectFrom('code_extinctions as e')
        .innerJoin('features as f', 'f.name', 'e.feature_name')
        .select('f.project')
        .where('e.repository', '=', repository),
    )
    .execute()
  return rows.map(({ project }) => project)
}

/** Lists the branches of a repository, sorted by name. */
export function listBranches(reader: Reader, repository: string): Promise<ListedBranchRow[]> {
  return reader
    .selectFrom('code_branches as b')
    .selectAll('b')
    .select(({ selectFrom }) =>
      selectFrom('code_scans as s')
        .select(({ fn }) => fn.max<number | null>('s.update_sequence_id').as('update_sequence_id'))
        .whereRef('s.repository', '=', 'b.repository')
        .whereRef('s.branch', '=', 'b.branch')
        .as('update_sequence_id'),
    )
    .where('b.repository', '=', repository)
    .orderBy('b.branch')
    .execute()
}

/** Returns true if a branch is stored. */
export async function hasBranch(reader: Reader, { repository, branch }: BranchKey): Promise<boolean> {
  const row = await reader
    .selectFrom('code_branches')
    .select('branch')
    .where('repository', '=', repository)
    .where('branch', '=', branch)
    .executeTakeFirst()
  return row !== undefined
}

/** Adds or updates a branch, and locks its row until the end of the transaction. */
export async function putBranch(tx: Tx, row: BranchRow): Promise<void> {
  const { repository: _r, branch: _b, ...values } = row
  await tx
    .insertInto('code_branches')
    .values(row)
    .onConflict((conflict) => conflict.columns(['repository', 'branch']).doUpdateSet(values))
    .execute()
}

/** Deletes branches with their references. */
export async function deleteBranches(tx: Tx, repository: string, branches: readonly string[]): Promise<void> {
  if (branches.length === 0) return
  await tx
    .deleteFrom('code_branches')
    .where('repository', '=', repository)
    .where('branch', 'in', [...branches])
    .execute()
}
