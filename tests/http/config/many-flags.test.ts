import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { applyFiles, exportFiles, planFiles } from './config-project.ts'

/**
 * A plan for a project with 5,000 flags: the number of queries, and the CPU time. On PostgreSQL 2,000 flags show the same
 * number of queries.
 */
const FLAGS = inject('driver') === 'sqlite' ? 5000 : 2000
let server: TestServer
let queries = 0

beforeAll(async () => {
  server = await startServer({}, Date.now, { onQuery: () => (queries += 1) })
})
afterAll(() => server.close())

const files = Array.from({ length: FLAGS }, (_, index) => ({
  path: `flag-${index}.yaml`,
  content: `kind: Flag
name: flag-${index}
environments:
  development:
    enabled: false
    strategies:
      - name: default
  production:
    enabled: true
    strategies:
      - name: flexibleRollout
        constraints:
          - contextName: userId
            operator: IN
            values: [a, b]
        parameters: {groupId: flag-${index}, rollout: "${index % 101}", stickiness: default}
type: release
`,
}))

test(`a plan of ${FLAGS} flags runs no query per flag, and an apply makes all of them in one transaction`, {
  timeout: 300_000,
}, async () => {
  expect((await applyFiles(server, files)).applied).toBe(FLAGS * 4)
  const exported = await exportFiles(server)
  const measure = async (given: typeof files) => {
    queries = 0
    const before = process.cpuUsage()
    const { changes } = await planFiles(server, given)
    const { user, system } = process.cpuUsage(before)
    return { changes: changes.length, queries, cpuMs: Math.round((user + system) / 1000) }
  }
  const unchanged = await measure(exported)
  const edited = await measure([
    { ...files[0], content: `${files[0]?.content}stale: true\n` } as (typeof files)[number],
    ...exported.filter(({ path }) => path !== 'flag-0.yaml'),
  ])
  const reformatted = await measure(files)
  process.stdout.write(`${JSON.stringify({ unchanged, edited, reformatted })}\n`)
  expect([unchanged.changes, edited.changes, reformatted.changes]).toEqual([0, 1, 0])
  expect(unchanged.queries).toBeLessThan(150)
  expect(reformatted.queries).toBeLessThan(150)
})
