import { coversGrant, type Grant } from '@burgee/protocol/grant'
import { describe, expect, test } from 'vitest'
import { resolveGrants } from './grants.ts'
import { hasPermission, requirePermission } from './rights.ts'
import { BUILT_IN_ROLES, type RoleRights } from './role-permissions.ts'

/**
 * Custom roles for the decision table. The table checks every permission, role, project and environment for each way to
 * assign a role.
 */
const MADE: readonly RoleRights[] = [
  role(6, 'custom', 'Switcher', ['UPDATE_FEATURE_ENVIRONMENT', 'production']),
  role(7, 'custom', 'Writer', ['CREATE_FEATURE', null], ['UPDATE_FEATURE', null], ['CREATE_FEATURE_STRATEGY', null]),
  role(8, 'root-custom', 'Librarian', ['CREATE_SEGMENT', null], ['READ_ROLE', null]),
  role(9, 'root-custom', 'Night watch', ['UPDATE_FEATURE_ENVIRONMENT', 'production'], ['UPDATE_FEATURE', null]),
  role(10, 'custom', 'Odd', ['ADMIN', null], ['CREATE_PROJECT', null], ['NO_SUCH_THING', null]),
  role(11, 'custom', 'Doorkeeper', ['PROJECT_USER_ACCESS_WRITE', null]),
]
const ROLES = new Map([...BUILT_IN_ROLES, ...MADE].map((one) => [one.id, one]))

function role(id: number, type: string, name: string, ...rows: [string, string | null][]): RoleRights {
  const permissions = rows.map(([permission, environment]) => ({ permission, environment }))
  return { id, name, type, description: '', permissions }
}

const [ADMIN, EDITOR, VIEWER, OWNER, MEMBER, SWITCHER, WRITER, LIBRARIAN, NIGHT_WATCH, ODD, DOORKEEPER] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
]
const inShop = (role_id: number | undefined) => ({ role_id: role_id ?? 0, project: 'shop' })
const everywhere = (role_id: number | undefined) => ({ role_id: role_id ?? 0, project: null })
type Given = ReturnType<typeof inShop> | ReturnType<typeof everywhere>

const SWITCH = 'UPDATE_FEATURE_ENVIRONMENT'

test.each<
  [string, number | undefined, readonly Given[], string, string | null | undefined, string | undefined, boolean]
>([
  ['an admin, anything', ADMIN, [], 'DELETE_PROJECT', 'shop', undefined, true],
  ['an admin, in any environment', ADMIN, [], SWITCH, 'shop', 'production', true],
  ['an admin who is less in a project', ADMIN, [inShop(MEMBER)], 'DELETE_PROJECT', 'shop', undefined, true],
  ['an editor, in the default project', EDITOR, [], 'CREATE_FEATURE', 'default', undefined, true],
  ['an editor, in its environments', EDITOR, [], SWITCH, 'default', 'production', true],
  ['an editor, in another project', EDITOR, [], 'CREATE_FEATURE', 'shop', undefined, false],
  ['an editor, what all share', EDITOR, [], 'CREATE_SEGMENT', null, undefined, true],
  ['an editor, no administration', EDITOR, [], 'ADMIN', undefined, undefined, false],
  ['a viewer', VIEWER, [], 'CREATE_FEATURE', 'default', undefined, false],
  ['an unknown actor', undefined, [], 'CREATE_FEATURE', 'default', undefined, false],
  ['a role that is not there', 4711, [inShop(4711)], 'CREATE_FEATURE', 'shop', undefined, false],
  ['an owner, here', VIEWER, [inShop(OWNER)], 'DELETE_PROJECT', 'shop', undefined, true],
  ['an owner, there', VIEWER, [inShop(OWNER)], 'DELETE_PROJECT', 'default', undefined, false],
  [
    'an owner, each part of changing a project',
    VIEWER,
    [inShop(OWNER)],
    'PROJECT_SETTINGS_WRITE',
    'shop',
    undefined,
    true,
  ],
  [
    'an owner, approval of change requests',
    VIEWER,
    [inShop(OWNER)],
    'APPROVE_CHANGE_REQUEST',
    'shop',
    'production',
    true,
  ],
  [
    'an owner, no way around change requests',
    VIEWER,
    [inShop(OWNER)],
    'SKIP_CHANGE_REQUEST',
    'shop',
    'production',
    false,
  ],
  ['a member, flags', VIEWER, [inShop(MEMBER)], 'DELETE_FEATURE', 'shop', undefined, true],
  ['a member, all environments', VIEWER, [inShop(MEMBER)], SWITCH, 'shop', 'some-day', true],
  ['a member, no settings', VIEWER, [inShop(MEMBER)], 'PROJECT_SETTINGS_WRITE', 'shop', undefined, false],
  ['a role for one environment, there', VIEWER, [inShop(SWITCHER)], SWITCH, 'shop', 'production', true],
  ['a role for one environment, elsewhere', VIEWER, [inShop(SWITCHER)], SWITCH, 'shop', 'development', false],
  [
    'a role for one environment, in another project',
    VIEWER,
    [inShop(SWITCHER)],
    SWITCH,
    'default',
    'production',
    false,
  ],
  ['a role for one environment, somewhere in the project', VIEWER, [inShop(SWITCHER)], SWITCH, 'shop', undefined, true],
  [
    'a role for one environment, nothing else',
    VIEWER,
    [inShop(SWITCHER)],
    'CREATE_FEATURE_STRATEGY',
    'shop',
    'production',
    false,
  ],
  ['a role for all environments', VIEWER, [inShop(WRITER)], 'CREATE_FEATURE_STRATEGY', 'shop', 'some-day', true],
  ['two roles, what one of them gives', VIEWER, [inShop(SWITCHER), inShop(WRITER)], SWITCH, 'shop', 'production', true],
  [
    'two roles, what the other gives',
    VIEWER,
    [inShop(SWITCHER), inShop(WRITER)],
    'CREATE_FEATURE',
    'shop',
    undefined,
    true,
  ],
  ['two roles, what neither gives', VIEWER, [inShop(SWITCHER), inShop(WRITER)], SWITCH, 'shop', 'development', false],
  ['a made root role', LIBRARIAN, [], 'READ_ROLE', undefined, undefined, true],
  ['a made root role, what all share', LIBRARIAN, [], 'CREATE_SEGMENT', null, undefined, true],
  ['a made root role, what a project has of its own', LIBRARIAN, [], 'CREATE_SEGMENT', 'shop', undefined, false],
  ['a made root role, nothing else', LIBRARIAN, [], 'CREATE_STRATEGY', undefined, undefined, false],
  ['a made root role with rights in projects, in each', NIGHT_WATCH, [], 'UPDATE_FEATURE', 'shop', undefined, true],
  ['a made root role with rights in one environment, of each', NIGHT_WATCH, [], SWITCH, 'shop', 'production', true],
  ['a made root role with rights in one environment, elsewhere', NIGHT_WATCH, [], SWITCH, 'shop', 'development', false],
  ['the root role of a group', VIEWER, [everywhere(LIBRARIAN)], 'READ_ROLE', undefined, undefined, true],
  ['admin by a group', VIEWER, [everywhere(ADMIN)], 'ADMIN', undefined, undefined, true],
  ['a root role that is given in a project', VIEWER, [inShop(ADMIN)], 'CREATE_FEATURE', 'shop', undefined, false],
  [
    'a role of projects that is given everywhere',
    VIEWER,
    [everywhere(OWNER)],
    'CREATE_FEATURE',
    'shop',
    undefined,
    false,
  ],
  ['a role of projects as root role', OWNER, [], 'CREATE_FEATURE', 'shop', undefined, false],
  ['rights of everywhere in a role of projects: ADMIN', VIEWER, [inShop(ODD)], 'ADMIN', undefined, undefined, false],
  ['rights of everywhere in a role of projects', VIEWER, [inShop(ODD)], 'CREATE_PROJECT', undefined, undefined, false],
  ['a part of changing a project', VIEWER, [inShop(DOORKEEPER)], 'PROJECT_USER_ACCESS_WRITE', 'shop', undefined, true],
  ['who may write may read', VIEWER, [inShop(DOORKEEPER)], 'PROJECT_USER_ACCESS_READ', 'shop', undefined, true],
  ['a part is not the whole', VIEWER, [inShop(DOORKEEPER)], 'UPDATE_PROJECT', 'shop', undefined, false],
])('%s: role %j and %j, %s in %j, %j: %j', (_name, root, more, permission, project, environment, expected) => {
  const grants = resolveGrants(root ?? 0, more, ROLES)
  expect(hasPermission({ grants, hidden: [] }, permission, { project, environment })).toBe(expected)
})

test('rights that several roles give are there once', () => {
  const grants = resolveGrants(VIEWER ?? 0, [inShop(MEMBER), inShop(OWNER), inShop(OWNER)], ROLES)
  expect(grants).toEqual([...new Map(grants.map((grant) => [JSON.stringify(grant), grant])).values()])
  expect(grants.length).toBe(20)
})

describe('an actor without a right', () => {
  const missing = (permission: string, place: object): string => {
    try {
      requirePermission({ grants: [], hidden: [] }, permission, place)
    } catch (error) {
      return (error as Error).message
    }
    return 'nothing is missing'
  }
  test.each([
    [
      SWITCH,
      { project: 'shop', environment: 'production' },
      'you need "UPDATE_FEATURE_ENVIRONMENT" in the environment "production" of the project "shop".',
    ],
    [
      'CREATE_FEATURE',
      { project: 'shop', environment: 'production' },
      'you need "CREATE_FEATURE" in the project "shop".',
    ],
    ['CREATE_FEATURE', {}, 'you need "CREATE_FEATURE".'],
    ['ADMIN', { project: 'shop', environment: 'production' }, 'you need "ADMIN".'],
    ['UPDATE_SEGMENT', { project: 'shop' }, 'you need "UPDATE_PROJECT_SEGMENT" in the project "shop".'],
    ['UPDATE_SEGMENT', { project: null }, 'you need "UPDATE_SEGMENT".'],
  ])('%s at %j reads in the error: %s', (permission, place, text) => {
    expect(missing(permission, place)).toContain(text)
  })
})

describe('permissions that an actor may grant', () => {
  const owner = resolveGrants(VIEWER ?? 0, [inShop(OWNER)], ROLES)
  const one = resolveGrants(VIEWER ?? 0, [inShop(SWITCHER)], ROLES)
  test.each<[string, readonly Grant[], Grant, boolean]>([
    ['the same', owner, { permission: SWITCH, project: 'shop', environment: '*' }, true],
    ['less: one environment', owner, { permission: SWITCH, project: 'shop', environment: 'production' }, true],
    ['a part of what it may', owner, { permission: 'PROJECT_USER_ACCESS_WRITE', project: 'shop' }, true],
    ['elsewhere', owner, { permission: SWITCH, project: 'default', environment: '*' }, false],
    ['in all projects', owner, { permission: SWITCH, project: '*', environment: '*' }, false],
    ['what it may not', owner, { permission: 'SKIP_CHANGE_REQUEST', project: 'shop', environment: '*' }, false],
    ['everything', owner, { permission: 'ADMIN' }, false],
    ['all environments, with one', one, { permission: SWITCH, project: 'shop', environment: '*' }, false],
    ['that one', one, { permission: SWITCH, project: 'shop', environment: 'production' }, true],
    ['another one', one, { permission: SWITCH, project: 'shop', environment: 'development' }, false],
    ['anything, as admin', [{ permission: 'ADMIN' }], { permission: SWITCH, project: '*', environment: '*' }, true],
  ])('%s', (_name, grants, wanted, expected) => {
    expect(coversGrant(grants, wanted)).toBe(expected)
  })
})
