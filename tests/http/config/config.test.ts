import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPeople, type People } from '../change-requests/people.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { applyFiles, configOf, exportFiles, type File, fillProject, planFiles } from './config-project.ts'

/** Flags as code: exporting, planning and applying the files of a project. */
let server: TestServer
let other: TestServer
let people: People

beforeAll(async () => {
  server = await startServer()
  other = await startServer()
  await fillProject(server)
  people = await addPeople(server)
})
afterAll(async () => {
  await server.close()
  await other.close()
})

const flag = (name: string, body: string) => ({ path: `${name}.yaml`, content: `kind: Flag\nname: ${name}\n${body}` })
const ON = 'environments:\n  production:\n    enabled: true\n    strategies:\n      - name: default\n'

const CHILD = `kind: Flag
name: child
dependencies:
  - enabled: false
    feature: parent
description: "About child: \\"x\\" # y"
environments:
  development:
    enabled: false
    variants:
      - name: blue
        stickiness: userId
        weight: 500
        weightType: variable
      - name: red
        payload:
          type: json
          value: "{\\"a\\": 1}"
        stickiness: default
        weight: 500
        weightType: variable
  production:
    enabled: true
    release:
      milestone: all
      template: Careful
type: experiment
`
const PAYING = `kind: Segment
name: "Paying: all"
constraints:
  - contextName: plan
    operator: IN
    values:
      - gold
      - pro
`

describe('export', () => {
  test('writes one sorted file per object, without ids, and the same text every time', async () => {
    const files = await exportFiles(server)
    expect(files.map(({ path }) => path)).toEqual([
      'Child.yaml',
      'child-2.yaml',
      'context-fields/appName.yaml',
      'context-fields/plan.yaml',
      'context-fields/userId.yaml',
      'parent.yaml',
      'release-templates/Careful.yaml',
      'segments/Paying__all.yaml',
      'segments/own.yaml',
    ])
    expect(files.find(({ path }) => path === 'child-2.yaml')?.content).toBe(CHILD)
    expect(files.find(({ path }) => path === 'segments/Paying__all.yaml')?.content).toBe(PAYING)
    expect(await exportFiles(server)).toEqual(files)
  })

  test('exports one flag with the objects that it uses', async () => {
    const { files } = await server.admin(`GET ${configOf('default')}/export?flag=Child`)
    expect(files.map(({ path }: File) => path)).toEqual(['Child.yaml'])
    const unknown = await server.call({ as: 'admin', call: `GET ${configOf('default')}/export?flag=nobody` })
    expect(unknown.statusCode).toBe(404)
  })

  test('gives an empty plan, also in another installation after an apply', async () => {
    const files = await exportFiles(server)
    expect(await planFiles(server, files, { prune: true })).toMatchObject({ changes: [], destructive: [], kept: [] })
    expect((await applyFiles(other, files)).changeRequests).toEqual([])
    expect(await exportFiles(other)).toEqual(files)
    expect(await planFiles(other, files, { prune: true })).toMatchObject({ changes: [], destructive: [], kept: [] })
  })

  test('gives an empty plan also when the files are formatted in another way', async () => {
    const files = await exportFiles(server)
    const other = files.map(({ path, content }) => ({ path, content: `# a comment\n${content}` }))
    expect((await planFiles(server, other)).changes).toEqual([])
  })
})

describe('mistakes', () => {
  test.each([
    ['a mapping that is not closed', 'kind: Flag\nname: {a\n', 3, ''],
    ['an unknown kind', 'name: a\nkind: Flagg\n', 2, 'kind'],
    ['an unknown property', 'kind: Flag\nname: a\nenviroments: {}\n', 3, 'enviroments'],
    [
      'a number where a text is required',
      `kind: Flag\nname: a\n${ON}        parameters:\n          rollout: 50\n`,
      9,
      'environments.production.strategies.0.parameters.rollout',
    ],
    [
      'a flag that is on without a strategy',
      'kind: Flag\nname: a\nenvironments:\n  production:\n    enabled: true\n',
      5,
      'environments.production.enabled',
    ],
    [
      'an environment that the project lacks',
      'kind: Flag\nname: a\nenvironments:\n  moon:\n    enabled: false\n',
      4,
      'environments.moon',
    ],
    [
      'a segment that does not exist',
      `kind: Flag\nname: a\n${ON}        segments: [nobody]\n`,
      8,
      'environments.production.strategies.0.segments.0',
    ],
    [
      'a strategy type that does not exist',
      `kind: Flag\nname: a\n${ON.replace('default', 'magic')}`,
      7,
      'environments.production.strategies.0.name',
    ],
    [
      'a parent that does not exist',
      'kind: Flag\nname: a\ndependencies:\n  - feature: nobody\n',
      4,
      'dependencies.0.feature',
    ],
    [
      'a parent that has a parent',
      'kind: Flag\nname: a\ndependencies:\n  - feature: child\n',
      4,
      'dependencies.0.feature',
    ],
    ['a tag type that does not exist', 'kind: Flag\nname: a\ntags:\n  - team:red\n', 4, 'tags.0'],
    [
      'a percentage above 100',
      `kind: Flag\nname: a\n${ON.replace('default', 'flexibleRollout')}        parameters: {rollout: "101"}\n`,
      8,
      'environments.production.strategies.0.parameters.rollout',
    ],
    [
      'an operand that no SDK can read',
      'kind: Segment\nname: s\nconstraints:\n  - contextName: n\n    operator: NUM_GT\n    value: many\n',
      6,
      'constraints.0.value',
    ],
    [
      'a release template that does not exist',
      'kind: Flag\nname: a\nenvironments:\n  production:\n    enabled: false\n    release:\n      template: None\n',
      7,
      'environments.production.release.template',
    ],
  ])('%s is reported with file, line and property', async (_name, content, line, property) => {
    const reply = await server.call({
      as: 'admin',
      call: `POST ${configOf('default')}/plan`,
      body: { files: [{ path: 'x/a.yaml', content }] },
    })
    expect(reply.statusCode, reply.body).toBe(400)
    expect(reply.json().mistakes[0]).toMatchObject({ file: 'x/a.yaml', line, property })
    expect(reply.json().message).toContain(`x/a.yaml:${line}: `)
  })

  test('two files about one flag, and a name that an archived flag has, are mistakes', async () => {
    await other.admin('POST /api/admin/projects/default/features', { name: 'gone' })
    await other.admin('DELETE /api/admin/projects/default/features/gone')
    const files = [flag('gone', ''), { ...flag('twice', ''), path: '1.yaml' }, { ...flag('twice', ''), path: '2.yaml' }]
    const plan = `POST ${configOf('default')}/plan`
    expect((await other.call({ as: 'admin', call: plan, body: { files } })).json().mistakes).toMatchObject([
      { file: '2.yaml', property: 'name' },
    ])
    const reply = await other.call({ as: 'admin', call: plan, body: { files: files.slice(0, 1) } })
    expect(reply.json().mistakes).toMatchObject([{ file: 'gone.yaml', line: 2, property: 'name' }])
  })
})

describe('plan and apply', () => {
  test('lists every flag that an apply turns on, and turns on nothing else', async () => {
    const files = [flag('lit', ON), flag('dark', ON.replace('enabled: true', 'enabled: false'))]
    const plan = await planFiles(other, files)
    expect(plan.changes.filter(({ enables }) => enables)).toMatchObject([{ name: 'lit', environment: 'production' }])
    const isOn = async () =>
      (
        await other.db.rows('select feature_name from feature_environments where enabled = 1 order by feature_name')
      ).map((row) => row.feature_name)
    const before = await isOn()
    await applyFiles(other, files)
    expect(await isOn()).toEqual([...before, 'lit'].sort())
    const events = await other.db.rows("select type from events where feature_name in ('lit', 'dark') order by id")
    expect(events.map(({ type }) => type)).toEqual([
      'feature-created',
      'feature-created',
      'feature-strategy-add',
      'feature-strategy-add',
      'feature-environment-enabled',
    ])
  })

  test('a change after the plan, another set of files and other options are conflicts', async () => {
    const files = [flag('late', '')]
    const { plan } = await planFiles(other, files)
    const call = `POST ${configOf('default')}/apply`
    const outdated = await other.call({ as: 'admin', call, body: { files: [], plan } })
    expect(outdated.statusCode).toBe(409)
    expect((await other.call({ as: 'admin', call, body: { files, plan, prune: true } })).statusCode).toBe(409)
    await other.admin('POST /api/admin/projects/default/features', { name: 'meanwhile' })
    const moved = await other.call({ as: 'admin', call, body: { files, plan } })
    expect(moved.statusCode).toBe(409)
    expect(moved.json().message).toContain('Run the plan again')
    expect(await other.db.rows("select name from features where name = 'late'")).toEqual([])
  })

  test('one of two applies at the same time wins and the other gets a conflict', async () => {
    const one = [flag('first', ON)]
    const two = [flag('second', ON)]
    const call = `POST ${configOf('default')}/apply`
    const [a, b] = [await planFiles(other, one), await planFiles(other, two)]
    const replies = await Promise.all([
      other.call({ as: 'admin', call, body: { files: one, plan: a.plan } }),
      other.call({ as: 'editor', call, body: { files: two, plan: b.plan } }),
    ])
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const made = await other.db.rows("select name from features where name in ('first', 'second')")
    expect(made).toHaveLength(1)
  })

  test('a step that fails rolls back all steps and names the object', async () => {
    const files = [flag('before', ON), flag('not a name', '')]
    const { plan } = await planFiles(other, files)
    const reply = await other.call({ as: 'admin', call: `POST ${configOf('default')}/apply`, body: { files, plan } })
    expect(reply.statusCode).toBe(400)
    expect(reply.json().message).toContain('"not a name"')
    expect(await other.db.rows("select name from features where name = 'before'")).toEqual([])
  })

  test('prunes children before parents and keeps segments that something still uses', async () => {
    const files = (await exportFiles(server)).filter(({ path }) => path === 'Child.yaml')
    const plan = await planFiles(server, files, { prune: true })
    expect(plan.destructive.map(({ name }) => name)).toEqual(['child', 'parent'])
    expect(plan.kept).toEqual([
      { kind: 'Segment', name: 'own', reason: 'the flag "parent", which the plan archives, uses it' },
    ])
    const left = (await exportFiles(server)).filter(({ path }) => path !== 'parent.yaml')
    const reply = await server.call({
      as: 'admin',
      call: `POST ${configOf('default')}/plan`,
      body: { files: left, prune: true },
    })
    expect(reply.json().mistakes).toMatchObject([{ property: 'dependencies.0.feature' }])
  })

  test('prunes a segment whose last use the files remove', async () => {
    await other.admin('POST /api/admin/segments', { name: 'unused', project: 'default', constraints: [] })
    const files = await exportFiles(other)
    const without = files.filter(({ path }) => path !== 'segments/unused.yaml' && path !== 'segments/own.yaml')
    const edited = without.map(({ path, content }) => ({ path, content: content.replace(/\n +- own\b/, '') }))
    const plan = await planFiles(other, edited, { prune: true })
    expect(plan.destructive.map(({ name }) => name)).toEqual(['own', 'unused'])
    await applyFiles(other, edited, { prune: true })
    expect((await planFiles(other, edited, { prune: true })).changes).toEqual([])
    expect(await other.db.rows("select name from segments where project = 'default'")).toEqual([])
  })

  test('limits a plan to one environment', async () => {
    const files = [flag('narrow', `${ON}  development:\n    enabled: false\n    strategies:\n      - name: default\n`)]
    const { changes } = await planFiles(other, files, { environment: 'production' })
    expect(changes.map(({ environment }) => environment)).toEqual([undefined, 'production', 'production'])
  })

  test('changes in a protected environment become a change request that names the commit, once', async () => {
    const source = { repository: 'shop/flags', commit: '3f2a1c0' }
    const files = (await exportFiles(server)).map(({ path, content }) => ({
      path,
      content: content.replace('rollout: "25"', 'rollout: "50"'),
    }))
    await server.admin('PUT /api/admin/projects/default/environments/production/change-requests/config', {
      changeRequestsEnabled: true,
      requiredApprovals: 1,
    })
    const call = (step: string, body: object) =>
      server.call({
        ...people.as.author,
        call: `POST ${configOf('default')}/${step}`,
        body: { files, source, ...body },
      })
    const plan = (await call('plan', {})).json()
    expect(plan.needsChangeRequest).toEqual(['production'])
    const applied = await call('apply', { plan: plan.plan })
    expect(applied.json()).toMatchObject({
      applied: 0,
      changeRequests: [{ environment: 'production', changes: 1, title: 'Apply shop/flags@3f2a1c0' }],
    })
    const again = (await call('plan', {})).json()
    const second = await call('apply', { plan: again.plan })
    expect(second.json().changeRequests[0].id).toBe(applied.json().changeRequests[0].id)
    // applies as the administrator, who may skip the review
    expect((await planFiles(server, files)).needsChangeRequest).toEqual([])
    expect(await applyFiles(server, files, { source })).toEqual({ applied: 1, changeRequests: [] })
    const event = await server.db.row("select data from events where type = 'config-applied' order by id desc")
    expect(
      JSON.parse(String(typeof event?.data === 'string' ? event.data : JSON.stringify(event?.data))),
    ).toMatchObject(source)
  })

  test('needs the permissions of its changes', async () => {
    const call = (step: string, body: object) =>
      other.call({ as: 'viewer', call: `POST ${configOf('default')}/${step}`, body })
    const files = [flag('forbidden', '')]
    const plan = (await call('plan', { files })).json()
    expect(plan.missingPermissions).toEqual(['CREATE_FEATURE'])
    expect((await call('apply', { files, plan: plan.plan })).statusCode).toBe(403)
  })
})
