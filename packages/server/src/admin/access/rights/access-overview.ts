import { compareText } from '@burgee/kit/compare-text'
import type { Reader } from '@burgee/storage/database'
import { listAllAssignments } from '@burgee/storage/queries/access/assignments'
import { listServiceAccounts, listUsers } from '@burgee/storage/queries/access/people'
import { listRoles } from '@burgee/storage/queries/access/roles'
import { toUser } from '../people/users.ts'

/**
 * Role of an account, and how the account got it. `project` and `group` show how the account obtained the role. An
 * empty project means all projects, and an empty group means a direct assignment.
 */
export interface AccessRow {
  readonly userId: number
  readonly accountType: string
  readonly name: string
  readonly username: string
  readonly email: string
  readonly role: string
  readonly project: string
  readonly group: string
  /** False if the account cannot log in at present. None of its roles apply while an account cannot log in. */
  readonly active: boolean
}

/** Returns one row for each role of each account, ordered by account id, project and group. */
export async function readAccessOverview(reader: Reader): Promise<AccessRow[]> {
  const roles = new Map((await listRoles(reader)).map(({ id, name }) => [id, name]))
  const given = Map.groupBy(await listAllAssignments(reader), ({ user_id }) => user_id)
  const accounts = [...(await listUsers(reader)), ...(await listServiceAccounts(reader))]
  return accounts.flatMap((row) => {
    const own = { role_id: row.root_role, project: null, group: null }
    const more = (given.get(row.id) ?? []).toSorted(
      (a, b) => compareText(a.project ?? '', b.project ?? '') || compareText(a.group ?? '', b.group ?? ''),
    )
    return [own, ...more].map(({ role_id, project, group }) => ({
      userId: row.id,
      accountType: toUser(row).accountType,
      name: row.name ?? '',
      username: row.username ?? '',
      email: row.email ?? '',
      role: roles.get(role_id) ?? String(role_id),
      project: project ?? '',
      group: group ?? '',
      active: row.active === 1,
    }))
  })
}
