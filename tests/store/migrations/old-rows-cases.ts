import type { TestDatabase } from '../../support/test-database.ts'

/** Migration that gives existing rows a value: the rows before, and what is read afterwards. */
export interface OldRows {
  readonly migration: string
  /** Sentence that is true after the migration. */
  readonly title: string
  fill(look: TestDatabase): Promise<void>
  readonly read: string
  readonly after: readonly (readonly unknown[])[]
}

type Value = string | number | null

/** Inserts a row directly, without the store. */
async function put(look: TestDatabase, table: string, row: Readonly<Record<string, Value>>): Promise<void> {
  const columns = Object.keys(row)
  const sql = `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`
  await look.rows(sql, ...Object.values(row))
}

const flag = (look: TestDatabase, name: string) =>
  put(look, 'features', { name, project: 'default', type: 'release', created_at: 0 })

const user = (look: TestDatabase, username: string, more: Readonly<Record<string, Value>> = {}) =>
  put(look, 'users', { username, password_hash: 'x', root_role: 3, created_at: 0, ...more })

const userId = async (look: TestDatabase, username: string): Promise<number> =>
  Number((await look.row('select id from users where username = ?', username))?.id)

interface OldEvent {
  readonly type: string
  readonly data?: unknown
  readonly by?: readonly [name: string, id: number]
  readonly project?: string
  readonly feature?: string
}

const event = (look: TestDatabase, { type, data = null, by = ['admin', 1], project, feature }: OldEvent) =>
  put(look, 'events', {
    created_at: 0,
    type,
    created_by: by[0],
    created_by_user_id: by[1],
    project: project ?? null,
    feature_name: feature ?? null,
    data: JSON.stringify(data),
    tags: '[]',
  })

const instance = (look: TestDatabase, app_name: string) =>
  put(look, 'client_instances', { app_name, instance_id: 'i', environment: 'development', last_seen_at: 0 })

const reach = (look: TestDatabase, app_name: string, project: string) =>
  put(look, 'client_application_reach', { app_name, project, environment: 'development' })

const application = (look: TestDatabase, app_name: string) =>
  put(look, 'client_applications', { app_name, strategies: '[]', first_seen_at: 0, last_seen_at: 0 })

const integration = (look: TestDatabase, description: string, projects: readonly string[]) =>
  put(look, 'integrations', {
    provider: 'webhook',
    enabled: 1,
    description,
    open_parameters: '{}',
    sealed_parameters: '{}',
    event_types: '[]',
    only_projects: JSON.stringify(projects),
    only_environments: '[]',
    seen_event_id: 0,
    created_at: 0,
  })

const integrationId = async (look: TestDatabase, description: string): Promise<number> =>
  Number((await look.row('select id from integrations where description = ?', description))?.id)

/** In migration order, because they run one after the other on the same rows. */
export const OLD_ROWS: readonly OldRows[] = [
  {
    migration: '0002-admin',
    title: 'no project is archived',
    fill: async () => {},
    read: 'select id, archived_at from projects',
    after: [['default', null]],
  },
  {
    migration: '0004-lives',
    title: 'no flag is potentially stale, and no application is described',
    async fill(look) {
      await flag(look, 'old-flag')
      await application(look, 'one-project')
    },
    read: `select potentially_stale, client_applications.description, url, color, icon from features
      join client_applications on features.name = 'old-flag'`,
    after: [[0, null, null, null, null]],
  },
  {
    migration: '0005-unknown-flags',
    title: 'applications and instances do not count as reported by public tokens',
    fill: (look) => instance(look, 'one-project'),
    read: 'select a.by_public_token as a, i.by_public_token as i from client_applications a join client_instances i on i.app_name = a.app_name',
    after: [[0, 0]],
  },
  {
    migration: '0006-application-reach',
    title: 'since when an instance is known is unknown',
    fill: async () => {},
    read: 'select first_seen_at from client_instances',
    after: [[null]],
  },
  {
    migration: '0007-flag-rules',
    title: 'a project has no rules',
    fill: async () => {},
    read: 'select feature_naming_pattern, feature_naming_example, feature_naming_description, feature_limit from projects',
    after: [[null, null, null, null]],
  },
  {
    migration: '0009-reset-choice',
    title: 'a link for a password ends the personal tokens',
    async fill(look) {
      await user(look, 'admin', { root_role: 1 })
      await put(look, 'reset_tokens', {
        hash: 'h',
        user_id: await userId(look, 'admin'),
        created_by: 'admin',
        created_at: 0,
        expires_at: 1,
      })
    },
    read: 'select ends_tokens from reset_tokens',
    after: [[1]],
  },
  {
    migration: '0023-roles',
    title: 'users are people whom no directory knows, and keep their roles in projects',
    async fill(look) {
      await put(look, 'project_members', {
        user_id: await userId(look, 'admin'),
        project: 'default',
        role_id: 4,
      })
    },
    read: 'select is_service, scim_id, root_role, role_id, m.created_at from users join project_members m on m.user_id = users.id',
    after: [[0, null, 1, 4, null]],
  },
  {
    migration: '0024-single-sign-on',
    title: 'sessions are not of a provider',
    async fill(look) {
      const session = { hash: 'h', user_id: await userId(look, 'admin'), created_at: 0, used_at: 0, expires_at: 1 }
      await put(look, 'sessions', session)
    },
    read: 'select id_token from sessions',
    after: [[null]],
  },
  {
    migration: '0026-project-life',
    title: 'a flag is of the author of its last creation, or of nobody known',
    async fill(look) {
      await flag(look, 'made-twice')
      await event(look, { type: 'feature-created', feature: 'made-twice', by: ['first', 7] })
      await event(look, { type: 'feature-created', feature: 'made-twice', by: ['second', 8] })
      await event(look, { type: 'feature-updated', feature: 'made-twice', by: ['third', 9] })
    },
    read: `select features.name, created_by, created_by_user_id, link_templates from features join projects on projects.id = project
      order by features.name`,
    after: [
      ['made-twice', 'second', 8, '[]'],
      ['old-flag', null, null, '[]'],
    ],
  },
  {
    migration: '0029-scim',
    title: 'everybody may come in as before',
    fill: async () => {},
    read: 'select active from users',
    after: [[1]],
  },
  {
    migration: '0034-undo',
    title: 'events tell nothing for their undoing, and the log misses those before its first',
    fill: async (look) => void (await look.rows("delete from events where created_by = 'first'")),
    read: `select e.undo, s.value from events e left join settings s on s.name = 'eventsRemovedUpTo' limit 1`,
    after: [[null, '1']],
  },
  {
    migration: '0042-own-email',
    title: 'nobody has entered an address',
    fill: async () => {},
    read: 'select own_email from users',
    after: [[0]],
  },
  {
    migration: '0043-role-environments',
    title: 'no permission of a role holds in all environments by choice',
    async fill(look) {
      await put(look, 'role_permissions', { role_id: 2, permission: 'UPDATE_FEATURE_ENVIRONMENT', environment: null })
    },
    read: 'select environment, all_environments from role_permissions',
    after: [[null, 0]],
  },
  {
    migration: '0044-address-verified',
    title: 'addresses of invited people and those that their holders entered are not verified',
    async fill(look) {
      await user(look, 'by-admin', { email: 'a@b.example' })
      await user(look, 'invited', { email: 'c@b.example' })
      await user(look, 'own', { email: 'd@b.example', own_email: 1 })
      const link = { secret: 's', name: 'n', created_by: 'admin', created_at: 0, expires_at: 1, enabled: 1 }
      await put(look, 'invite_links', link)
      const { id } = (await look.row('select id from invite_links')) ?? {}
      await put(look, 'invite_link_users', { link_id: Number(id), user_id: await userId(look, 'invited') })
    },
    read: 'select username, address_verified from users order by username',
    after: [
      ['admin', 1],
      ['by-admin', 1],
      ['invited', 0],
      ['own', 0],
    ],
  },
  {
    migration: '0047-usage-sources',
    title: 'instances of applications with several projects, or none, stay without one',
    async fill(look) {
      for (const name of ['two-projects', 'no-project']) {
        await application(look, name)
        await instance(look, name)
      }
      await reach(look, 'one-project', 'secret')
      await reach(look, 'two-projects', 'secret')
      await reach(look, 'two-projects', 'default')
      await event(look, { type: 'tag-created', data: { type: 'simple', value: 'of-secret' } })
      await event(look, { type: 'feature-tagged', project: 'secret', data: { type: 'simple', value: 'of-secret' } })
      await event(look, { type: 'tag-created', data: { type: 'simple', value: 'of-nobody' } })
    },
    read: `select app_name as what, project from client_instance_projects
      union all select data, project from events where type = 'tag-created' order by 1`,
    after: [
      ['one-project', 'secret'],
      ['{"type":"simple","value":"of-nobody"}', null],
      ['{"type":"simple","value":"of-secret"}', 'secret'],
    ],
  },
  {
    migration: '0048-integration-grants',
    title: 'projects of an integration are granted by its last author, and by nobody without an event',
    async fill(look) {
      await integration(look, 'with author', ['default', 'secret', 'secret'])
      await integration(look, 'without event', ['secret'])
      await integration(look, 'of everything', [])
      const id = await integrationId(look, 'with author')
      await event(look, { type: 'addon-config-created', data: { id }, by: ['maker', 3] })
      await event(look, { type: 'addon-config-updated', data: { id }, by: ['editor', 4] })
      const all = await integrationId(look, 'of everything')
      await event(look, { type: 'addon-config-created', data: { id: all }, by: ['maker', 3] })
    },
    read: `select i.description, g.project, g.granted_by from integrations i
      left join integration_project_grants g on g.integration_id = i.id order by i.description, g.project`,
    after: [
      ['of everything', null, null],
      ['with author', 'default', 4],
      ['with author', 'secret', 4],
      ['without event', null, null],
    ],
  },
  {
    migration: '0064-sealed-invite-links',
    title: 'secrets of invite links wait to be sealed',
    fill: async () => {},
    read: 'select secret, sealed_secret from invite_links',
    after: [['s', null]],
  },
  {
    migration: '0076-epoch-begin',
    title: 'when the epoch began is unknown',
    fill: async () => {},
    read: 'select begun_at from database_epoch',
    after: [[null]],
  },
]
