import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readyPlace } from '../../support/place.ts'
import { addSession, type Role, startServer, type TestServer } from '../scenario.ts'
import { importInto, type UnleashDatabase, unleashDatabase } from './unleash-source.ts'

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
const SHOP = 'shop:production.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const TWO = '[]:production.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'
const EXPIRED = '*:production.cccccccccccccccccccccccccccccccccccccccc'
const FRONT = '*:production.dddddddddddddddddddddddddddddddddddddddd'
const ADMIN = '*:*.eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const EVERY = '*:*.ffffffffffffffffffffffffffffffffffffffff'
const PAT = 'user:0123456789abcdef0123456789abcdef0123456789abcdef01234567'
const PAT_OVER = 'user:ffff456789abcdef0123456789abcdef0123456789abcdef01234567'
const LOGIN = 'POST /auth/simple/login'

/** Read-only database of an old server, and a server on the data imported from it. */
let source: UnleashDatabase
let before: string
let report: Awaited<ReturnType<typeof importInto>>
let server: TestServer

beforeAll(async () => {
  source = await unleashDatabase()
  before = await source.digest()
  const place = await readyPlace()
  report = await importInto({ ...place.options, secretKey: SECRET_KEY }, source.url)
  server = await startServer({ secretKey: SECRET_KEY }, Date.now, { place })
})

afterAll(async () => {
  await server.close()
  await source.remove()
})

const json = async (call: string, as: Role = ADMIN, body?: unknown) => {
  const reply = await server.call({ as, call, ...(body === undefined ? {} : { body }) })
  return { status: reply.statusCode, body: reply.body === '' ? undefined : JSON.parse(reply.body) }
}
/** Returns the download of an SDK that resolves segments by id. */
const downloadOf = async (token: Role) => {
  const reply = await server.call({
    as: token,
    call: 'GET /api/client/features',
    headers: { 'unleash-client-spec': '5.1.0' },
  })
  return JSON.parse(reply.body) as { features: { name: string; [key: string]: unknown }[]; segments: { id: number }[] }
}
const flagsOf = async (token: Role) => (await downloadOf(token)).features

test('nothing is written to the source', async () => {
  expect(await source.digest()).toBe(before)
})

describe('tokens', () => {
  test.each([
    ['one of the oldest form', 'oldplainsecret', 'GET /api/client/features', 200],
    ['one of a project', SHOP, 'GET /api/client/features', 200],
    ['its alias', 'secret-alias-of-shop', 'GET /api/client/features', 200],
    ['one of two projects', TWO, 'GET /api/client/features', 200],
    ['an expired one', EXPIRED, 'GET /api/client/features', 401],
    ['a front-end one', FRONT, 'GET /api/frontend', 200],
    ['the alias of a front-end one', 'front-alias', 'GET /api/frontend', 200],
    ['the alias of a front-end one for backends', 'front-alias', 'GET /api/client/features', 403],
    ['an admin one', ADMIN, 'GET /api/admin/projects', 200],
    ['one of people', PAT, 'GET /api/admin/projects', 200],
    ['an expired one of people', PAT_OVER, 'GET /api/admin/projects', 401],
    ['one of SDKs for all environments', EVERY, 'GET /api/client/features', 401],
    ['nobody’s', 'aliases-are-not-guessed', 'GET /api/client/features', 401],
  ])('%s: %s', async (_name, secret, call, status) => {
    expect((await server.call({ as: secret, call })).statusCode).toBe(status)
  })

  test('retain their projects', async () => {
    expect((await flagsOf(SHOP)).map(({ name }) => name).sort()).toEqual(
      ['child', 'many', 'none-enabled', 'parent', 'without-any'].sort(),
    )
    const listed = (await json('GET /api/admin/api-tokens')).body.tokens as { tokenName: string; projects: string[] }[]
    expect(listed.find(({ tokenName }) => tokenName === 'two')?.projects).toEqual(['default', 'shop'])
    expect(JSON.stringify(listed)).not.toContain('oldplainsecret')
  })

  test('an alias ends with its token', async () => {
    await server.call({ as: ADMIN, call: `DELETE /api/admin/api-tokens/${FRONT}` })
    expect((await server.call({ as: 'front-alias', call: 'GET /api/frontend' })).statusCode).toBe(401)
  })
})

describe('people', () => {
  test.each([
    ['the old password', 'admin', 'Correct-horse-1!', 200],
    ['once more, by the new hash', 'admin', 'Correct-horse-1!', 200],
    ['a wrong password', 'admin', 'Correct-horse-2!', 401],
    ['only the first 72 bytes of the text count', 'long', 'ä'.repeat(36), 200],
    ['no password at all', 'sso@example.com', '', 401],
    ['any password where there was none', 'sso@example.com', 'Correct-horse-1!', 401],
    ['an account of a program', 'service:robot', 'Correct-horse-1!', 401],
    ['an account that was deleted', 'Gone(Deleted)', 'Correct-horse-1!', 401],
  ])('%s', async (_name, username, password, status) => {
    expect((await server.call({ call: LOGIN, body: { username, password } })).statusCode).toBe(status)
  })

  test('a hash is replaced at the first login', async () => {
    const row = await server.db.row('select password_hash as hash from users where id = 1')
    expect(String(row?.hash)).toMatch(/^scrypt\$/)
  })

  test('keep their ids, and those that were deleted are in no list', async () => {
    const { users } = (await json('GET /api/admin/user-admin')).body as { users: { id: number; rootRole: number }[] }
    const own = users.filter(({ id }) => id <= 17).map(({ id, rootRole }) => [id, rootRole])
    expect(own).toEqual(
      expect.arrayContaining([
        [1, 1],
        [3, 2],
        [5, 3],
      ]),
    )
    expect(own.map(([id]) => id)).not.toContain(8)
    // new users get ids above those of all imported users
    expect(Math.min(...users.map(({ id }) => id).filter((id) => id > 17))).toBeGreaterThan(17)
  })

  test('keep how the provider of identities knows them', async () => {
    const row = await server.db.row('select scim_external_id as id from users where id = 5')
    expect(row?.id).toBe('ext-5')
  })

  test('a root role that stands with a project is no membership of it', async () => {
    const rows = await server.db.rows(
      'select m.project, m.user_id, r.name from project_members m join roles r on r.id = m.role_id order by 2, 3',
    )
    expect(rows.map(({ project, user_id, name }) => [project, Number(user_id), name])).toEqual([
      ['shop', 1, 'Owner'],
      ['shop', 3, 'Member'],
      ['shop', 3, 'Releaser'],
    ])
  })

  test('roles of the installation’s own and groups come along', async () => {
    const roles = await server.db.rows(
      "select r.name, r.type, p.permission, p.environment from roles r left join role_permissions p on p.role_id = r.id where r.type like '%custom' order by 1",
    )
    expect(roles.map(({ name, type, permission, environment }) => [name, type, permission, environment])).toEqual([
      ['Auditor', 'root-custom', 'READ_ROLE', null],
      ['Releaser', 'custom', 'UPDATE_FEATURE_ENVIRONMENT', 'production'],
    ])
    // a permission is omitted and reported if it names no environment in the source, or would grant more here than in
    // the source
    const lost = report.notes.filter(({ kind }) => kind === 'role').map(({ name, words }) => `${name}: ${words}`)
    expect(lost).toEqual([
      'Releaser: these permissions do not exist here: SOMETHING_UNKNOWN, UPDATE_PROJECT',
      expect.stringMatching(
        /^Releaser: the source names no environment for these permissions.*: CREATE_FEATURE_STRATEGY$/,
      ),
      'Auditor: these permissions do not exist here: ADMIN',
    ])
    const groups = await server.db.rows(
      'select g.name, g.root_role, m.user_id, p.project from groups g join group_members m on m.group_id = g.id join project_groups p on p.group_id = g.id',
    )
    expect(groups).toEqual([expect.objectContaining({ name: 'Team', root_role: 2, user_id: 5, project: 'shop' })])
  })

  test('links for new people work', async () => {
    expect((await server.call({ call: 'GET /invite/invite-secret/validate' })).statusCode).toBe(200)
  })
})

describe('flags', () => {
  const F = '/api/admin/projects'

  test('a name that could not be given today, in the environment "default"', async () => {
    const url = `${F}/default/features/${encodeURIComponent('old flag with blanks')}`
    const { environments } = (await json(`GET ${url}`)).body
    expect(environments.find(({ name }: { name: string }) => name === 'default')).toMatchObject({ enabled: true })
  })

  test('an archived one stays so, and comes back switched off, with its strategies', async () => {
    expect((await json(`GET ${F}/default/features/gone/overview`)).body).toMatchObject({ archived: true })
    expect((await server.call({ as: ADMIN, call: 'POST /api/admin/archive/revive/gone' })).statusCode).toBe(200)
    const { environments } = (await json(`GET ${F}/default/features/gone`)).body
    const [place] = environments.filter(({ name }: { name: string }) => name === 'default')
    expect(place).toMatchObject({ enabled: false, strategies: [{ name: 'default' }] })
  })

  test('SDKs get what they got', async () => {
    const flags = new Map((await flagsOf(SHOP)).map((flag) => [flag.name, flag]))
    expect(flags.get('parent')).toMatchObject({
      enabled: true,
      impressionData: true,
      strategies: [
        {
          name: 'flexibleRollout',
          parameters: { rollout: '50', stickiness: 'userId', groupId: 'parent', sticky: 'true' },
          constraints: [],
        },
      ],
    })
    expect(flags.get('child')).toMatchObject({
      enabled: true,
      type: 'kill-switch-of-old',
      dependencies: [{ feature: 'parent' }],
      strategies: [{ constraints: [{ contextName: 'userId', operator: 'NUM_GT', value: '10' }] }],
    })
    expect(flags.get('many')).toMatchObject({
      variants: [
        { name: 'a', weight: 30, overrides: [{ contextName: 'userId', values: ['7'] }], payload: { type: 'json' } },
        { name: 'b', weight: 30 },
      ],
      // if sort orders are equal, the older strategy comes first
      strategies: [
        { name: 'default', segments: [7, 40] },
        { name: 'gradualRolloutUserId', parameters: { percentage: '10' } },
      ],
    })
  })

  test('a flag without an enabled strategy stays on for everyone by an explicit one, and the report names it', async () => {
    const flags = new Map((await flagsOf(SHOP)).map((flag) => [flag.name, flag]))
    for (const name of ['none-enabled', 'without-any']) {
      expect(flags.get(name)).toMatchObject({ enabled: true, strategies: [{ name: 'default', constraints: [] }] })
    }
    const { environments } = (await json(`GET ${F}/shop/features/none-enabled`)).body
    const [place] = environments.filter(({ name }: { name: string }) => name === 'production')
    expect(place.strategies.map(({ disabled }: { disabled: boolean }) => disabled)).toEqual([true, false])
    const named = report.notes.filter(({ words }) => words.includes('stays on for everyone'))
    expect(named.map(({ name, fidelity }) => [name, fidelity])).toEqual([
      ['none-enabled in production', 'exact'],
      ['without-any in production', 'exact'],
    ])
  })

  test('unreadable constraints close the strategy instead of opening it', async () => {
    const { environments } = (await json(`GET ${F}/shop/features/parent`)).body
    const [place] = environments.filter(({ name }: { name: string }) => name === 'development')
    expect(place.strategies).toMatchObject([{ constraints: [{ contextName: 'userId', operator: 'IN', values: [] }] }])
    const told = report.notes.find(({ name }) => name === 'parent in development')
    expect(told).toMatchObject({ fidelity: 'approximated', words: expect.stringMatching(/matches no one here/) })
  })

  test('segments keep their ids, and the next one is numbered above them', async () => {
    const { segments } = await downloadOf(SHOP)
    expect(segments.map(({ id }) => id)).toEqual([7, 40])
    const made = await json('POST /api/admin/segments', ADMIN, { name: 'next', constraints: [] })
    expect(made).toMatchObject({ status: 201, body: { id: 41 } })
  })

  test('projects keep how they are', async () => {
    expect((await json(`GET ${F}/shop/overview`)).body).toMatchObject({
      mode: 'protected',
      defaultStickiness: 'userId',
      environments: [
        { environment: 'development' },
        { environment: 'production', defaultStrategy: { parameters: { rollout: '25' }, segments: [7] } },
      ],
    })
  })

  test('context fields, types, tags and favourites', async () => {
    const fields = (await json('GET /api/admin/context')).body as { name: string }[]
    expect(fields.find(({ name }) => name === 'region')).toMatchObject({
      stickiness: true,
      legalValues: [{ value: 'eu', description: 'Europe' }, { value: 'us' }],
    })
    expect(fields.find(({ name }) => name === 'old')).toMatchObject({ description: null, legalValues: [] })
    expect((await json('GET /api/admin/strategies/byShop')).body).toMatchObject({ editable: true })
    expect((await json('GET /api/admin/feature-types')).body.types).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: 'release', lifetimeDays: 30 })]),
    )
    expect((await json('GET /api/admin/features/parent/tags')).body.tags).toContainEqual({
      type: 'simple',
      value: 'long'.repeat(20),
    })
    await addSession(server.db, 'editor', 1, Date.now())
    expect((await json(`GET ${F}/shop/features/parent`, 'editor')).body).toMatchObject({ favorite: true })
  })

  test('when SDKs asked last is the newest of three places', async () => {
    const { environments } = (await json(`GET ${F}/shop/features/parent`)).body
    const [place] = environments.filter(({ name }: { name: string }) => name === 'production')
    expect(place.lastSeenAt).toBe('2024-01-01T00:00:00.000Z')
  })
})

describe('surroundings', () => {
  test('an integration has its secret, and receives no past events', async () => {
    const { addons } = (await json('GET /api/admin/addons')).body
    expect(addons).toMatchObject([{ provider: 'webhook', enabled: true, projects: [], environments: ['production'] }])
    expect(addons[0].parameters).toEqual({ url: '*****', authorization: '*****' })
    const [row] = await server.db.rows('select seen_event_id as seen from integrations')
    expect(Number(row?.seen)).toBeGreaterThanOrEqual(900)
    expect(await server.db.rows('select event_id from integration_deliveries')).toEqual([])
  })

  test('web pages may call from where they could', async () => {
    expect((await json('GET /api/admin/ui-config')).body.frontendApiOrigins).toEqual(['https://shop.example.com'])
  })

  test('applications and counts', async () => {
    expect((await json('GET /api/admin/metrics/applications/web')).body).toMatchObject({ description: 'The shop' })
    const { data } = (await json('GET /api/admin/client-metrics/features/parent/raw')).body
    expect(data).toMatchObject([{ appName: 'web', yes: 5, no: 6, variants: { v: 5 } }])
  })
})

describe('history', () => {
  test('retains its ids, and continues above them', async () => {
    const rows = await server.db.rows(
      'select id, type, created_by as who, feature_name as flag, project from events order by id',
    )
    expect(rows.slice(0, 4).map(({ id, type, who, flag, project }) => [Number(id), type, who, flag, project])).toEqual([
      [1, 'feature-created', 'migration', 'parent', 'shop'],
      [5, 'segment-created', 'admin', null, 'no-project'],
      [900, 'feature-updated', 'Gone', 'parent', 'shop'],
      [901, 'instance-imported', 'burgee import', null, null],
    ])
  })

  test('retains the tags of events that are texts', async () => {
    const rows = await server.db.rows('select id, tags from events where id < 901 order by id')
    expect(rows.map(({ id, tags }) => [Number(id), JSON.parse(String(tags))])).toEqual([
      [1, [{ type: 'team', value: 'y' }]],
      [5, []],
      [900, [{ type: 'team', value: 'x' }]],
    ])
  })

  test('the import is an event with counts and without secrets', async () => {
    const { events } = (await json('GET /api/admin/events?type=instance-imported')).body
    const [imported] = events
    expect(imported.data).toMatchObject({
      source: 'Unleash database',
      mode: 'fresh',
      counts: { flag: 7, token: 6, user: 4 },
    })
    expect(JSON.stringify(imported)).not.toMatch(/secret|hidden|aaaaaaaa/)
  })
})

test('the report names what was not carried over, and contains no secret', () => {
  const told = report.notes
    .filter(({ fidelity }) => fidelity === 'not carried')
    .map(({ kind, name }) => `${kind} ${name}`)
  expect(told).toEqual([
    'token every',
    'other banners (1)',
    'other reset_tokens (1)',
    'other login_history (2)',
    'user 1 deleted',
    'setting login_history_retention',
    'setting maintenance.mode',
    'setting unleash.enterprise.auth.oidc',
    'integration slack-app (3)',
  ])
  expect(report.notes.find(({ name }) => name === 'expired')).toMatchObject({ kind: 'token', fidelity: 'exact' })
  expect(report.notes.find(({ name }) => name === 'europeans (40)')).toMatchObject({ fidelity: 'approximated' })
  expect(JSON.stringify(report)).not.toMatch(/hidden|aaaaaaaa|oldplainsecret|\$2b\$|invite-secret/)
})
