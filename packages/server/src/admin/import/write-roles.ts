import type { SourceRole } from '@burgee/import/model/source-people'
import { PERMISSION_SCOPES } from '@burgee/protocol/administration/permission'
import { Problem } from '@burgee/protocol/problem'
import type { RoleType } from '@burgee/storage/queries/access/access-tables'
import type { StoredPermission } from '@burgee/storage/queries/access/roles'
import { insertAll } from '@burgee/storage/queries/import/explicit-ids'
import { checkRolePermission } from '../../core/access/rights/role-permission-check.ts'
import { ALREADY_EXISTS, type ImportContext } from './import-order.ts'
import { readNames } from './write-material.ts'

/** Current names of built-in roles, keyed by their former names. Source: wire protocol */
const OLD_NAMES: Readonly<Record<string, string>> = { Regular: 'Member' }
/**
 * Note on permissions that are not imported because they name no environment: here, they would apply in all
 * environments, including future ones.
 */
const NO_ENVIRONMENT = 'the source names no environment for these permissions: add them for the intended environments'

/** Writes roles. Built-in roles are matched by name; unknown permissions are dropped and reported. */
export async function writeRoles({ tx, installation, tally, roles, order, ...rest }: ImportContext): Promise<void> {
  const there = await tx.selectFrom('roles').select(['id', 'name', 'type']).execute()
  const environments = await readNames({ tx, ...rest }, 'environments', 'name')
  let imported = 0
  for (const role of installation.roles) {
    const name = role.isCustom ? role.name : (OLD_NAMES[role.name] ?? role.name)
    const known = there.find((one) => one.name === name)
    if (known !== undefined) {
      roles.set(role.id, known.id)
      if (role.isCustom) tally.addNote('role', role.name, 'not carried', ALREADY_EXISTS)
      else imported += 1
      continue
    }
    const description = role.description ?? ''
    const row = { name, description, type: getRoleType(role) }
    const { id } = await tx.insertInto('roles').values(row).returning('id').executeTakeFirstOrThrow()
    roles.set(role.id, id)
    imported += 1
    const { kept, lost, unlimited } = checkPermissions(role, row.type, environments)
    if (lost.length > 0) {
      tally.addNote('role', role.name, 'approximated', `these permissions do not exist here: ${lost.join(', ')}`)
    }
    if (unlimited.length > 0) {
      tally.addNote('role', role.name, 'approximated', `${NO_ENVIRONMENT}: ${unlimited.join(', ')}`)
    }
    await insertAll(
      tx,
      'role_permissions',
      kept.map((one) => ({ ...one, role_id: id })),
    )
  }
  tally.count('role', installation.roles.length, imported)
}

/**
 * Sorts the permissions of a role into three lists: permissions that can be stored, unknown permissions, and
 * permissions that name no environment.
 */
function checkPermissions({ permissions }: SourceRole, type: string, environments: ReadonlySet<string>) {
  const kept: StoredPermission[] = []
  const [lost, unlimited] = [new Set<string>(), new Set<string>()]
  for (const one of permissions) {
    if (one.environment === null && PERMISSION_SCOPES.get(one.name) === 'environment') {
      unlimited.add(one.name)
      continue
    }
    try {
      kept.push(checkRolePermission({ type, environments }, one, 'permissions'))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      lost.add(one.name)
    }
  }
  return { kept, lost: [...lost], unlimited: [...unlimited] }
}

function getRoleType({ scope, isCustom }: SourceRole): RoleType {
  if (scope === 'root') return isCustom ? 'root-custom' : 'root'
  return isCustom ? 'custom' : 'project'
}
