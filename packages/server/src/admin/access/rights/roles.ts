import { compareText } from '@burgee/kit/compare-text'
import { invalid, notFound } from '@burgee/kit/input/refusals'
import { ALL_ENVIRONMENTS, PERMISSIONS } from '@burgee/protocol/administration/permission'
import type { RoleInput, RolePermissionInput, RoleWithPermissions } from '@burgee/protocol/administration/role'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import { readRoleUses } from '@burgee/storage/queries/access/role-uses'
import {
  findRoleById,
  insertRole,
  listRolePermissions,
  listRoles,
  putRolePermissions,
  type RoleRow,
  type StoredPermission,
  updateRole,
} from '@burgee/storage/queries/access/roles'
import { listEnvironmentNames } from '@burgee/storage/queries/projects/projects'
import { getRolePermissions } from '../../../core/access/rights/grants.ts'
import { checkRolePermission, findImplicitEnvironments } from '../../../core/access/rights/role-permission-check.ts'
import type { Change } from '../../../core/execute.ts'
import { readStoredOidc } from '../../sso/oidc-settings.ts'

/** Maximum number of roles. Every process keeps all roles in memory to check permissions. */
const MAX_ROLES = 500

const BY_NAME = new Map(PERMISSIONS.map((one) => [one.name, one]))

/** Returns a role by id. Throws NotFoundError. */
export async function requireRole(reader: Reader, id: number): Promise<RoleRow> {
  const row = await findRoleById(reader, id)
  if (row !== undefined) return row
  throw notFound(`There is no role with the id ${id}.`)
}

/** Returns a role with its permissions. A built-in role lists each environment permission once per environment. */
export async function readRole(reader: Reader, id: number): Promise<RoleWithPermissions> {
  const row = await requireRole(reader, id)
  if (isCustomRole(row)) {
    const stored = await listRolePermissions(reader, id)
    const permissions = stored.flatMap((one) => {
      const known = BY_NAME.get(one.permission)
      return known === undefined ? [] : [{ ...known, ...toEnvironmentField(one) }]
    })
    return { ...row, permissions }
  }
  const environments = await listEnvironmentNames(reader)
  return {
    ...row,
    permissions: getRolePermissions(id).flatMap(({ permission }) => {
      const known = BY_NAME.get(permission)
      if (known === undefined) return []
      if (known.type !== 'environment') return [{ ...known }]
      return environments.map((environment) => ({ ...known, environment }))
    }),
  }
}

/**
 * Lists all roles. For each role, also returns the environment permissions that are granted without an environment and
 * therefore apply in all of them.
 */
export async function listRolesWithImplicitEnvironments(
  reader: Reader,
): Promise<(RoleRow & { implicitEnvironments?: string[] })[]> {
  const stored = Map.groupBy(await listRolePermissions(reader), ({ role_id }) => role_id)
  return (await listRoles(reader)).map((row) => {
    const implicitEnvironments = findImplicitEnvironments(stored.get(row.id) ?? [])
    return implicitEnvironments.length === 0 ? row : { ...row, implicitEnvironments }
  })
}

/** Creates a role. Throws ValidationError, NameExistsError, ConflictError beyond the limit. */
export const createRole: Change<RoleInput, RoleRow> = async (tx, { name, description, type, permissions = [] }) => {
  await requireFreeRoleName(tx, name)
  if ((await listRoles(tx)).length >= MAX_ROLES)
    throw new Problem('ConflictError', `There are ${MAX_ROLES} roles already.`)
  const row = { name, description: description ?? '', type: type ?? 'custom' }
  const given = await checkPermissions(tx, row.type, permissions)
  const role = await insertRole(tx, row)
  await putRolePermissions(tx, role.id, given)
  return {
    result: role,
    events: [{ type: 'role-created', data: { ...role, permissions: toListedPermissions(given) } }],
  }
}

/**
 * Replaces a custom role. Omitted permissions keep their value; an unchanged role creates no event. Throws
 * NotFoundError, InvalidOperationError for built-in roles, ValidationError, NameExistsError.
 */
export const changeRole: Change<{ id: number; body: RoleInput }, RoleRow> = async (tx, { id, body }) => {
  const before = await requireCustomRole(tx, id)
  if (body.type !== undefined && body.type !== before.type) {
    throw invalid(`"type" must stay "${before.type}": the scope of a role cannot be changed.`, 'body/type')
  }
  if (body.name !== before.name) await requireFreeRoleName(tx, body.name)
  const held = await listRolePermissions(tx, id)
  const given = body.permissions === undefined ? held : await checkPermissions(tx, before.type, body.permissions)
  const after = { ...before, name: body.name, description: body.description ?? before.description }
  const [data, preData] = [
    { ...after, permissions: toListedPermissions(given) },
    { ...before, permissions: toListedPermissions(held) },
  ]
  if (JSON.stringify(data) === JSON.stringify(preData)) return { result: before, events: [] }
  await updateRole(tx, after)
  await putRolePermissions(tx, id, given)
  return { result: after, events: [{ type: 'role-updated', data, preData }] }
}

/**
 * Removes a custom role that is not in use. Throws NotFoundError, InvalidOperationError for built-in roles,
 * ValidationError if the role is in use.
 */
export const removeRole: Change<{ id: number }, void> = async (tx, { id }) => {
  const before = await requireCustomRole(tx, id)
  const { people, groups, projects } = await readRoleUses(tx, id)
  const uses = [
    ...(people === 0 ? [] : [`${people} account${people === 1 ? '' : 's'}`]),
    ...(groups === 0 ? [] : [`${groups} group${groups === 1 ? '' : 's'}`]),
    ...(projects.length === 0 ? [] : [`the projects ${projects.map((project) => `"${project}"`).join(', ')}`]),
  ]
  if ((await readStoredOidc(tx)).defaultRootRoleId === id) uses.push('single sign-on, for new people')
  if (uses.length > 0) throw invalid(`The role "${before.name}" is in use, by ${uses.join(' and ')}.`, 'params/roleId')
  const held = await listRolePermissions(tx, id)
  await tx.deleteFrom('roles').where('id', '=', id).execute()
  return {
    result: undefined,
    events: [{ type: 'role-deleted', preData: { ...before, permissions: toListedPermissions(held) } }],
  }
}

/** Throws NameExistsError if a role already has this name. */
export async function requireFreeRoleName(reader: Reader, name: string): Promise<void> {
  const taken = (await listRoles(reader)).some((role) => role.name === name)
  if (taken) throw new Problem('NameExistsError', `There is already a role with the name "${name}".`)
}

async function requireCustomRole(tx: Tx, id: number): Promise<RoleRow> {
  const row = await requireRole(tx, id)
  if (isCustomRole(row)) return row
  throw new Problem('InvalidOperationError', `The role "${row.name}" is built in and cannot be changed.`)
}

function isCustomRole({ type }: RoleRow): boolean {
  return type === 'custom' || type === 'root-custom'
}

async function checkPermissions(
  reader: Reader,
  type: string,
  wanted: readonly RolePermissionInput[],
): Promise<StoredPermission[]> {
  const environments = new Set(await listEnvironmentNames(reader))
  const found = new Map<string, StoredPermission>()
  for (const [at, input] of wanted.entries()) {
    const one = checkRolePermission({ type, environments }, input, `body/permissions/${at}`)
    found.set(JSON.stringify([one.permission, one.environment]), one)
  }
  return [...found.values()]
}

/** Converts permissions to the form used in events and replies, in an order that is always the same. */
function toListedPermissions(permissions: readonly StoredPermission[]) {
  return permissions
    .map((one) => ({ name: one.permission, ...toEnvironmentField(one) }))
    .sort((a, b) => compareText(a.name, b.name) || compareText(a.environment ?? '', b.environment ?? ''))
}

function toEnvironmentField({ environment, all_environments }: StoredPermission): { environment?: string } {
  if (environment !== null) return { environment }
  return all_environments === 1 ? { environment: ALL_ENVIRONMENTS } : {}
}
