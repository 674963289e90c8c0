import type {
  SourceFavorites,
  SourceGroup,
  SourceInviteLink,
  SourceMembership,
  SourcePersonalToken,
  SourceRole,
  SourceToken,
  SourceUser,
} from '../model/source-people.ts'
import type { DatabaseSnapshot } from './database-snapshot.ts'
import { toTexts } from './stored-json.ts'

const ROLES = {
  name: 'roles',
  columns: { id: 'number', name: 'text', description: 'text', type: 'text' },
  order: 'roles.id',
} as const

const PERMISSIONS = {
  name: 'role_permission',
  columns: { role_id: 'number', permission: 'text', environment: 'text' },
  order: 'role_id, permission, environment',
} as const

const USERS = {
  name: 'users',
  columns: {
    id: 'number',
    name: 'text',
    username: 'text',
    email: 'text',
    password_hash: 'text',
    image_url: 'text',
    created_at: 'time',
    seen_at: 'time',
    deleted_at: 'time',
    login_attempts: 'number',
    is_service: 'yes',
    is_system: 'yes',
    scim_id: 'text',
    scim_external_id: 'text',
  },
  order: 'users.id',
} as const

const USER_ROLES = {
  name: 'role_user',
  columns: { role_id: 'number', user_id: 'number', project: 'text' },
  order: 'user_id, project, role_id',
} as const

const GROUPS = {
  name: 'groups',
  columns: {
    id: 'number',
    name: 'text',
    description: 'text',
    mappings_sso: 'json',
    root_role_id: 'number',
    scim_id: 'text',
    scim_external_id: 'text',
    created_at: 'time',
  },
  order: 'groups.id',
} as const

const GROUP_USERS = {
  name: 'group_user',
  columns: { group_id: 'number', user_id: 'number' },
  order: 'group_id, user_id',
} as const

const GROUP_ROLES = {
  name: 'group_role',
  columns: { group_id: 'number', role_id: 'number', project: 'text' },
  order: 'group_id, project, role_id',
} as const

const TOKENS = {
  name: 'api_tokens',
  columns: {
    secret: 'text',
    alias: 'text',
    token_name: 'text',
    username: 'text',
    type: 'text',
    environment: 'text',
    expires_at: 'time',
    created_at: 'time',
    seen_at: 'time',
  },
  order: 'api_tokens.created_at, api_tokens.secret',
} as const

const TOKEN_PROJECTS = {
  name: 'api_token_project',
  columns: { secret: 'text', project: 'text' },
  order: 'secret, project',
} as const

const PERSONAL_TOKENS = {
  name: 'personal_access_tokens',
  columns: {
    secret: 'text',
    description: 'text',
    user_id: 'number',
    expires_at: 'time',
    created_at: 'time',
    seen_at: 'time',
  },
  order: 'personal_access_tokens.created_at',
} as const

const FAVORITE_FLAGS = {
  name: 'favorite_features',
  columns: { feature: 'text', user_id: 'number' },
  order: 'user_id, feature',
} as const

const FAVORITE_PROJECTS = {
  name: 'favorite_projects',
  columns: { project: 'text', user_id: 'number' },
  order: 'user_id, project',
} as const

const INVITE_LINKS = {
  name: 'public_signup_tokens',
  columns: {
    secret: 'text',
    name: 'text',
    expires_at: 'time',
    created_at: 'time',
    created_by: 'text',
    enabled: 'yes',
  },
  order: 'public_signup_tokens.created_at',
} as const

const INVITED = {
  name: 'public_signup_tokens_user',
  columns: { secret: 'text', user_id: 'number' },
  order: 'secret, user_id',
} as const

/** Users, roles and credentials. */
export interface People {
  readonly roles: SourceRole[]
  readonly groups: SourceGroup[]
  readonly users: SourceUser[]
  readonly memberships: SourceMembership[]
  readonly tokens: SourceToken[]
  readonly personalTokens: SourcePersonalToken[]
  readonly favorites: SourceFavorites
  readonly inviteLinks: SourceInviteLink[]
  /** Number of deleted accounts; their anonymized rows remain in the table. */
  readonly deleted: number
}

/** Reads users, their roles and credentials. Omits deleted accounts and system accounts. */
export async function readPeople(snapshot: DatabaseSnapshot): Promise<People> {
  const roles = await readRoles(snapshot)
  const rootRoles = new Set(roles.filter(({ scope }) => scope === 'root').map(({ id }) => id))
  const held = await snapshot.rows(USER_ROLES)
  const all = await snapshot.rows(USERS)
  const present = all.filter((row) => row.deleted_at === null && row.is_system !== true && (row.id ?? 0) > 0)
  const ids = new Set(present.map(({ id }) => id))
  const groups = await readGroups(snapshot, ids)
  return {
    roles,
    groups,
    users: present.map((row) => ({
      id: row.id ?? 0,
      name: row.name,
      username: row.username,
      email: row.email,
      password: row.password_hash === null ? { kind: 'none' } : { kind: 'bcrypt', hash: row.password_hash },
      // in this table, a root role also has a project, which is meaningless. Source: wire protocol
      rootRole: held.find((one) => one.user_id === row.id && rootRoles.has(one.role_id ?? 0))?.role_id ?? undefined,
      isService: row.is_service === true,
      imageUrl: row.image_url,
      scimId: row.scim_id,
      scimExternalId: row.scim_external_id,
      loginAttempts: row.login_attempts ?? 0,
      createdAt: row.created_at ?? 0,
      seenAt: row.seen_at,
    })),
    memberships: [
      ...held
        .filter((row) => !rootRoles.has(row.role_id ?? 0) && ids.has(row.user_id))
        .map((row) => toMembership(row.project, row.role_id, { kind: 'user', id: row.user_id ?? 0 })),
      ...(await snapshot.rows(GROUP_ROLES))
        .filter((row) => !rootRoles.has(row.role_id ?? 0))
        .map((row) => toMembership(row.project, row.role_id, { kind: 'group', id: row.group_id ?? 0 })),
    ],
    tokens: await readTokens(snapshot),
    personalTokens: await readPersonalTokens(snapshot),
    favorites: await readFavorites(snapshot, ids),
    inviteLinks: await readInviteLinks(snapshot, ids),
    deleted: all.filter((row) => row.deleted_at !== null).length,
  }
}

function toMembership(
  project: string | null,
  role: number | null,
  member: SourceMembership['member'],
): SourceMembership {
  return { project: project ?? '', role: role ?? 0, member }
}

async function readRoles(snapshot: DatabaseSnapshot): Promise<SourceRole[]> {
  const permissions = Map.groupBy(await snapshot.rows(PERMISSIONS), (row) => row.role_id)
  return (await snapshot.rows(ROLES)).map((row) => {
    const own = permissions.get(row.id) ?? []
    const each = new Map(own.map((one) => [JSON.stringify([one.permission, one.environment]), one]))
    return {
      id: row.id ?? 0,
      name: row.name ?? '',
      description: row.description,
      scope: row.type === 'root' || row.type === 'root-custom' ? 'root' : 'project',
      isCustom: row.type === 'custom' || row.type === 'root-custom',
      // a permission can be stored twice
      permissions: [...each.values()].flatMap(({ permission, environment }) =>
        permission === null ? [] : [{ name: permission, environment: environment === '' ? null : environment }],
      ),
    }
  })
}

async function readGroups(snapshot: DatabaseSnapshot, users: ReadonlySet<number | null>): Promise<SourceGroup[]> {
  const members = Map.groupBy(await snapshot.rows(GROUP_USERS), (row) => row.group_id)
  return (await snapshot.rows(GROUPS)).map((row) => ({
    id: row.id ?? 0,
    name: row.name ?? '',
    description: row.description,
    mappings: toTexts(row.mappings_sso),
    rootRole: row.root_role_id,
    scimId: row.scim_id,
    scimExternalId: row.scim_external_id,
    createdAt: row.created_at ?? 0,
    users: (members.get(row.id) ?? []).flatMap(({ user_id: id }) => (users.has(id) ? [id ?? 0] : [])),
  }))
}

const TYPES: readonly string[] = ['admin', 'client', 'frontend']

/**
 * Reads API tokens. Secrets can have any form: old secrets contain neither a project nor an environment. Source: wire
 * protocol
 */
async function readTokens(snapshot: DatabaseSnapshot): Promise<SourceToken[]> {
  const projects = Map.groupBy(await snapshot.rows(TOKEN_PROJECTS), (row) => row.secret)
  return (await snapshot.rows(TOKENS)).flatMap((row) => {
    const type = row.type?.toLowerCase() ?? ''
    if (row.secret === null || !TYPES.includes(type)) return []
    const own = (projects.get(row.secret) ?? []).flatMap(({ project }) => project ?? [])
    return [
      {
        secret: row.secret,
        alias: row.alias,
        name: row.token_name ?? row.username ?? 'unnamed',
        type: type as SourceToken['type'],
        environment: row.environment ?? '*',
        projects: own.length === 0 ? ['*'] : own,
        expiresAt: row.expires_at,
        createdAt: row.created_at ?? 0,
        seenAt: row.seen_at,
      },
    ]
  })
}

async function readPersonalTokens(snapshot: DatabaseSnapshot): Promise<SourcePersonalToken[]> {
  return (await snapshot.rows(PERSONAL_TOKENS)).map((row) => ({
    secret: row.secret ?? '',
    userId: row.user_id ?? 0,
    description: row.description ?? '',
    expiresAt: row.expires_at ?? 0,
    createdAt: row.created_at ?? 0,
    seenAt: row.seen_at,
  }))
}

async function readFavorites(snapshot: DatabaseSnapshot, users: ReadonlySet<number | null>): Promise<SourceFavorites> {
  const [flags, projects] = [await snapshot.rows(FAVORITE_FLAGS), await snapshot.rows(FAVORITE_PROJECTS)]
  return {
    flags: flags
      .filter((row) => users.has(row.user_id))
      .map((row) => ({ userId: row.user_id ?? 0, flag: row.feature ?? '' })),
    projects: projects
      .filter((row) => users.has(row.user_id))
      .map((row) => ({ userId: row.user_id ?? 0, project: row.project ?? '' })),
  }
}

async function readInviteLinks(
  snapshot: DatabaseSnapshot,
  users: ReadonlySet<number | null>,
): Promise<SourceInviteLink[]> {
  const invited = Map.groupBy(await snapshot.rows(INVITED), (row) => row.secret)
  return (await snapshot.rows(INVITE_LINKS)).map((row) => ({
    secret: row.secret ?? '',
    name: row.name ?? '',
    createdBy: row.created_by ?? '',
    createdAt: row.created_at ?? 0,
    expiresAt: row.expires_at ?? 0,
    enabled: row.enabled !== false,
    users: (invited.get(row.secret) ?? []).flatMap(({ user_id: id }) => (users.has(id) ? [id ?? 0] : [])),
  }))
}
