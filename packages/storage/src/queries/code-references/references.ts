import type { Insertable, Selectable } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'
import type { BranchKey, RepositoryRow } from './repositories.ts'

/** Row to insert for the references to a flag in a branch. */
export type NewReferences = Insertable<Schema['code_references']>

/** Number of references to a flag in a branch, without their places in the code. */
export type ReferenceCount = Pick<ReferenceRow, 'repository' | 'branch' | 'reference_count' | 'default_branch'>

/** References to a flag in a branch, with the repository and the scanned commit. */
export interface ReferenceRow
  extends Selectable<Schema['code_references']>,
    Pick<RepositoryRow, 'type' | 'source_link' | 'hunk_url_template' | 'default_branch'> {
  readonly head: string
}

/** Removal of a flag from a branch, with the repository. */
export interface ExtinctionRow
  extends Selectable<Schema['code_extinctions']>,
    Pick<RepositoryRow, 'type' | 'source_link' | 'commit_url_template'> {}

/** Lists the projects that have references in a repository, or only in the given branches of the repository. */
export async function listReferencedProjects(
  reader: Reader,
  repository: string,
  branches?: readonly string[],
): Promise<string[]> {
  let query = reader.selectFrom('code_references').select('project').distinct().where('repository', '=', repository)
  if (branches !== undefined) query = query.where('branch', 'in', [...branches])
  return (await query.orderBy('project').execute()).map(({ project }) => project)
}

/** Lists the flags that a branch refers to, each with its project and the number of references. */
export function listReferencedFlags(
  reader: Reader,
  { repository, branch }: BranchKey,
): Promise<Pick<NewReferences, 'project' | 'feature_name' | 'reference_count'>[]> {
  return reader
    .selectFrom('code_references')
    .select(['project', 'feature_name', 'reference_count'])
    .where('repository', '=', repository)
    .where('branch', '=', branch)
    .execute()
}

/** Counts the code references in all branches of all repositories. */
export async function countReferences(reader: Reader): Promise<number> {
  const row = await reader
    .selectFrom('code_references')
    .select(({ fn }) => fn.sum<number | null>('reference_count').as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/**
 * Replaces the references of the given projects in a branch. For each project in the rows, a scan of the branch must
 * already be stored.
 */
export async function replaceReferences(
  tx: Tx,
  { repository, branch }: BranchKey,
  { projects, rows }: { readonly projects: readonly string[]; readonly rows: readonly NewReferences[] },
): Promise<void> {
  if (projects.length > 0) {
    await tx
      .deleteFrom('code_references')
      .where('repository', '=', repository)
      .where('branch', '=', branch)
      .where('project', 'in', [...projects])
      .execute()
  }
  for (const part of chunks(rows)) await tx.insertInto('code_references').values(part).execute()
}

/** Flag with its project. */
interface ReferencedFlag {
  readonly project: string
  readonly feature: string
}

/** Lists the branches with references to a flag, default branches first. */
export async function listReferenceCounts(
  reader: Reader,
  { project, feature }: ReferencedFlag,
): Promise<ReferenceCount[]> {
  const rows = await reader
    .selectFrom('code_references as c')
    .innerJoin('code_repositories as r', 'r.name', 'c.repository')
    .select(['c.repository', 'c.branch', 'c.reference_count', 'r.default_branch'])
    .where('c.feature_name', '=', feature)
    .where('c.project', '=', project)
    .orderBy('c.repository')
    .orderBy('c.branch')
    .execute()
  const isDefault = ({ branch, default_branch }: ReferenceCount) => Number(branch === default_branch)
  return rows.toSorted((a, b) => isDefault(b) - isDefault(a))
}

/** Returns the references to a flag in the given branches, in the order of these branches. */
export async function readReferences(
  reader: Reader,
  { project, feature }: ReferencedFlag,
  branches: readonly BranchKey[],
): Promise<ReferenceRow[]> {
  const toKey = ({ repository, branch }: BranchKey) => JSON.stringify([repository, branch])
  const found = new Map<string, ReferenceRow>()
  for (const part of chunks(branches, BRANCHES_PER_QUERY)) {
    const rows = await selectReferences(reader)
      .where('c.feature_name', '=', feature)
      .where('c.project', '=', project)
      .where(({ eb, and, or }) =>
        or(part.map((one) => and([eb('c.repository', '=', one.repository), eb('c.branch', '=', one.branch)]))),
      )
      .execute()
    for (const row of rows) found.set(toKey(row), row)
  }
  return branches.flatMap((branch) => found.get(toKey(branch)) ?? [])
}

/** Maximum number of branches per query, because databases limit the depth of a condition. */
export const BRANCHES_PER_QUERY = 100

/** Selects references as `c`, with the repository and the scanned commit. */
export function selectReferences(reader: Reader) {
  return reader
    .selectFrom('code_references as c')
    .innerJoin('code_repositories as r', 'r.name', 'c.repository')
    .innerJoin('code_scans as s', (join) =>
      join
        .onRef('s.repository', '=', 'c.repository')
        .onRef('s.branch', '=', 'c.branch')
        .onRef('s.project', '=', 'c.project'),
    )
    .selectAll('c')
    .select(['r.type', 'r.source_link', 'r.hunk_url_template', 'r.default_branch', 's.head'])
}

/** Moves the stored references to a flag to its new project. */
export async function moveReferences(
  tx: Tx,
  { feature, from, to }: { readonly feature: string; readonly from: string; readonly to: string },
): Promise<void> {
  await copyScans(tx, { feature, from, to })
  // deletes references that a scan of the new project found before the flag was moved there
  await tx.deleteFrom('code_references').where('feature_name', '=', feature).where('project', '=', to).execute()
  await tx
    .updateTable('code_references')
    .set({ project: to })
    .where('feature_name', '=', feature)
    .where('project', '=', from)
    .execute()
}

/**
 * Adds a scan of the new project to each branch that refers to the flag, unless the project already has a scan of the
 * branch.
 */
async function copyScans(
  tx: Tx,
  { feature, from, to }: { readonly feature: string; readonly from: string; readonly to: string },
): Promise<void> {
  await tx
    .insertInto('code_scans')
    .columns(['repository', 'branch', 'project', 'head'])
    .expression(
      tx
        .selectFrom('code_scans as s')
        .innerJoin('code_references as c', (join) =>
          join
            .onRef('c.repository', '=', 's.repository')
            .onRef('c.branch', '=', 's.branch')
            .onRef('c.project', '=', 's.project'),
        )
        .select(({ val }) => ['s.repository', 's.branch', val(to).as('project'), 's.head'])
        .where('c.feature_name', '=', feature)
        .where('c.project', '=', from),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
