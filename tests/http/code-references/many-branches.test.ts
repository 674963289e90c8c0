import { MAX_PLACES } from '@burgee/protocol/administration/code-references'
import { MAX_LISTED_REFERENCES } from '@burgee/protocol/administration/removal'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * To remove a flag, the server reads only the places that it lists, because the places in all branches could exhaust
 * memory.
 */
const R = '/api/v2/code-refs/repositories'
const BRANCHES = 12
const statements: string[] = []
let server: TestServer

beforeAll(async () => {
  server = await startServer({}, Date.now, { onQuery: (sql) => void statements.push(sql) })
  const { admin } = server
  await admin('POST /api/admin/projects/default/features', { name: 'wide' })
  await admin(`POST ${R}`, { name: 'web' })
  for (let index = 0; index < BRANCHES; index += 1) {
    const hunks = Array.from({ length: MAX_PLACES + 10 }, (_, line) => ({
      startingLineNumber: line,
      lines: 'x'.repeat(2000),
      projKey: 'default',
      flagKey: 'wide',
    }))
    const name = index === BRANCHES - 1 ? 'main' : `branch-${index}`
    const references = [{ path: 'a.ts', hunks }]
    await admin(`PUT ${R}/web/branches/${name}`, { head: name, syncTime: Date.now(), references })
  }
})
afterAll(() => server.close())

test('reads the places of as many branches as it lists, the default branch first', async () => {
  statements.length = 0
  const removal = await server.admin('GET /api/admin/projects/default/features/wide/removal')
  expect(removal.references).toHaveLength(MAX_LISTED_REFERENCES)
  expect(removal.references[0]).toMatchObject({ branch: 'main', isDefaultBranch: true, revision: 'main' })
  expect(removal.referenceCount).toBe(MAX_PLACES + 10)
  const reading = statements.filter((sql) => /from "code_references"/.test(sql) && /"c"\.\*/.test(sql))
  const named = reading.map((sql) => sql.match(/"c"\."branch" = /g)?.length ?? 0)
  expect(named).toEqual([MAX_LISTED_REFERENCES / MAX_PLACES])
})
