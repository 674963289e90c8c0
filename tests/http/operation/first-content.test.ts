import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { createServer } from '@burgee/server'
import { afterAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { temporaryFolder } from '../../support/burgee.ts'
import { CHEAP } from '../../support/password-cost.ts'
import { type EmptyPlace, readyPlace } from '../../support/place.ts'
import { optionsOf, startServer } from '../scenario.ts'

/** Initial content of a new database, and which environments are enabled after each start. */
const places: EmptyPlace[] = []
const folder = temporaryFolder()
afterAll(async () => {
  await Promise.all(places.map((place) => place.remove()))
  folder.remove()
})

async function place(): Promise<EmptyPlace> {
  const made = await readyPlace()
  places.push(made)
  return made
}
let files = 0
const fileOf = (text: string): string => {
  const path = join(folder.path, `document-${files++}`)
  writeFileSync(path, text)
  return path
}

async function start(given: object, logged: string[] = [], onQuery?: (sql: string) => void) {
  const warned: string[] = []
  const logger = {
    ...SILENT,
    info: (line: string) => void logged.push(line),
    warn: (line: string) => void warned.push(line),
    error: (line: string) => void logged.push(line),
  }
  const options = optionsOf({ port: 0, keepDocuments: false, defaultAdminPassword: 'a good password', ...given })
  const server = await createServer({
    options,
    clock: Date.now,
    monotonic: PROCESS_CLOCK,
    random: randomBytes,
    logger,
    passwordCost: CHEAP,
    ...(onQuery === undefined ? {} : { onQuery }),
  })
  return { server, warned: warned.filter((line) => !line.includes('was accessible to other users')) }
}

const DOCUMENT = {
  version: 4,
  environments: [{ name: 'staging', type: 'test', sortOrder: 5 }],
  projects: [{ id: 'shop', name: 'Shop' }],
  features: [{ name: 'f1', project: 'shop' }],
  featureStrategies: [
    { featureName: 'f1', environment: 'staging', strategyName: 'flexibleRollout', parameters: { rollout: '5' } },
  ],
  featureEnvironments: [{ featureName: 'f1', environment: 'staging', enabled: true }],
}
const TOKEN = `shop:staging.${randomBytes(16).toString('hex')}`

describe('a new database', () => {
  test('lets an import on PostgreSQL compute for minutes between two statements', async () => {
    const { options } = await place()
    const queries: string[] = []
    const file = fileOf(JSON.stringify(DOCUMENT))
    const { server } = await start({ ...options, importFile: file }, [], (sql) => void queries.push(sql))
    await server.close()
    const settings = queries.filter((sql) => sql.includes('idle_in_transaction_session_timeout = 600000'))
    expect(settings).toHaveLength('databaseUrl' in options ? 1 : 0)
  })

  test.each([
    ['JSON', JSON.stringify(DOCUMENT)],
    ['YAML', stringify(DOCUMENT)],
    ['JSON above the limit of requests', `${JSON.stringify(DOCUMENT)}${' '.repeat(17 * 1024 * 1024)}`],
  ])('begins with a file of %s, once, with tokens for what it brings', async (_kind, text) => {
    const { options, look } = await place()
    const given = { ...options, importFile: fileOf(text), initClientApiTokens: [TOKEN] }
    const first = await start(given)
    const { features } = await first.server
      .features({ environment: 'staging', projects: ['shop'] })
      .then((one) => one.document)
    expect(features).toMatchObject([{ name: 'f1', enabled: true, strategies: [{ parameters: { rollout: '5' } }] }])
    await first.server.close()
    const db = await look()
    const types = async () => (await db.rows('select type, created_by from events order by id')).map(({ type }) => type)
    const made = await types()
    expect(made).toEqual(
      expect.arrayContaining(['user-created', 'environment-created', 'project-created', 'feature-created']),
    )
    expect(made.at(-1)).toBe('api-token-created')
    expect(await db.rows("select 1 from events where created_by <> 'system'")).toEqual([])
    const again = await start(given)
    expect([again.warned, again.server.isNew]).toEqual([[], false])
    await again.server.close()
    expect(await types()).toEqual(made)
    await db.close()
  })

  test.each([
    ['that is not there', () => '/nowhere', /^IMPORT_FILE: cannot read the file \(ENOENT\)$/],
    ['that is neither JSON nor YAML', () => fileOf('{"a": [}'), /^IMPORT_FILE: The document is neither JSON nor YAML/],
    ['that is no document', () => fileOf('features: 7'), /^IMPORT_FILE: document\/features /],
    [
      'with a project that is not there',
      () => fileOf('features: [{name: a, project: mars}]'),
      /IMPORT_FILE: There is no project "mars"/,
    ],
    [
      'with segments that only SDKs know, of version 2',
      () =>
        fileOf(
          '{"version":2,"features":[{"name":"a","enabled":true,"strategies":[{"name":"default","segments":[1]}]}]}',
        ),
      /^IMPORT_FILE: .*\bsegments\b/,
    ],
    [
      'with dependencies that the format does not have',
      () => fileOf('{"version":1,"features":[{"name":"a","enabled":true,"dependencies":[{"feature":"b"}]}]}'),
      /^IMPORT_FILE: .*\bdependencies\b/,
    ],
    [
      'with segments at strategies, of version 4',
      () =>
        fileOf(
          '{"version":4,"features":[{"name":"a"}],"featureStrategies":[{"featureName":"a","environment":"production","strategyName":"default","segments":[1]}]}',
        ),
      /^IMPORT_FILE: .*\bsegments\b/,
    ],
    [
      'that means one thing too often',
      () => fileOf(`a: &a [x]\nb: [${'*a,'.repeat(200)}]`),
      /^IMPORT_FILE: The document is neither/,
    ],
  ])('does not begin with a file %s, and is as new as before', async (_name, file, message) => {
    const { options } = await place()
    await expect(start({ ...options, importFile: file() })).rejects.toThrow(message)
    const { server } = await start(options)
    expect(server.isNew).toBe(true)
    await server.close()
  })

  test('logs the flag at which the database failed, and stays as new as before', async () => {
    const { options, look } = await place()
    const db = await look()
    await db.rows('create unique index one_flag_per_project on features (project)')
    const logged: string[] = []
    const importFile = fileOf(JSON.stringify({ version: 4, features: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }))
    await expect(start({ ...options, importFile }, logged)).rejects.toThrow(/unique/i)
    expect(logged).toContainEqual(expect.stringMatching(/^IMPORT_FILE: stopped at flag "[bc]", [23] of 3. Nothing was/))
    expect(await db.rows('select name from features')).toEqual([])
    await db.rows('drop index one_flag_per_project')
    await db.close()
    const { server } = await start({ ...options, importFile })
    expect(server.isNew).toBe(true)
    await server.close()
  })

  test('begins with an export of the flags of one environment', async () => {
    const { options } = await place()
    const data = {
      features: [{ name: 'parent' }, { name: 'child' }],
      featureStrategies: [
        { featureName: 'parent', name: 'flexibleRollout', parameters: { rollout: '5' } },
        { featureName: 'child', name: 'default' },
      ],
      featureEnvironments: [
        { featureName: 'parent', environment: 'elsewhere', enabled: true },
        { featureName: 'child', environment: 'elsewhere', enabled: true },
      ],
      dependencies: [{ feature: 'child', dependencies: [{ feature: 'parent' }] }],
      tagTypes: [],
    }
    const importFile = fileOf(JSON.stringify(data))
    const { server } = await start({ ...options, importFile, importEnvironment: 'production' })
    const { document } = await server.features({ environment: 'production', projects: ['default'] })
    expect(document.features).toMatchObject([
      { name: 'child', enabled: true, dependencies: [{ feature: 'parent' }] },
      { name: 'parent', enabled: true, strategies: [{ parameters: { rollout: '5' } }] },
    ])
    await server.close()
  })

  test.each([
    [{ importProject: 'shop' }, 'IMPORT_PROJECT has no effect without IMPORT_ENVIRONMENT'],
    [{ importEnvironment: 'production' }, 'IMPORT_ENVIRONMENT has no effect without IMPORT_FILE'],
  ])('does not begin with %j alone', async (given, message) => {
    const { options } = await place()
    await expect(start({ ...options, ...given })).rejects.toThrow(message)
  })

  test('takes a document that is longer than a request may be', async () => {
    const { options } = await place()
    const description = 'x'.repeat(5000)
    const features = Array.from({ length: 3600 }, (_, index) => ({ name: `f${index}`, description }))
    const importFile = fileOf(JSON.stringify({ version: 4, features }))
    const { server } = await start({ ...options, importFile })
    const { document } = await server.features({ environment: 'production', projects: ['default'] })
    expect(document.features).toHaveLength(3600)
    await server.close()
  }, 120_000)

  test.each([
    [true, ['team']],
    [false, ['simple', 'team']],
  ])('drops existing content for the document only if the option is set: %s', async (importDropBeforeImport, names) => {
    const { options, look } = await place()
    const importFile = fileOf('tagTypes: [{name: team}]')
    await (await start({ ...options, importFile, importDropBeforeImport })).server.close()
    const db = await look()
    expect((await db.rows('select name from tag_types order by name')).map(({ name }) => name)).toEqual(names)
    await db.close()
  })
})

test('a file for a database that is not new is warned of, unless it began with it or the file is gone', async () => {
  const { options } = await place()
  await (await start(options)).server.close()
  const late = await start({ ...options, importFile: fileOf('features: [{name: late}]') })
  expect(late.warned).toEqual([expect.stringMatching(/^IMPORT_FILE has no effect: it is read only at the first start/)])
  const { document } = await late.server.features({ environment: 'development', projects: ['*'] })
  expect(document.features).toEqual([])
  await late.server.close()
  const gone = await start({ ...options, importFile: '/nowhere' })
  expect(gone.warned).toEqual([])
  await gone.server.close()
})

test('environments that are named are on after each start, all others off; flags stay as they are', async () => {
  const { options, look } = await place()
  const first = await start({ ...options, enabledEnvironments: ['production', 'mars'] })
  expect(first.warned).toEqual([
    'ENABLED_ENVIRONMENTS names unknown environments: mars. There are development, production',
  ])
  await first.server.close()
  const db = await look()
  const enabled = async () => (await db.rows('select name from environments where enabled = 1')).map(({ name }) => name)
  const count = async () =>
    Number((await db.row("select count(*) as n from events where type = 'environment-updated'"))?.n)
  expect([await enabled(), await count()]).toEqual([['production'], 1])
  await (await start({ ...options, enabledEnvironments: ['production'] })).server.close()
  expect(await count()).toBe(1)
  await (await start({ ...options, enabledEnvironments: ['development', 'production'] })).server.close()
  expect([(await enabled()).sort(), await count()]).toEqual([['development', 'production'], 2])
  await db.close()
})

describe('options in effect', () => {
  const A = '/api/admin'
  const constraint = (count: number) => ({
    contextName: 'userId',
    operator: 'IN',
    values: Array.from({ length: count }, (_, index) => `u${index}`),
  })
  const segment = (name: string, ...counts: number[]) => ({ name, constraints: counts.map(constraint) })

  test('values of a segment, together, also more than is usual; segments of a strategy, and fewer of what had more', async () => {
    const server = await startServer({ segmentValuesLimit: 1500, strategySegmentsLimit: 1 })
    try {
      const as = 'admin'
      const add = (body: object) => server.call({ as, call: `POST ${A}/segments`, body })
      expect((await add(segment('one', 1200, 300))).statusCode).toBe(201)
      const refused = await add(segment('two', 1200, 301))
      expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('more than 1500 values')])
      expect((await add(segment('two', 1))).statusCode).toBe(201)
      const ids = ((await server.admin(`GET ${A}/segments`)).segments as { id: number }[]).map(({ id }) => id)
      await server.admin(`POST ${A}/projects/default/features`, { name: 'f' })
      const S = `${A}/projects/default/features/f/environments/development/strategies`
      const last = await server.lastEventId()
      const two = await server.call({ as, call: `POST ${S}`, body: { name: 'default', segments: ids } })
      expect([two.statusCode, two.body]).toEqual([400, expect.stringContaining('more than 1 items')])
      expect(await server.eventsAfter(last)).toEqual([])
      const { id } = await server.admin(`POST ${S}`, { name: 'default', segments: ids.slice(0, 1) })
      const place = { projectId: 'default', environmentId: 'development', strategyId: id }
      const both = { ...place, segmentIds: ids }
      expect((await server.call({ as, call: `POST ${A}/segments/strategies`, body: both })).statusCode).toBe(400)
      const config = await server.admin(`GET ${A}/ui-config`)
      expect([config.segmentValuesLimit, config.strategySegmentsLimit]).toEqual([1500, 1])
    } finally {
      await server.close()
    }
  })

  test('limit segment values per constraint by default', async () => {
    const server = await startServer()
    expect(
      (await server.call({ as: 'admin', call: `POST ${A}/segments`, body: segment('one', 1000, 1000) })).statusCode,
    ).toBe(201)
    expect(
      (await server.call({ as: 'admin', call: `POST ${A}/segments`, body: segment('two', 1001) })).statusCode,
    ).toBe(400)
    await server.close()
  })

  test('maintenance mode set by an option cannot be changed by a request', async () => {
    const server = await startServer({ maintenanceMode: true })
    const as = 'admin'
    expect((await server.call({ as, call: `GET ${A}/maintenance` })).json()).toEqual({ enabled: true })
    expect(
      (await server.call({ as, call: `POST ${A}/projects/default/features`, body: { name: 'x' } })).statusCode,
    ).toBe(503)
    const off = await server.call({ as, call: `POST ${A}/maintenance`, body: { enabled: false } })
    expect([off.statusCode, off.body]).toEqual([403, expect.stringContaining('MAINTENANCE_MODE')])
    expect((await server.call({ as: 'client', call: 'GET /api/client/features' })).statusCode).toBe(200)
    await server.close()
  })

  test.each([
    [true, '"cookies", "storage"'],
    [false, undefined],
  ])('a logout clears the site: %s', async (clearSiteDataOnLogout, header) => {
    const server = await startServer({ clearSiteDataOnLogout })
    const reply = await server.call({ as: 'viewer', call: 'POST /logout' })
    expect([reply.statusCode, reply.headers['clear-site-data']]).toEqual([302, header])
    await server.close()
  })
})
