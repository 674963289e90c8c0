import { compareText } from '@burgee/kit/compare-text'
import { invalid, notFound } from '@burgee/kit/input/refusals'
import { PERMISSIONS, type PermissionDefinition } from '@burgee/protocol/administration/permission'
import type { RoleInput, RolePermissionInput, RoleWithPermissions } from '@burgee/protocol/administration/role'
import { Problem } from '@burgee/protocol/problem'
import { roleUses } from '../../../store/access/role-uses.ts'
import {
  insertRole,
  listRoles,
  putRolePermissions,
  type RoleRow,
  roleById,
  rolePermissions,
  updateRole,
} from '../../../store/access/roles.ts'
import type { Reader, Tx } from '../../../store/database.ts'
import { environmentNames } from '../../../store/projects/projects.ts'
import type { Change } from '../../execute.ts'
import { storedOidc } from '../../sso/oidc-settings.ts'
import { permissionsOfRole } from './grants.ts'
import type { RolePermission } from './role-permissions.ts'

/** All of them are in memory wherever rights are decided. */
const MOST_ROLES = 500

const BY_NAME = new Map(PERMISSIONS.map((one) => [one.name, one]))
const BY_ID = new Map(PERMISSIONS.map((one) => [one.id, one]))

/** A role by id. Throws NotFoundError. */
export async function requireRole(reader: Reader, id: number): Promise<RoleRow> {
  const row = await roleById(reader, id)
  if (row !== undefined) return row
  throw notFound(`There is no role with the id ${id}.`)
}

/** A role with what it gives; what it gives in all environments is listed for each, where the role is no made one. */
export async function roleView(reader: Reader, id: number): Promise<RoleWithPermissions> {
  const row = await requireRole(reader, id)
  const permissions = permissionsOfRole(id, await rolePermissions(reader, id))
  const environments = isMade(row) ? [] : await environmentNames(reader)
  return {
    ...row,
    permissions: permissions.flatMap(({ permission, environment }) => {
      const known = BY_NAME.get(permission)
      if (known === undefined) return []
      if (environment !== null) return [{ ...known, environment }]
      if (known.type !== 'environment' || isMade(row)) return [{ ...known }]
      return environments.map((name) => ({ ...known, environment: name }))
    }),
  }
}

/** Adds a role. Throws ValidationError, NameExistsError, ConflictError beyond the limit. */
export const createRole: Change<RoleInput, RoleRow> = async (tx, { name, description, type, permissions = [] }) => {
  await requireFreeRoleName(tx, name)
  if ((await listRoles(tx)).length >= MOST_ROLES)
    throw new Problem('ConflictError', `There are ${MOST_ROLES} roles already.`)
  const row = { name, description: description ?? '', type: type ?? 'custom' }
  const given = await checkedPermissions(tx, row.type, permissions)
  const role = await insertRole(tx, row)
  await putRolePermissions(tx, role.id, given)
  return { result: role, events: [{ type: 'role-created', data: { ...role, permissions: listed(given) } }] }
}

/**
 * Replaces a role that was made; permissions that are left out stay, and the same again is no event. Throws NotFoundError,
 * InvalidOperationError for roles that every installation has, ValidationError, NameExistsError.
 */
export const changeRole: Change<{ id: number; body: RoleInput }, RoleRow> = async (tx, { id, body }) => {
  const before = await requireMade(tx, id)
  if (body.type !== undefined && body.type !== before.type) {
    throw invalid(`"type" must stay "${before.type}": where a role holds is not changed.`, 'body/type')
  }
  if (body.name !== before.name) await requireFreeRoleName(tx, body.name)
  const held = permissionsOfRole(id, await rolePermissions(tx, id))
  const given = body.permissions === undefined ? held : await checkedPermissions(tx, before.type, body.permissions)
  const after = { ...before, name: body.name, description: body.description ?? before.description }
  const [data, preData] = [
    { ...after, permissions: listed(given) },
    { ...before, permissions: listed(held) },
  ]
  if (JSON.stringify(data) === JSON.stringify(preData)) return { result: before, events: [] }
  await updateRole(tx, after)
  await putRolePermissions(tx, id, given)
  return { result: after, events: [{ type: 'role-updated', data, preData }] }
}

/**
 * Removes a role that was made and that nobody has. Throws NotFoundError, InvalidOperationError for roles that every
 * installation has, ValidationError where it is in use.
 */
export const removeRole: Change<{ id: number }, void> = async (tx, { id }) => {
  const before = await requireMade(tx, id)
  const { people, groups, projects } = await roleUses(tx, id)
  const uses = [
    ...(people === 0 ? [] : [`${people} account${people === 1 ? '' : 's'}`]),
    ...(groups === 0 ? [] : [`${groups} group${groups === 1 ? '' : 's'}`]),
    ...(projects.length === 0 ? [] : [`the projects ${projects.map((project) => `"${project}"`).join(', ')}`]),
  ]
  if ((await storedOidc(tx)).defaultRootRoleId === id) uses.push('single sign-on, for new people')
  if (uses.length > 0) throw invalid(`The role "${before.name}" is in use, by ${uses.join(' and ')}.`, 'params/roleId')
  const held = permissionsOfRole(id, await rolePermissions(tx, id))
  await tx.deleteFrom('roles').where('id', '=', id).execute()
  return { result: undefined, events: [{ type: 'role-deleted', preData: { ...before, permissions: listed(held) } }] }
}

/** Throws NameExistsError where a role has the name. */
export async function requireFreeRoleName(reader: Reader, name: string): Promise<void> {
  const taken = (await listRoles(reader)).some((role) => role.name === name)
  if (taken) throw new Problem('NameExistsError', `There is already a role with the name "${name}".`)
}

async function requireMade(tx: Tx, id: number): Promise<RoleRow> {
  const row = await requireRole(tx, id)
  if (isMade(row)) return row
  throw new Problem(
    'InvalidOperationError',
    `The role "${row.name}" is there in every installation, and cannot be changed.`,
  )
}

function isMade({ type }: RoleRow): boolean {
  return type === 'custom' || type === 'root-custom'
}

async function checkedPermissions(
  reader: Reader,
  type: string,
  wanted: readonly RolePermissionInput[],
): Promise<RolePermission[]> {
  const environments = new Set(await environmentNames(reader))
  const found = new Map<string, RolePermission>()
  for (const [at, input] of wanted.entries()) {
    const path = `body/permissions/${at}`
    const known = definitionOf(input, path)
    if (known.name === 'ADMIN') throw invalid('"ADMIN" cannot be part of a role: give the role Admin instead.', path)
    if (known.type === 'root' && type === 'custom') {
      throw invalid(`"${known.name}" holds everywhere, and cannot be part of a role of projects.`, path)
    }
    const environment = input.environment === '' ? null : (input.environment ?? null)
    if (environment !== null && known.type !== 'environment') {
      throw invalid(`"${known.name}" does not hold in environments: leave "environment" out.`, `${path}/environment`)
    }
    if (environment !== null && !environments.has(environment)) {
      throw invalid(`There is no environment "${environment}".`, `${path}/environment`)
    }
    found.set(JSON.stringify([known.name, environment]), { permission: known.name, environment })
  }
  return [...found.values()]
}

function definitionOf({ id, name }: RolePermissionInput, path: string): PermissionDefinition {
  const known = name === undefined ? BY_ID.get(id ?? 0) : BY_NAME.get(name)
  if (known === undefined) throw invalid(`There is no permission ${JSON.stringify(name ?? id ?? null)}.`, path)
  if (id !== undefined && known.id !== id) throw invalid(`"${known.name}" does not have the id ${id}.`, `${path}/id`)
  return known
}

/** As events say it, in one order. */
function listed(permissions: readonly RolePermission[]) {
  return permissions
    .map(({ permission: name, environment }) => ({ name, ...(environment === null ? {} : { environment }) }))
    .sort((a, b) => compareText(a.name, b.name) || compareText(a.environment ?? '', b.environment ?? ''))
}
