import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { applyFiles, configOf, exportFiles, type File, planFiles } from './config-project.ts'

/** Pruning, and changes of parents: a name that one file gives up can be used by another file in the same apply. */
const P = '/api/admin/projects/default'
let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const flag = (name: string, parent?: string): File => ({
  path: `folder/${name}.yaml`,
  content: `kind: Flag\nname: ${name}\n${parent === undefined ? '' : `dependencies:\n  - feature: ${parent}\n`}`,
})
const listSegments = async () =>
  (await server.db.rows('select name from segments order by name')).map(({ name }) => name)

test('a segment that a changed flag begins to use stays', async () => {
  for (const name of ['unused', 'used']) {
    await server.admin('POST /api/admin/segments', { name, project: 'default', constraints: [] })
  }
  const content =
    'environments:\n  production:\n    enabled: false\n    strategies:\n      - name: default\n        segments: [used]\n'
  const files = [{ path: 'new.yaml', content: `${flag('new').content}${content}` }]
  const plan = await planFiles(server, files, { prune: true })
  expect(plan.destructive.map(({ name }) => name)).toEqual(['unused'])
  expect(plan.kept).toEqual([{ kind: 'Segment', name: 'used', reason: 'the flag "new" uses it in production' }])
  await applyFiles(server, files, { prune: true })
  expect(await listSegments()).toEqual(['used'])
})

test('a segment that a release template begins to use is a mistake, because all projects use the template', async () => {
  const content =
    'kind: ReleaseTemplate\nname: T\nmilestones:\n  - name: m\n    strategies:\n      - name: default\n        segments: [used]\n'
  const reply = await server.call({
    as: 'admin',
    call: `POST ${configOf('default')}/plan`,
    body: { files: [{ path: 't.yaml', content }], prune: true },
  })
  expect(reply.json().mistakes).toMatchObject([
    { file: 't.yaml', line: 7, property: 'milestones.0.strategies.0.segments.0' },
  ])
})

const listParents = async () =>
  (await server.db.rows('select child, parent from feature_dependencies order by child')).map(
    ({ child, parent }) => `${child} of ${parent}`,
  )

test('a parent is pruned whose child gets another parent', async () => {
  await applyFiles(server, [flag('old'), flag('another'), flag('child', 'old')])
  const files = [flag('another'), flag('child', 'another')]
  const { changes } = await planFiles(server, files, { prune: true })
  expect(
    changes.filter(({ name }) => !['new', 'used'].includes(name)).map(({ name, sentence }) => `${name}: ${sentence}`),
  ).toEqual([
    'child: No longer depends on "old".',
    'old: Archives the flag, which no file describes.',
    'child: Depends on "another" being on.',
  ])
  await applyFiles(server, files, { prune: true })
  expect(await listParents()).toEqual(['child of another'])
})

test('a parent becomes a child whose child gets another parent', async () => {
  const files = [flag('top'), flag('another', 'top'), flag('child', 'top')]
  await applyFiles(server, files)
  expect(await listParents()).toEqual(['another of top', 'child of top'])
})

test('a parent that becomes a child or is pruned is a mistake while it has unchanged children', async () => {
  const unchanged = (await exportFiles(server)).filter(({ path }) => /^(child|another)\.yaml$/.test(path))
  const plan = (files: readonly File[], more: object) =>
    server.call({ as: 'admin', call: `POST ${configOf('default')}/plan`, body: { files, ...more } })
  await server.admin(`POST ${P}/features`, { name: 'above' })
  for (const files of [[flag('top', 'above')], [flag('top', 'above'), ...unchanged]]) {
    expect((await plan(files, {})).json().mistakes[0]).toMatchObject({
      file: 'folder/top.yaml',
      line: 4,
      property: 'dependencies.0.feature',
      message: 'The flag is the parent of "another", so it cannot have a parent itself.',
    })
  }
  const message = 'The flag "top" is pruned, because no file describes it.'
  expect((await plan(unchanged, { prune: true })).json().mistakes).toMatchObject([
    { file: 'another.yaml', message },
    { file: 'child.yaml', message },
  ])
})
