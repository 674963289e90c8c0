import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmptyPlace, readyPlace } from '../../support/place.ts'
import { freshDatabase } from '../../support/postgres.ts'
import type { TestDatabase } from '../../support/test-database.ts'
import { startServer, TOKENS } from '../scenario.ts'
import { importInto, type UnleashDatabase, unleashDatabase } from './unleash-source.ts'

const ADMIN = '*:*.eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const DAY_MS = 86_400_000
const KEY = { secretKey: Buffer.alloc(32, 7).toString('base64') }

/** Removes all users but the first administrator. */
const WITHOUT_OTHERS = "delete from users where username in ('editor', 'viewer')"
/** Removes all users, for a source without users. */
const NOBODY = 'truncate users cascade'

let source: UnleashDatabase

beforeAll(async () => {
  source = await unleashDatabase()
})

afterAll(() => source.remove())

/** Returns the number of rows in the main tables of a target. */
async function contentOf(place: EmptyPlace): Promise<Record<string, number>> {
  const db = await place.look()
  const tables = ['features', 'feature_strategies', 'segments', 'users', 'api_tokens', 'events', 'environments']
  const counts = await Promise.all(tables.map((table) => db.row(`select count(*) as n from ${table}`)))
  await db.close()
  return Object.fromEntries(tables.map((table, index) => [table, Number(counts[index]?.n)]))
}

async function looking<T>(place: EmptyPlace, look: (db: TestDatabase) => Promise<T>): Promise<T> {
  const db = await place.look()
  try {
    return await look(db)
  } finally {
    await db.close()
  }
}

describe('a dry run', () => {
  test('reports what the import reports, and writes nothing', async () => {
    const place = await readyPlace()
    const started = await startServer({}, Date.now, { place: { ...place, remove: async () => {} } })
    await started.db.rows(WITHOUT_OTHERS)
    await started.close()
    const before = await contentOf(place)
    const trial = await importInto(place.options, source.url, { isTrial: true })
    expect(await contentOf(place)).toEqual(before)
    const report = await importInto(place.options, source.url)
    expect(trial.counts).toEqual(report.counts)
    await place.remove()
  })

  test('makes no database where there is none', async () => {
    const dataDir = join(tmpdir(), `burgee-none-${process.pid}`)
    const trial = await importInto({ dataDir }, source.url, { isTrial: true })
    expect(trial.counts.find(({ kind }) => kind === 'flag')).toEqual({
      kind: 'flag',
      found: 7,
      imported: 7,
      skipped: 0,
    })
    expect(existsSync(dataDir)).toBe(false)
  })
})

describe('a target where a server has been', () => {
  test('its first administrator gives way, its tokens stay, its history comes behind', async () => {
    const place = await readyPlace()
    const before = await startServer({}, Date.now, { place: { ...place, remove: async () => {} } })
    await before.db.rows(WITHOUT_OTHERS)
    await before.close()
    await importInto(place.options, source.url)
    const server = await startServer({}, Date.now, { place })
    for (const token of [TOKENS.admin, ADMIN]) {
      expect((await server.call({ as: token, call: 'GET /api/admin/projects' })).statusCode).toBe(200)
    }
    const rows = await server.db.rows('select id, type from events order by id')
    const told = rows.map(({ id, type }) => `${id} ${type}`)
    expect(told.slice(0, 4)).toEqual([
      '1 feature-created',
      '5 segment-created',
      '900 feature-updated',
      '901 user-created',
    ])
    expect(told.at(-1)).toMatch(/^9\d\d instance-imported$/)
    await server.close()
  })
})

describe('a second run', () => {
  test('fails, and names the modes', async () => {
    const place = await readyPlace()
    await importInto(place.options, source.url)
    const before = await contentOf(place)
    await expect(importInto(place.options, source.url)).rejects.toThrow(
      /not empty: there are 7 flags.*--update.*--merge/,
    )
    expect(await contentOf(place)).toEqual(before)
    await place.remove()
  })

  test('--update applies changes, removes what is gone, and copies only new history', async () => {
    const own = await unleashDatabase()
    const place = await readyPlace()
    await importInto(place.options, own.url)
    await own.run("update features set description = 'now' where name = 'many'")
    await own.run(
      "delete from features where name = 'none-enabled'; delete from feature_environments where feature_name = 'none-enabled'",
    )
    await own.run(
      "insert into events (id, created_at, type, created_by, data, tags) values (901, now(), 'feature-deleted', 'admin', '{}', '[]')",
    )
    const report = await importInto(place.options, own.url, { mode: 'update' })
    expect(report.counts.find(({ kind }) => kind === 'event')).toMatchObject({ found: 1, imported: 1 })
    await looking(place, async (db) => {
      expect(await db.rows("select name, description from features where name in ('many', 'none-enabled')")).toEqual([
        { name: 'many', description: 'now' },
      ])
      const events = await db.rows('select id, type from events where id > 899 order by id')
      expect(events.map(({ id, type }) => `${id} ${type}`)).toEqual([
        '900 feature-updated',
        '901 feature-deleted',
        '902 instance-imported',
        '903 instance-imported',
      ])
    })
    await own.remove()
    await place.remove()
  })

  test('--update fails after a change in the target', async () => {
    const place = await readyPlace()
    await importInto(place.options, source.url)
    const server = await startServer({}, Date.now, { place: { ...place, remove: async () => {} } })
    await server.call({ as: ADMIN, call: 'POST /api/admin/segments', body: { name: 'mine', constraints: [] } })
    await server.close()
    await expect(importInto(place.options, source.url, { mode: 'update' })).rejects.toThrow(
      /changes were made here.*segment-created by admin/,
    )
    await place.remove()
  })

  test('--update fails for another source, and without an earlier import', async () => {
    const other = await unleashDatabase()
    await other.run(`update settings set content = '{"id":"another"}' where name = 'instanceInfo'`)
    const place = await readyPlace()
    await expect(importInto(place.options, source.url, { mode: 'update' })).rejects.toThrow(
      /Nothing was imported into this target/,
    )
    await importInto(place.options, source.url)
    await expect(importInto(place.options, other.url, { mode: 'update' })).rejects.toThrow(/another source/)
    await other.remove()
    await place.remove()
  })
})

test('--merge adds what is missing, and leaves what is there', async () => {
  const place = await readyPlace()
  const before = await startServer(KEY, Date.now, { place: { ...place, remove: async () => {} } })
  await before.admin('POST /api/admin/projects', { id: 'shop', name: 'Mine' })
  await before.admin('POST /api/admin/projects/shop/features', { name: 'parent', description: 'mine' })
  await before.admin('DELETE /api/admin/projects/shop/features/parent')
  await before.admin('POST /api/admin/segments', { name: 'europeans', constraints: [] })
  const hook = { provider: 'webhook', enabled: true, events: ['feature-created'], description: 'ours' }
  await before.admin('POST /api/admin/addons', { ...hook, parameters: { url: 'https://hooks.example.com/ours' } })
  await before.db.rows(WITHOUT_OTHERS)
  await before.close()
  const report = await importInto({ ...place.options, ...KEY }, source.url, { mode: 'merge' })
  expect(report.notes).toContainEqual(
    expect.objectContaining({ kind: 'flag', name: 'parent', fidelity: 'not carried' }),
  )
  const server = await startServer(KEY, Date.now, { place })
  const flags = await server.db.rows('select name, description from features order by name')
  expect(flags.find(({ name }) => name === 'parent')).toMatchObject({ description: 'mine' })
  expect(flags).toHaveLength(7)
  // flags that depend on an archived flag are off, and deleting the parent must not enable them
  expect(report.notes).toContainEqual(
    expect.objectContaining({ name: 'child', words: expect.stringContaining('its parent is archived') }),
  )
  const child = await server.admin('GET /api/admin/projects/shop/features/child')
  expect(child.dependencies).toMatchObject([{ feature: 'parent' }])
  expect(child.environments.map(({ enabled }: { enabled: boolean }) => enabled)).not.toContain(true)
  const last = await server.lastEventId()
  for (const call of ['DELETE /api/admin/archive/parent', 'POST /api/admin/projects/shop/delete']) {
    const reply = await server.call({ as: 'admin', call, body: { features: ['parent'] } })
    expect([reply.statusCode, reply.body]).toEqual([403, expect.stringContaining('child')])
  }
  expect(await server.eventsAfter(last)).toEqual([])
  // the target's segment with the same name matches everyone, so references must point to the imported segment
  const links = await server.db.rows(
    "select segment_id as id from feature_strategy_segments where strategy_id = 's-many-1'",
  )
  expect(links.map(({ id }) => Number(id))).toEqual([7, 40])
  // imported old events must not be delivered to integrations
  const old = await server.db.row("select max(id) as id from events where created_by = 'Gone'")
  const ours = await server.db.row("select seen_event_id as seen from integrations where description = 'ours'")
  expect(Number(ours?.seen)).toBeGreaterThanOrEqual(Number(old?.id))
  const [first] = await server.db.rows('select type from events order by id limit 1')
  expect(first).toEqual({ type: 'user-created' })
  expect((await server.call({ as: 'oldplainsecret', call: 'GET /api/client/features' })).statusCode).toBe(200)
  await server.close()
})

test('--merge after an import: no update takes away what was there', async () => {
  const place = await readyPlace()
  await importInto(place.options, source.url)
  await looking(place, (db) => db.rows("update features set description = 'mine' where name = 'many'"))
  await importInto(place.options, source.url, { mode: 'merge' })
  const before = await contentOf(place)
  await expect(importInto(place.options, source.url, { mode: 'update' })).rejects.toThrow(/--merge has added to it/)
  expect(await contentOf(place)).toEqual(before)
  await place.remove()
})

test('a source without people: those that are here stay, and may log in', async () => {
  const [own, place] = [await unleashDatabase(), await readyPlace()]
  await own.run(NOBODY)
  const before = await startServer({}, Date.now, { place: { ...place, remove: async () => {} } })
  await before.db.rows(WITHOUT_OTHERS)
  await before.close()
  for (const mode of ['fresh', 'update'] as const) {
    await importInto(place.options, own.url, { mode })
    await looking(place, async (db) => {
      expect(await db.rows('select username from users')).toEqual([{ username: 'admin' }])
      expect(await db.rows("select name from settings where name = 'firstAdmin'")).toHaveLength(1)
    })
  }
  await own.remove()
  await place.remove()
})

test.each([
  ['users other than the first administrator', 'select 1'],
  ['1 groups', "insert into groups (name, mappings_sso, created_by, created_at) values ('mine', '[]', 'me', 1)"],
  ['1 custom roles', "insert into roles (name, description, type) values ('mine', '', 'custom')"],
  [
    '1 custom environments',
    "insert into environments (name, type, enabled, sort_order, protected) values ('mine', 'test', 1, 9, 0)",
  ],
  ['1 custom tag types', "insert into tag_types (name) values ('mine')"],
  [
    '1 change-request settings',
    "insert into change_request_settings (project, environment, enabled, required_approvals) values ('default', 'production', 1, 1)",
  ],
])('a fresh import is refused where there are %s', async (what, made) => {
  const place = await readyPlace()
  const server = await startServer({}, Date.now, { place: { ...place, remove: async () => {} } })
  if (made !== 'select 1') await server.db.rows(WITHOUT_OTHERS)
  await server.db.rows(made)
  await server.close()
  await expect(importInto(place.options, source.url)).rejects.toThrow(what)
  await place.remove()
})

test.each([
  ['single sign-on', 'user-created'],
  ['system', 'public-signup-token-user-added'],
  ['burgee reset-password (command line)', 'user-updated'],
])('--update is refused after %s: %s', async (by, type) => {
  const place = await readyPlace()
  await importInto(place.options, source.url)
  await looking(place, (db) =>
    db.rows(
      `insert into events (type, created_by, created_by_user_id, created_at, tags) values ('${type}', '${by}', -1337, 1, '[]')`,
    ),
  )
  await expect(importInto(place.options, source.url, { mode: 'update' })).rejects.toThrow(`${type} by ${by}`)
  await place.remove()
})

test('--merge: personal tokens and project roles of a namesake are not given to existing users', async () => {
  const [own, place] = [await unleashDatabase(), await readyPlace()]
  const before = await startServer({}, Date.now, { place: { ...place, remove: async () => {} } })
  await before.db.rows("update users set email = 'other@here.example' where username = 'admin'")
  await before.close()
  const report = await importInto(place.options, own.url, { mode: 'merge' })
  const lost = report.notes.filter(({ kind, words }) => kind === 'personal token' && /must not act for/.test(words))
  expect(lost).not.toHaveLength(0)
  await looking(place, async (db) => {
    expect(
      await db.rows("select t.hash from personal_tokens t join users u on u.id = t.user_id where u.username = 'admin'"),
    ).toEqual([])
  })
  await own.remove()
  await place.remove()
})

describe('history', () => {
  test.each([
    ['none', undefined, [], 901],
    [{ since: Date.now() - 5 * DAY_MS }, { kind: 'event', found: 3, imported: 1, skipped: 2 }, [900], 901],
  ] as const)('%j: the next event is numbered above those that stay behind', async (events, counted, ids, next) => {
    const place = await readyPlace()
    const report = await importInto(place.options, source.url, { events })
    expect(report.counts.find(({ kind }) => kind === 'event')).toEqual(counted)
    await looking(place, async (db) => {
      const rows = await db.rows('select id from events order by id')
      expect(rows.map(({ id }) => Number(id))).toEqual([...ids, next])
    })
    await place.remove()
  })
})

describe('a source that cannot be read', () => {
  const words = (url: string, schema?: string) =>
    importInto({ dataDir: join(tmpdir(), 'burgee-never') }, url, {
      isTrial: true,
      ...(schema === undefined ? {} : { schema }),
    })

  test('causes an error without its password if it is unreachable', async () => {
    await expect(words('postgres://reader:hidden@127.0.0.1:1/unleash')).rejects.toThrow(
      /^(?!.*hidden)Cannot read the source: /,
    )
  })

  test('has its tables in another schema', async () => {
    await expect(words(source.url, 'flags')).rejects.toThrow('there are such tables in "public": set it with --schema')
  })

  test('must not be of version 4', async () => {
    const old = await unleashDatabase(false)
    await old.run('alter table segments drop column segment_project_id')
    await expect(words(old.url)).rejects.toThrow(/version 4 or older.*segments\.segment_project_id/)
    await old.remove()
  })

  test('must be an Unleash database', async () => {
    const { url, remove } = await freshDatabase()
    await expect(words(url)).rejects.toThrow(/no visible schema has them/)
    await remove()
  })

  test('lacks what later versions have brought: that is empty', async () => {
    const early = await unleashDatabase()
    await early.run(
      'drop table dependent_features, feature_lifecycles, last_seen_at_metrics, groups, group_user, group_role',
    )
    await early.run('alter table api_tokens drop column alias')
    await early.run('drop table client_metrics_env_variants, addons, public_signup_tokens, client_applications')
    await early.run('alter table users drop column scim_external_id, drop column image_url, drop column is_system')
    const trial = await words(early.url)
    expect(trial.counts.find(({ kind }) => kind === 'flag')).toMatchObject({ imported: 7 })
    expect(trial.counts.map(({ kind }) => kind)).not.toContain('group')
    await early.remove()
  })

  test('has more than is known, and lacks what was dead: as later versions', async () => {
    const late = await unleashDatabase()
    await late.run('alter table features drop column variants, drop column archived, drop column last_seen_at')
    await late.run('alter table feature_environments drop column last_seen_at')
    await late.run('alter table feature_strategies add column milestone_id text, add column created_by_user_id int')
    await late.run('alter table features add column archived_by text, alter column type type varchar(60)')
    await late.run('create table release_plans (id text); create table unknown_flags (name text)')
    await late.run('alter table projects add column archived_at timestamptz')
    const [before, now] = [await words(source.url), await words(late.url)]
    expect(now).toEqual(before)
    await late.remove()
  })
})
