import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPeople, type People } from '../change-requests/people.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { applyFiles, configOf, exportFiles, type File, fillProject, planFiles } from './config-project.ts'

/** Objects that files manage: their origin, and the events about changes by hand. */
const P = '/api/admin/projects/default'
const SOURCE = { repository: 'shop/flags', commit: '3f2a1c0' }
let server: TestServer
let people: People
let files: File[]
let count = 0

beforeAll(async () => {
  server = await startServer()
  people = await addPeople(server)
  await fillProject(server)
  files = await exportFiles(server)
  await applyFiles(server, files, { source: SOURCE })
})
afterAll(() => server.close())

interface Origin {
  readonly kind: string
  readonly name: string
  readonly path: string
  readonly driftedAt: string | null
}

const origins = async (): Promise<Origin[]> => (await server.admin('GET /api/admin/config/origins')).origins
const managedBy = async (name: string) => (await server.admin(`GET ${P}/features/${name}`)).managedBy

/** Returns the drift events that a call writes. */
async function driftsOf(change: () => Promise<unknown>): Promise<{ feature_name: string; data: string }[]> {
  const last = await server.lastEventId()
  await change()
  return (await server.db.rows(
    "select feature_name, data from events where id > ? and type = 'config-drift' order by id",
    last,
  )) as { feature_name: string; data: string }[]
}

/** Returns a source of its own for the file of a flag: an apply ends the management of files that its source lacks. */
const sourceOf = (name: string) => ({ ...SOURCE, repository: `shop/${name}` })

/** Adds a flag with a strategy that a file manages. */
async function addManaged(): Promise<string> {
  count += 1
  const name = `managed-${count}`
  const content = `kind: Flag\nname: ${name}\nenvironments:\n  development:\n    enabled: true\n    strategies:\n      - name: default\n`
  await applyFiles(server, [{ path: `${name}.yaml`, content }], { source: sourceOf(name) })
  return name
}

test('an apply stores repository, commit and path of every described object', async () => {
  const all = await origins()
  expect(all.map(({ path }) => path).sort()).toEqual(files.map(({ path }) => path).sort())
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['Flag', 'Segment', 'ContextField', 'ReleaseTemplate']))
  expect(all[0]).toMatchObject({ ...SOURCE, project: 'default', driftedAt: null })
  expect(await managedBy('parent')).toEqual({
    type: 'git',
    ...SOURCE,
    path: 'parent.yaml',
    appliedAt: expect.any(String),
    driftedAt: null,
  })
})

test('an apply without changes moves the commit, and an equal one writes nothing', async () => {
  const last = await server.lastEventId()
  const source = { ...SOURCE, commit: 'aaaaaaa' }
  expect(await applyFiles(server, files, { source })).toMatchObject({ applied: 0 })
  expect(await server.eventsAfter(last)).toEqual(['config-applied'])
  expect(await managedBy('parent')).toMatchObject(source)
  const next = await server.lastEventId()
  await applyFiles(server, files, { source })
  expect(await server.eventsAfter(next)).toEqual([])
})

test('an apply without a source manages nothing', async () => {
  await applyFiles(server, [{ path: 'free.yaml', content: 'kind: Flag\nname: free\n' }])
  expect(await managedBy('free')).toBeUndefined()
  expect(await driftsOf(() => server.admin(`DELETE ${P}/features/free`))).toEqual([])
})

describe('a change by hand', () => {
  const rows: [string, (name: string) => [string, unknown?], string][] = [
    ['turns a flag off', (name) => [`POST ${P}/features/${name}/environments/development/off`], 'environment-disabled'],
    [
      'adds a strategy',
      (name) => [`POST ${P}/features/${name}/environments/development/strategies`, { name: 'default' }],
      'strategy-add',
    ],
    [
      'changes the description',
      (name) => [`PUT ${P}/features/${name}`, { description: 'by hand' }],
      'metadata-updated',
    ],
    ['adds a tag', (name) => [`POST /api/admin/features/${name}/tags`, { type: 'simple', value: 'hand' }], 'tagged'],
    ['marks a flag as stale', (name) => [`POST ${P}/stale`, { features: [name], stale: true }], 'stale-on'],
    ['archives a flag', (name) => [`POST ${P}/archive`, { features: [name] }], 'archived'],
  ]
  test.each(rows)('%s and writes one event of drift', async (_name, call, type) => {
    const name = await addManaged()
    const [drift, ...others] = await driftsOf(() => server.admin(...call(name)))
    expect(others).toEqual([])
    expect(drift?.feature_name).toBe(name)
    const data: unknown = typeof drift?.data === 'string' ? JSON.parse(drift.data) : drift?.data
    expect(data).toEqual({ kind: 'Flag', name, ...sourceOf(name), path: `${name}.yaml`, changes: [`feature-${type}`] })
    expect((await origins()).find((one) => one.name === name)?.driftedAt).toEqual(expect.any(String))
  })

  test('ends with the next apply, which clears the time of the drift', async () => {
    const name = await addManaged()
    await server.admin(`POST ${P}/features/${name}/environments/development/off`)
    expect((await managedBy(name)).driftedAt).not.toBeNull()
    const own = (await exportFiles(server)).filter(({ path }) => path === `${name}.yaml`)
    const restored = own.map(({ path, content }) => ({
      path,
      content: content.replace('enabled: false', 'enabled: true'),
    }))
    expect(await driftsOf(() => applyFiles(server, restored, { source: sourceOf(name) }))).toEqual([])
    expect((await managedBy(name)).driftedAt).toBeNull()
  })

  test('affects segments as well, and deleting a segment ends its management', async () => {
    const { segments } = await server.admin('GET /api/admin/segments')
    const { id, name } = segments.find((one: { name: string }) => one.name === 'own')
    const body = { name, project: 'default', constraints: [], description: 'by hand' }
    expect(await driftsOf(() => server.admin(`PUT /api/admin/segments/${id}`, body))).toHaveLength(1)
    const content = 'kind: Segment\nname: unused\nconstraints: []\nproject: default\n'
    await applyFiles(server, [{ path: 'segments/unused.yaml', content }], { source: sourceOf('unused') })
    const known = (await server.admin('GET /api/admin/segments')).segments as { id: number; name: string }[]
    const unused = known.find((one) => one.name === 'unused')?.id
    expect(await driftsOf(() => server.admin(`DELETE /api/admin/segments/${unused}`))).toHaveLength(1)
    expect((await origins()).map((one) => one.name)).not.toContain('unused')
  })

  test('leaves the state alone if it concerns a link', async () => {
    const name = await addManaged()
    const link = { url: 'https://example.com/a', title: 'a' }
    expect(await driftsOf(() => server.admin(`POST ${P}/features/${name}/link`, link))).toEqual([])
  })
})

describe('overrides for one user are no drift', () => {
  const ends: [string, string][] = [
    ['its own operation', 'self-targeting'],
    ['the operation for all strategies', 'strategies'],
  ]
  test.each(ends)('when they start, and when they end by %s', async (_name, path) => {
    const name = await addManaged()
    const place = `${P}/features/${name}/environments/development`
    const drifts = await driftsOf(async () => {
      const { id } = await server.admin(`POST ${place}/self-targeting`, { userId: 'ada' })
      await server.admin(`POST ${place}/self-targeting`, { userId: 'ada', minutes: 5 })
      const [last] = await server.admin(`GET ${place}/self-targeting`)
      expect(last.id).not.toBe(id)
      await server.admin(`DELETE ${place}/${path}/${last.id}`)
    })
    expect(drifts).toEqual([])
    expect((await managedBy(name)).driftedAt).toBeNull()
  })
})

test.each([
  ['as it was sent', false, 0],
  ['with an edited change', true, 1],
])('a change request of an apply, applied %s', async (_name, isEdited, drifts) => {
  const name = await addManaged()
  const protect = (changeRequestsEnabled: boolean) =>
    server.admin(`PUT ${P}/environments/development/change-requests/config`, {
      changeRequestsEnabled,
      requiredApprovals: 1,
    })
  await protect(true)
  const content = `kind: Flag\nname: ${name}\nenvironments:\n  development:\n    enabled: true\n    strategies:\n      - name: flexibleRollout\n        parameters: {rollout: "10"}\n`
  const changed = [{ path: `${name}.yaml`, content }]
  const source = { ...SOURCE, commit: isEdited ? 'bbbbbbb' : 'ccccccc' }
  const call = async (as: object, text: string, body: unknown) => {
    const reply = await server.call({ ...as, call: text, body })
    expect(reply.statusCode, reply.body).toBeLessThan(300)
    return reply.body === '' ? undefined : reply.json()
  }
  const { plan } = await call(people.as.author, `POST ${configOf('default')}/plan`, { files: changed, source })
  const { changeRequests } = await call(people.as.author, `POST ${configOf('default')}/apply`, {
    files: changed,
    source,
    plan,
  })
  const request = `${P}/change-requests/${changeRequests[0].id}`
  if (isEdited) {
    const { features } = await server.admin(`GET ${request}`)
    const [change] = features[0].changes
    const payload = { ...change.payload, parameters: { ...change.payload.parameters, rollout: '20' } }
    await call(people.as.author, `PUT ${request}/changes/${change.id}`, { action: change.action, payload })
  }
  await call(people.as.first, `PUT ${request}/state`, { state: 'Approved' })
  const found = await driftsOf(() => call(people.as.first, `PUT ${request}/state`, { state: 'Applied' }))
  expect(found).toHaveLength(drifts)
  await protect(false)
})

describe('an apply without the file of a managed object', () => {
  const source = { repository: 'shop/removals', commit: '3f2a1c0' }
  const write = (name: string): File => ({ path: `${name}.yaml`, content: `kind: Flag\nname: ${name}\n` })
  const listManaged = async () =>
    (await origins()).map(({ name }) => name).filter((name) => /^(stays|goes)$/.test(name))
  beforeAll(() => applyFiles(server, [write('stays'), write('goes')], { source }))

  test.each<[string, object, readonly string[]]>([
    ['of another repository', { source: { ...source, repository: 'shop/others' } }, []],
    ['of an unknown source', {}, []],
    ['limited to an environment', { source, environment: 'production' }, []],
    ['of the same repository', { source: { ...source, commit: 'bbbbbbb' } }, ['goes']],
  ])('%s ends the management of %j', async (_name, more, names) => {
    const plan = await planFiles(server, [write('stays')], more)
    expect(plan).toMatchObject({
      changes: [],
      released: names.map((name) => ({ kind: 'Flag', name, path: `${name}.yaml` })),
    })
    await applyFiles(server, [write('stays')], more)
    expect(await listManaged()).toEqual(['goes', 'stays'].filter((name) => !names.includes(name)))
  })

  test('keeps the object, and changes of it are no drift any longer', async () => {
    expect(await managedBy('goes')).toBeUndefined()
    expect(await driftsOf(() => server.admin(`DELETE ${P}/features/goes`))).toEqual([])
  })
})

test('a prune ends the management of objects that no file describes', async () => {
  const name = await addManaged()
  const others = (await exportFiles(server)).filter(({ path }) => path !== `${name}.yaml`)
  await applyFiles(server, others, { source: SOURCE, prune: true })
  expect((await origins()).map((one) => one.name)).not.toContain(name)
  expect((await planFiles(server, others, { prune: true })).changes).toEqual([])
})

describe('a flag that leaves its project', () => {
  const driftEvents = async (after: number) =>
    await server.db.rows(
      "select project, feature_name from events where id > ? and type = 'config-drift' order by id",
      after,
    )
  const move = (name: string, from: string, to: string) =>
    server.admin(`POST /api/admin/projects/${from}/features/${name}/changeProject`, { newProjectId: to })

  beforeAll(async () => {
    for (const id of ['away', 'home']) {
      await server.admin('POST /api/admin/projects', { id, name: id, ...(id === 'away' && { mode: 'private' }) })
    }
  })

  test('shows nothing of the files of its earlier project', async () => {
    const content = 'kind: Flag\nname: leaver\n'
    await applyFiles(server, [{ path: 'secret/leaver.yaml', content }], { source: SOURCE }, 'away')
    const last = await server.lastEventId()
    await move('leaver', 'away', 'home')
    const page = await server.call({ as: 'viewer', call: 'GET /api/admin/projects/home/features/leaver' })
    expect([page.statusCode, page.json().managedBy]).toEqual([200, undefined])
    const events = await server.call({ as: 'viewer', call: 'GET /api/admin/events/leaver' })
    expect(events.body).not.toContain('secret/leaver.yaml')
    expect(await driftEvents(last)).toEqual([{ project: 'away', feature_name: 'leaver' }])
  })

  test('writes no event of drift about later changes', async () => {
    const content = 'kind: Flag\nname: goer\n'
    await applyFiles(server, [{ path: 'goer.yaml', content }], { source: SOURCE }, 'home')
    await move('goer', 'home', 'away')
    const last = await server.lastEventId()
    await server.admin('PUT /api/admin/projects/away/features/goer', { description: 'unseen' })
    expect(await driftEvents(last)).toEqual([])
  })

  test('names the file of its project, although another project has one from before', async () => {
    const content = 'kind: Flag\nname: settler\n'
    await applyFiles(server, [{ path: 'old.yaml', content }], { source: SOURCE }, 'away')
    await move('settler', 'away', 'home')
    await applyFiles(server, [{ path: 'new.yaml', content }], { source: SOURCE }, 'home')
    const { managedBy: source } = await server.admin('GET /api/admin/projects/home/features/settler')
    expect(source.path).toBe('new.yaml')
  })
})

test('origins of hidden projects are not listed', async () => {
  await server.admin('POST /api/admin/projects', { id: 'secret', name: 'secret', mode: 'private' })
  await applyFiles(
    server,
    [{ path: 'x.yaml', content: 'kind: Flag\nname: hidden-flag\n' }],
    { source: SOURCE },
    'secret',
  )
  expect((await origins()).map((one) => one.name)).toContain('hidden-flag')
  const reply = await server.call({ as: 'viewer', call: 'GET /api/admin/config/origins' })
  expect(reply.json().origins.map((one: Origin) => one.name)).not.toContain('hidden-flag')
  const one = await server.admin('GET /api/admin/config/origins?project=secret')
  expect(one.origins).toHaveLength(1)
})
