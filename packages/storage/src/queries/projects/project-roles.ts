import { chunks } from '../../chunks.ts'
import type { Reader, Tx } from '../../database.ts'
import { insertAll } from '../import/explicit-ids.ts'

/** Kind of account that holds roles in a project. */
export type HolderKind = 'user' | 'group'

/** Roles of an account or a group in a project before and after a change; both lists are sorted. */
export interface RoleChange {
  readonly id: number
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/** Returns the ids that are users (including service accounts), or groups. Runs one statement for a few hundred ids. */
export async function filterHolders(reader: Reader, kind: HolderKind, ids: readonly number[]): Promise<Set<number>> {
  const found = new Set<number>()
  for (const part of chunks(ids)) {
    const rows = await reader.selectFrom(`${kind}s`).select('id').where('id', 'in', part).execute()
    for (const { id } of rows) found.add(id)
  }
  return found
}

/**
 * Returns the sorted roles that accounts or groups have in a project, by their id. Omits those without a role. Runs one
 * statement for a few hundred ids.
 */
export async function listHolderRoles(
  reader: Reader,
  { project, kind }: { readonly project: string; readonly kind: HolderKind },
  ids: readonly number[],
): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>()
  for (const part of chunks(ids)) {
    const members = reader
      .selectFrom('project_members')
      .select(['user_id as id', 'role_id'])
      .where('project', '=', project)
      .where('user_id', 'in', part)
      .orderBy('role_id')
    const groups = reader
      .selectFrom('project_groups')
      .select(['group_id as id', 'role_id'])
      .where('project', '=', project)
      .where('group_id', 'in', part)
      .orderBy('role_id')
    const rows = kind === 'user' ? await members.execute() : await groups.execute()
    for (const { id, role_id } of rows) found.set(id, [...(found.get(id) ?? []), role_id])
  }
  return found
}

/**
 * Sets the roles of accounts or groups in a project. Roles that they already had keep the time at which they were
 * granted. Runs one statement for each lost role and for a few hundred granted roles.
 */
export async function putHolderRoles(
  tx: Tx,
  { project, kind, now }: { readonly project: string; readonly kind: HolderKind; readonly now: number },
  changes: readonly RoleChange[],
): Promise<void> {
  const lost = changes.flatMap(({ id, before, after }) =>
    before.filter((role) => !after.includes(role)).map((role_id) => ({ id, role_id })),
  )
  for (const [role, holders] of Map.groupBy(lost, (one) => one.role_id)) {
    for (const part of chunks(holders.map(({ id }) => id))) {
      const query =
        kind === 'user'
          ? tx.deleteFrom('project_members').where('user_id', 'in', part)
          : tx.deleteFrom('project_groups').where('group_id', 'in', part)
      await query.where('project', '=', project).where('role_id', '=', role).execute()
    }
  }
  const granted = changes.flatMap(({ id, before, after }) =>
    after.filter((role) => !before.includes(role)).map((role_id) => ({ id, role_id, project, created_at: now })),
  )
  if (kind === 'user') {
    const rows = granted.map(({ id: user_id, ...row }) => ({ user_id, ...row }))
    await insertAll(tx, 'project_members', rows)
  } else {
    const rows = granted.map(({ id: group_id, ...row }) => ({ group_id, ...row }))
    await insertAll(tx, 'project_groups', rows)
  }
}
