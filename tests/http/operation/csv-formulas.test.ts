import type { BurgeeServer } from '@burgee/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Names that users and strangers choose are no formulas in any CSV of the API. */
const FORMULA = '=HYPERLINK("https://evil.example";"a")'
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await server.admin('POST /api/admin/user-admin', { email: 'a@b.example', name: FORMULA, rootRole: 3 })
  await server.admin('POST /api/admin/projects', { id: 'sheet', name: FORMULA, description: FORMULA })
  // a stranger without an account
  await server.call({ call: 'POST /auth/simple/login', body: { username: FORMULA, password: 'x' } })
})
afterAll(() => server.close())

type Routes = BurgeeServer['routes']

function isCsv({ replies }: Routes[number]): boolean {
  return Object.values(replies).some((reply) => [reply?.contentType, reply?.textType].includes('text/csv'))
}

test('no cell of a CSV is a formula, in any route that returns one', async () => {
  const urls = server.server.routes.filter(isCsv).map(({ method, url }) => `${method} ${url}`)
  expect(urls.sort()).toEqual([
    'GET /api/admin/access/overview',
    'GET /api/admin/event-export',
    'GET /api/admin/instance-admin/statistics/csv',
    'GET /api/admin/logins',
  ])
  const bodies = await Promise.all(
    urls.map(async (url) => {
      const call = url.endsWith('event-export') ? `${url}?format=csv` : url
      const reply = await server.call({ as: 'admin', call, headers: { accept: 'text/csv' } })
      expect([url, reply.statusCode, reply.headers['content-type']]).toEqual([url, 200, 'text/csv; charset=utf-8'])
      return reply.body
    }),
  )
  const cells = bodies.join('').matchAll(/"((?:[^"]|"")*)"/g)
  const parts = [...cells].flatMap(([, cell = '']) => cell.split(/[;\t\r\n]/))
  expect(parts.filter((part) => /^[\s\p{C}"']*[=+\-@]/u.test(part) && !part.startsWith("'"))).toEqual([])
  expect(bodies.filter((body) => body.includes('HYPERLINK')).length).toBeGreaterThan(1)
})
