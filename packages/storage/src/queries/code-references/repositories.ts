import type { Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'

/** Stored repository. */
export type RepositoryRow = Selectable<Schema['code_repositories']>
/** Stored branch of a repository. */
export type BranchRow = Selectable<Schema['code_branches']>

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

/** Lists the branches of a repository by name. */
export function listBranches(reader: Reader, repository: string): Promise<BranchRow[]> {
  return reader.selectFrom('code_branches').selectAll().where('repository', '=', repository).orderBy('branch').execute()
}

/**
 * Adds or updates a branch, and locks its row until the end of the transaction. Returns false, and changes nothing, if
 * the stored branch has the same or a later sequence id.
 */
export async function putBranch(tx: Tx, row: Omit<BranchRow, 'reference_count'>): Promise<boolean> {
  const { repository: _r, branch: _b, ...values } = row
  const stored = await tx
    .insertInto('code_branches')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['repository', 'branch'])
        .doUpdateSet(values)
        .where((where) =>
          where.or([
            where('code_branches.update_sequence_id', 'is', null),
            where('excluded.update_sequence_id', 'is', null),
            where('code_branches.update_sequence_id', '<', where.ref('excluded.update_sequence_id')),
          ]),
        ),
    )
    .returning('branch')
    .executeTakeFirst()
  return stored !== undefined
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

/** Stores the number of references of a branch. */
export async function setReferenceCount(
  tx: Tx,
  { repository, branch, count }: { readonly repository: string; readonly branch: string; readonly count: number },
): Promise<void> {
  await tx
    .updateTable('code_branches')
    .set({ reference_count: count })
    .where('repository', '=', repository)
    .where('branch', '=', branch)
    .execute()
}
