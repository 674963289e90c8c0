import { MAX_STORED_REFERENCES } from '@burgee/protocol/administration/code-references'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addAccount, ROLES } from '../agents/agent.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { FIRST_SCAN, HEAD, REMOVAL, REPOSITORY, SCANNER_HEADERS, UPLOAD } from './recorded-scan.ts'

/**
 * Routes that code scanners call. The requests were recorded from an unmodified scanner. Source: wire protocol "Code
 * references"
 */
const R = '/api/v2/code-refs/repositories'
let server: TestServer
/** Personal tokens by account. */
const tokens: Record<string, string> = {}

beforeAll(async () => {
  server = await startServer()
  const { admin } = server
  for (const id of ['shop', 'other']) await admin('POST /api/admin/projects', { id, name: id })
  for (const name of ['new-checkout', 'old-search', 'gone-flag', 'archived-flag']) {
    await admin('POST /api/admin/projects/shop/features', { name })
  }
  await admin('POST /api/admin/projects/other/features', { name: 'elsewhere' })
  await admin('DELETE /api/admin/projects/shop/features/archived-flag')
  for (const [name, projects] of Object.entries({ writer: ['shop', 'other'], reader: [], owner: ['other'] })) {
    const account = await addAccount(server, name, { rootRole: ROLES.viewer })
    tokens[name] = account.secret
    for (const project of projects) await admin(`POST /api/admin/projects/${project}/users/${account.id}/roles/4`)
  }
})
afterAll(() => server.close())

function send(call: string, body?: unknown, as = 'writer') {
  return server.call({
    call,
    as: tokens[as] ?? as,
    headers: SCANNER_HEADERS,
    ...(body === undefined ? {} : { body }),
  })
}
const branch = (more: object = {}) => ({ head: HEAD, syncTime: 1, ...more })
const hunk = (flagKey: string, projKey = 'shop', startingLineNumber = 1) => ({ flagKey, projKey, startingLineNumber })
const references = (...flags: readonly string[]) => [{ path: 'a.ts', hunks: flags.map((flag) => hunk(flag)) }]
const stored = () =>
  server.db.rows('select branch, feature_name, project, reference_count from code_references order by 1, 2, 3')

test('serves what the scanner asks for', async () => {
  const replies: Record<string, unknown> = {}
  for (const { call, body, status } of FIRST_SCAN) {
    const reply = await send(call, body)
    expect(reply.statusCode, `${call}: ${reply.body}`).toBe(status)
    replies[call] = reply.body === '' ? undefined : reply.json()
  }
  expect(replies[`GET ${R}/web`]).toMatchObject({ code: 'not_found', message: 'There is no repository "web".' })
  expect(replies[`POST ${R}`]).toEqual({ ...REPOSITORY, enabled: true })
  expect(replies['GET /api/v2/flags/shop?env=production']).toEqual({
    items: [{ key: 'gone-flag' }, { key: 'new-checkout' }, { key: 'old-search' }],
    totalCount: 3,
    _links: {},
  })
  expect(replies['GET /api/v2/flags/shop?env=production&filter=state%3Aarchived']).toMatchObject({
    items: [{ key: 'archived-flag' }],
  })
  expect(replies['GET /api/v2/projects/shop/environments?limit=1']).toEqual({ items: [{ key: 'development' }] })
  expect(replies[`GET ${R}/web/branches`]).toEqual({
    items: [
      { name: 'main', head: HEAD, syncTime: UPLOAD.syncTime, updateSequenceId: 1, commitTime: UPLOAD.commitTime },
    ],
  })
  expect((await send(`GET ${R}/web`)).json()).toEqual({ ...REPOSITORY, enabled: true })
  expect(await stored()).toEqual([
    { branch: 'main', feature_name: 'new-checkout', project: 'shop', reference_count: 1 },
    { branch: 'main', feature_name: 'old-search', project: 'shop', reference_count: 1 },
  ])
  expect(await server.db.rows('select feature_name, revision, message from code_extinctions')).toEqual([
    { feature_name: 'gone-flag', revision: HEAD, message: 'remove gone-flag' },
  ])
})

test('lists flags in pages', async () => {
  const first = (await send('GET /api/v2/flags/shop?env=production&limit=2')).json()
  expect(first).toMatchObject({ items: [{ key: 'gone-flag' }, { key: 'new-checkout' }], totalCount: 3 })
  const second = (await send(`GET ${first._links.next.href}`)).json()
  expect(second).toEqual({ items: [{ key: 'old-search' }], totalCount: 3, _links: {} })
})

test('changes a repository by a merge patch', async () => {
  const changed = await send(`PATCH ${R}/web`, { sourceLink: null, defaultBranch: 'trunk' })
  expect(changed.json()).toEqual({ ...REPOSITORY, sourceLink: '', defaultBranch: 'trunk', enabled: true })
  const { name: _, ...back } = REPOSITORY
  expect((await send(`PATCH ${R}/web`, back)).json()).toEqual({ ...REPOSITORY, enabled: true })
})

describe('uploads', () => {
  test('an earlier sequence id gets 409 and changes nothing', async () => {
    for (const updateSequenceId of [0, 1]) {
      const reply = await send(`PUT ${R}/web/branches/main`, branch({ updateSequenceId, references: [] }))
      expect(reply.statusCode).toBe(409)
      expect(reply.json()).toMatchObject({ code: 'updateSequenceId_conflict' })
    }
    expect(await stored()).toHaveLength(2)
  })

  test('an upload of a branch with a slash in its name replaces its references', async () => {
    const url = `PUT ${R}/web/branches/feature%2Fx`
    expect((await send(url, branch({ references: references('new-checkout', 'new-checkout') }))).statusCode).toBe(200)
    expect((await send(url, branch({ references: references('old-search', 'never-created') }))).statusCode).toBe(200)
    expect((await stored()).filter((row) => row.branch === 'feature/x')).toEqual([
      { branch: 'feature/x', feature_name: 'never-created', project: 'shop', reference_count: 1 },
      { branch: 'feature/x', feature_name: 'old-search', project: 'shop', reference_count: 1 },
    ])
    expect((await send(`POST ${R}/web/branch-delete-tasks`, ['feature/x'])).statusCode).toBe(200)
    expect((await stored()).filter((row) => row.branch === 'feature/x')).toEqual([])
  })

  test('concurrent uploads of a branch leave the references of one of them', async () => {
    const uploads = Array.from({ length: 8 }, (_, index) =>
      send(`PUT ${R}/web/branches/busy`, branch({ references: references(`flag-${index}`, 'new-checkout') })),
    )
    expect((await Promise.all(uploads)).map(({ statusCode }) => statusCode)).toEqual(uploads.map(() => 200))
    expect((await stored()).filter((row) => row.branch === 'busy')).toHaveLength(2)
    await send(`POST ${R}/web/branch-delete-tasks`, ['busy'])
  })

  test('an upload keeps the references of projects that the caller may not update', async () => {
    const url = `PUT ${R}/web/branches/shared`
    await send(url, branch({ references: references('new-checkout') }))
    const own = [{ path: 'b.ts', hunks: [hunk('elsewhere', 'other')] }]
    expect((await send(url, branch({ references: own }), 'owner')).statusCode).toBe(200)
    expect((await stored()).filter((row) => row.branch === 'shared').map((row) => row.feature_name)).toEqual([
      'elsewhere',
      'new-checkout',
    ])
    expect((await send(`POST ${R}/web/branch-delete-tasks`, ['shared'], 'owner')).statusCode).toBe(403)
    expect((await send(`PATCH ${R}/web`, { type: 'github' }, 'owner')).statusCode).toBe(403)
    expect((await send(`POST ${R}/web/branch-delete-tasks`, ['shared'])).statusCode).toBe(200)
  })

  const many = Array.from({ length: 20_001 }, (_, index) => hunk('new-checkout', 'shop', index))
  test.for([
    ['an unknown repository', 'missing', references('x-flag'), 404, 'not_found'],
    ['an unknown project', 'web', [{ path: 'a', hunks: [hunk('x-flag', 'nowhere')] }], 400, 'invalid_request'],
    ['too many references', 'web', [{ path: 'a', hunks: many }], 413, 'request_entity_too_large'],
    ['a body above the limit', 'web', [{ path: 'a'.repeat(9_000_000), hunks: [] }], 413, 'request_entity_too_large'],
    ['a missing path', 'web', [{ hunks: [] }], 400, 'invalid_request'],
  ] as const)('an upload with %s is rejected', async ([, name, sent, status, code]) => {
    const reply = await send(`PUT ${R}/${name}/branches/main`, branch({ references: sent }))
    expect([reply.statusCode, reply.json().code]).toEqual([status, code])
  })

  test('the server counts all references of a flag, and stores 200 places', async () => {
    const hunks = Array.from({ length: 250 }, (_, index) => hunk('new-checkout', 'shop', index + 1))
    await send(`PUT ${R}/web/branches/long`, branch({ references: [{ path: 'a', hunks }] }))
    const [row] = await server.db.rows("select reference_count, places from code_references where branch = 'long'")
    expect([Number(row?.reference_count), JSON.parse(String(row?.places)).length]).toEqual([250, 200])
    await send(`POST ${R}/web/branch-delete-tasks`, ['long'])
  })
})

describe('permissions', () => {
  test.for([
    ['without a token', 'nobody', 401, 'unauthorized'],
    ['of a viewer', 'reader', 403, 'forbidden'],
    ['of the owner of another project', 'owner', 403, 'forbidden'],
  ] as const)('an upload %s is rejected', async ([, as, status, code]) => {
    const reply = await send(`PUT ${R}/web/branches/main`, UPLOAD, as)
    expect([reply.statusCode, reply.json().code]).toEqual([status, code])
  })

  test('a repository is unknown to callers who see none of its projects', async () => {
    await send(`POST ${R}`, { name: 'hidden-repo' })
    await send(`PUT ${R}/hidden-repo/branches/main`, branch({ references: references('new-checkout') }))
    await server.admin('PUT /api/admin/projects/shop/settings', { mode: 'private' })
    const reply = await send(`GET ${R}/hidden-repo`, undefined, 'owner')
    expect([reply.statusCode, reply.json().code]).toEqual([404, 'not_found'])
    const removal = await send(`POST ${R}/web/branches/main/extinction-events`, [REMOVAL], 'owner')
    expect(removal.statusCode).toBe(404)
    await server.admin('PUT /api/admin/projects/shop/settings', { mode: 'open' })
  })

  test.for(['javascript:alert(1)', 'ftp://files.example.com'])('a link to %s is rejected', async (link) => {
    for (const name of ['sourceLink', 'commitUrlTemplate', 'hunkUrlTemplate']) {
      const reply = await send(`POST ${R}`, { name: 'links', [name]: link })
      expect([reply.statusCode, reply.json().code]).toEqual([400, 'invalid_request'])
    }
  })
})

test('a later removal replaces an earlier one, and one with a message an inferred one', async () => {
  const url = `POST ${R}/web/branches/main/extinction-events`
  const read = async () => (await server.db.rows("select message from code_extinctions where branch = 'main'"))[0]
  await send(url, [{ ...REMOVAL, message: 'earlier', time: 1 }])
  expect(await read()).toEqual({ message: 'remove gone-flag' })
  await send(url, [
    { ...REMOVAL, message: 'later', time: REMOVAL.time + 1 },
    { ...REMOVAL, flagKey: 'never-created' },
    { ...REMOVAL, flagKey: 'elsewhere' },
  ])
  expect(await read()).toEqual({ message: 'later' })
})

test('references follow their flag to another project', async () => {
  await server.admin('POST /api/admin/projects/other/features', { name: 'moving' })
  const own = [{ path: 'b.ts', hunks: [hunk('moving', 'other')] }]
  await send(`PUT ${R}/web/branches/moved`, branch({ references: own }))
  await server.admin('POST /api/admin/projects/other/features/moving/changeProject', { newProjectId: 'shop' })
  expect((await stored()).filter((row) => row.feature_name === 'moving')).toMatchObject([{ project: 'shop' }])
})

const urlOf = (name: string) => `PUT ${R}/web/branches/${name}`
const named = (flag: string, project: string) => [{ path: 'c.ts', hunks: [hunk(flag, project)] }]
const storedIn = async (name: string) =>
  (await stored()).filter((row) => row.branch === name).map((row) => `${row.project} ${row.feature_name}`)

describe('each project has its own order of uploads', () => {
  afterEach(() => send(`POST ${R}/web/branch-delete-tasks`, ['order']))
  const put = async (sequence: number | undefined, sent: readonly object[], as = 'writer') => {
    const body = branch({ references: sent, ...(sequence === undefined ? {} : { updateSequenceId: sequence }) })
    return (await send(urlOf('order'), body, as)).statusCode
  }

  test('a huge sequence id of one project does not stop the uploads of another', async () => {
    expect(await put(Number.MAX_SAFE_INTEGER, named('elsewhere', 'other'), 'owner')).toBe(200)
    expect(await put(7, references('new-checkout'))).toBe(200)
    expect(await storedIn('order')).toEqual(['other elsewhere', 'shop new-checkout'])
    expect(await put(8, [])).toBe(200)
    expect(await storedIn('order')).toEqual(['other elsewhere'])
  })

  test('two jobs of one build are both stored', async () => {
    for (const sequence of [7, 8]) {
      expect(await put(sequence, references('new-checkout'))).toBe(200)
      expect(await put(sequence, named('elsewhere', 'other'))).toBe(200)
      expect(await storedIn('order')).toEqual(['other elsewhere', 'shop new-checkout'])
    }
    expect(await put(8, references('old-search'))).toBe(409)
    expect(await put(7, [])).toBe(409)
  })

  test('an upload without a sequence id keeps the stored one', async () => {
    expect(await put(7, references('new-checkout'))).toBe(200)
    expect(await put(undefined, references('old-search'))).toBe(200)
    expect(await put(6, references('new-checkout'))).toBe(409)
    expect(await storedIn('order')).toEqual(['shop old-search'])
  })

  test('an upload after the last reference is gone cannot bring it back', async () => {
    expect(await put(7, references('new-checkout'))).toBe(200)
    expect(await put(9, [])).toBe(200)
    expect(await put(8, references('new-checkout'))).toBe(409)
    expect(await storedIn('order')).toEqual([])
  })

  test('an upload replaces the projects that have no later upload', async () => {
    expect(await put(9, named('elsewhere', 'other'), 'owner')).toBe(200)
    expect(await put(8, [...references('new-checkout'), ...named('moved-away', 'other')])).toBe(200)
    expect(await storedIn('order')).toEqual(['other elsewhere', 'shop new-checkout'])
  })

  test('links show the revision of the upload of the project', async () => {
    expect(await put(7, references('new-checkout'))).toBe(200)
    const body = branch({ head: 'another', references: named('elsewhere', 'other') })
    expect((await send(urlOf('order'), body, 'owner')).statusCode).toBe(200)
    const { references: places } = await server.admin('GET /api/admin/projects/shop/features/new-checkout/removal')
    const own = places.filter((one: { branch: string }) => one.branch === 'order')
    expect(own).toMatchObject([{ revision: HEAD }])
  })
})

describe('removals', () => {
  const removals = () => server.db.rows('select branch, feature_name from code_extinctions order by 1, 2')

  test('a removal from a branch that is not stored is rejected', async () => {
    const before = await removals()
    for (const name of ['made-up-1', 'made-up-2']) {
      const reply = await send(`POST ${R}/web/branches/${name}/extinction-events`, [REMOVAL])
      expect([reply.statusCode, reply.json().code]).toEqual([404, 'not_found'])
    }
    expect(await removals()).toEqual(before)
  })

  test('only removals from the default branch are stored', async () => {
    const before = await removals()
    await send(urlOf('topic'), branch({ references: references('old-search') }))
    await send(urlOf('topic'), branch())
    expect((await send(`POST ${R}/web/branches/topic/extinction-events`, [REMOVAL])).statusCode).toBe(200)
    await send(`POST ${R}/web/branch-delete-tasks`, ['topic'])
    expect(await removals()).toEqual(before)
  })

  test('a removal stays when the default branch gets another name, once for each flag', async () => {
    await send(`POST ${R}`, { name: 'renamed' })
    for (const name of ['first', 'second', 'third']) {
      await send(`PATCH ${R}/renamed`, { defaultBranch: name })
      const url = `PUT ${R}/renamed/branches/${name}`
      await send(url, branch({ references: references('old-search') }))
      await send(url, branch({ head: `without-${name}` }))
      await send(`POST ${R}/renamed/branch-delete-tasks`, [name])
    }
    await send(`PATCH ${R}/renamed`, { defaultBranch: 'fourth' })
    const listed = await server.admin('GET /api/admin/projects/shop/features/old-search/removal')
    const own = listed.removals.filter((one: { repository: string }) => one.repository === 'renamed')
    expect(own).toMatchObject([{ branch: 'third', revision: 'without-third' }])
  })
})

test('a repository is deleted only with the right to update all flags in it', async () => {
  const add = async (name: string) => {
    await send(`POST ${R}`, { name, defaultBranch: 'main' })
    await send(`PUT ${R}/${name}/branches/main`, branch({ references: references('new-checkout') }))
    await send(`PUT ${R}/${name}/branches/main`, branch())
  }
  const rowsOf = async (name: string) => {
    const tables = ['code_branches', 'code_scans', 'code_references', 'code_extinctions']
    const counts = tables.map((table) => `select count(*) as n from ${table} where repository = '${name}'`)
    return (await Promise.all(counts.map((sql) => server.db.rows(sql)))).map(([row]) => Number(row?.n))
  }
  await add('obsolete')
  await send(`PUT ${R}/obsolete/branches/topic`, branch({ references: references('old-search') }))
  expect(await rowsOf('obsolete')).toEqual([2, 2, 1, 1])
  expect((await send(`DELETE ${R}/obsolete`, undefined, 'reader')).statusCode).toBe(403)
  expect((await send(`DELETE ${R}/obsolete`, undefined, 'owner')).statusCode).toBe(403)
  // without references, the removals of flags still belong to their project
  await send(`POST ${R}/obsolete/branch-delete-tasks`, ['main', 'topic'])
  expect(await rowsOf('obsolete')).toEqual([0, 0, 0, 1])
  const links = { commitUrlTemplate: 'https://evil.example/commit' }
  expect((await send(`PATCH ${R}/obsolete`, links, 'owner')).statusCode).toBe(403)
  expect((await send(`DELETE ${R}/obsolete`, undefined, 'owner')).statusCode).toBe(403)
  expect((await send(`DELETE ${R}/obsolete`)).statusCode).toBe(200)
  expect(await rowsOf('obsolete')).toEqual([0, 0, 0, 0])
  expect((await send(`GET ${R}/obsolete`)).statusCode).toBe(404)
  expect((await send(`DELETE ${R}/obsolete`)).statusCode).toBe(404)
})

test('references of a deleted project no longer count towards the maximum of the server', async () => {
  await server.admin('POST /api/admin/projects', { id: 'short-lived', name: 'short-lived' })
  await server.admin(`PUT ${R}/web/branches/full`, branch({ references: named('some-flag', 'short-lived') }))
  const fill = 'update code_references set reference_count = ? where project = ?'
  await server.db.rows(fill, MAX_STORED_REFERENCES, 'short-lived')
  const one = branch({ references: references('new-checkout') })
  const rejected = await send(urlOf('after'), one)
  expect([rejected.statusCode, rejected.json().code]).toEqual([413, 'request_entity_too_large'])
  await server.admin('DELETE /api/admin/projects/short-lived')
  const accepted = await send(urlOf('after'), one)
  expect(accepted.statusCode, accepted.body).toBe(200)
})
