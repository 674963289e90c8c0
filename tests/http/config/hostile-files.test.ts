import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { configOf, type File } from './config-project.ts'

/** Files that would cost much time or memory are reported as mistakes, and a plan yields to other requests. */
let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const plan = (files: readonly File[]) =>
  server.call({ as: 'viewer', call: `POST ${configOf('default')}/plan`, body: { files } })

const repeat = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('')

test.each([
  ['an alias', 'kind: Flag\nname: &a x\ndescription: *a\n', 3, 'Aliases'],
  ['aliases that multiply', `kind: Flag\nname: a\ntags: &a [x]\nb: [*a, *a]\n`, 4, 'Aliases'],
  ['a duplicate key', 'kind: Flag\nname: a\ntype: release\n"name": b\n', 4, '"name" occurs twice'],
  [
    'a duplicate key inside',
    'kind: Flag\nname: a\nenvironments:\n  a: {enabled: true, enabled: false}\n',
    4,
    '"enabled"',
  ],
  ['a key that is a list', 'kind: Flag\nname: a\n? [b]\n: c\n', 3, 'A key must be a string'],
  ['two documents', 'kind: Flag\nname: a\n---\nkind: Flag\n', 3, 'one document'],
  ['lists that nest deeply', `kind: Flag\nname: ${'['.repeat(100_000)}`, 2, 'nests deeper'],
  ['lists that nest deeply, closed', `kind: Flag\nname: ${'['.repeat(5000)}${']'.repeat(5000)}\n`, 2, 'nests deeper'],
  [
    'objects that nest deeply',
    `kind: Flag\nname:\n${repeat(400, (at) => `${' '.repeat(at + 1)}a:\n`)}`,
    51,
    'nests deeper',
  ],
  ['many keys', repeat(90_000, (at) => `${at.toString(36)}:\n`), 32_769, 'too many values'],
  ['many lines', `kind: Flag\nname: |\n${repeat(150_000, () => ' a\n')}`, 150_003, 'too many values or lines'],
  ['many commas', `kind: Flag\nname: [${','.repeat(100_000)}]`, 2, ''],
])('reports %s with its line', async (_name, content, line, text) => {
  const reply = await plan([{ path: 'a.yaml', content }])
  expect(reply.statusCode, reply.body.slice(0, 500)).toBe(400)
  expect(reply.json().mistakes[0]).toMatchObject({ file: 'a.yaml', line, message: expect.stringContaining(text) })
})

test('names of files are cut in mistakes', async () => {
  const reply = await plan([{ path: 'a.yaml', content: `kind: Flag\nname: a\n${'x'.repeat(400_000)}: 1\n` }])
  expect(reply.statusCode).toBe(400)
  expect(reply.body.length).toBeLessThan(5000)
})

test('a flag with 10,000 values is planned', async () => {
  const values = repeat(1000, (at) => `              - user-${at}-1f0c2a34-7d11-4c\n`)
  const strategy = `      - name: default\n        constraints:\n          - contextName: userId\n            operator: IN\n            values:\n${values}`
  const content = `kind: Flag\nname: large\nenvironments:\n  production:\n    enabled: true\n    strategies:\n${repeat(10, () => strategy)}`
  const reply = await plan([{ path: 'large.yaml', content }])
  expect(reply.statusCode, reply.body.slice(0, 500)).toBe(200)
  expect(reply.json().changes).toHaveLength(12)
})

test('other work runs while files are parsed and planned', async () => {
  const constraints = repeat(10, () => '          - {contextName: userId, operator: IN, values: [a, b, c]}\n')
  const files = Array.from({ length: 100 }, (_, at) => ({
    path: `f${at}.yaml`,
    content: `kind: Flag\nname: f${at}\nenvironments:\n  production:\n    enabled: true\n    strategies:\n      - name: default\n        constraints:\n${constraints}`,
  }))
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const reply = await plan(files)
  isDone = true
  expect(reply.json().changes).toHaveLength(300)
  expect(turns).toBeGreaterThan(30)
})
