import { chunks } from '../../chunks.ts'
import type { Reader, Tx } from '../../database.ts'

/** Flag that depends on a parent flag; the flag is not archived. */
interface ChildLink {
  readonly parent: string
  readonly child: string
}

/** Returns the flags that depend on one of the given parents and are not archived. */
export async function listChildren(reader: Reader, parents: readonly string[]): Promise<ChildLink[]> {
  const found: ChildLink[] = []
  for (const part of chunks(parents)) found.push(...(await selectLiveChildren(reader, part).execute()))
  return found
}

/**
 * Returns the children of the given flags that require their parent to be off and that are on in some environment.
 * Omits archived children.
 */
export async function listChildrenRequiringParentOff(reader: Reader, parents: readonly string[]): Promise<ChildLink[]> {
  const found: ChildLink[] = []
  for (const part of chunks(parents)) {
    const rows = await selectLiveChildren(reader, part)
      .innerJoin('feature_environments as e', 'e.feature_name', 'd.child')
      .distinct()
      .where('d.enabled', '=', 0)
      .where('e.enabled', '=', 1)
      .execute()
    found.push(...rows)
  }
  return found
}

function selectLiveChildren(reader: Reader, parents: readonly string[]) {
  return reader
    .selectFrom('feature_dependencies as d')
    .innerJoin('features as f', 'f.name', 'd.child')
    .select(['d.parent', 'd.child'])
    .where('d.parent', 'in', parents)
    .where('f.archived_at', 'is', null)
    .orderBy('d.parent')
    .orderBy('d.child')
}

/**
 * Returns all dependencies on the given parent flags, each with the project of the child. Includes archived children.
 */
export async function listChildRows(reader: Reader, parents: readonly string[]) {
  const found = []
  for (const part of chunks(parents)) {
    const rows = await reader
      .selectFrom('feature_dependencies as d')
      .innerJoin('features as f', 'f.name', 'd.child')
      .selectAll('d')
      .select('f.project')
      .where('d.parent', 'in', part)
      .orderBy('d.child')
      .execute()
    found.push(...rows)
  }
  return found
}

/** Returns the given flags that have a parent. */
export async function listFlagsWithParents(reader: Reader, children: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const part of chunks(children)) {
    const rows = await reader
      .selectFrom('feature_dependencies')
      .select('child')
      .distinct()
      .where('child', 'in', part)
      .execute()
    found.push(...rows.map((row) => row.child))
  }
  return found
}

/** Deletes the dependencies of the given flags on their parents. */
export async function deleteParents(tx: Tx, children: readonly string[]): Promise<void> {
  for (const part of chunks(children)) await tx.deleteFrom('feature_dependencies').where('child', 'in', part).execute()
}

/** Returns the dependencies of one flag on its parents. */
export function listParents(reader: Reader, child: string) {
  return reader.selectFrom('feature_dependencies').selectAll().where('child', '=', child).orderBy('parent').execute()
}

/** Returns true if the project contains a flag that has a parent and is not archived. */
export async function hasDependencies(reader: Reader, project: string): Promise<boolean> {
  const row = await reader
    .selectFrom('feature_dependencies as d')
    .innerJoin('features as f', 'f.name', 'd.child')
    .select('d.child')
    .where('f.project', '=', project)
    .where('f.archived_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the flags in a project that may become the parent of the flag `child`. Omits the flag itself, archived flags,
 * and flags that have a parent.
 */
export async function listPossibleParents(reader: Reader, project: string, child: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('features as f')
    .select('f.name')
    .where('f.project', '=', project)
    .where('f.archived_at', 'is', null)
    .where('f.name', '!=', child)
    .where('f.name', 'not in', (inner) => inner.selectFrom('feature_dependencies').select('child'))
    .orderBy('f.name')
    .execute()
  return rows.map((row) => row.name)
}
