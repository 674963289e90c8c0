import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Names under which events show changes of the server itself: no operation can give such a name to an account. */
const A = '/api/admin'
const PASSWORD = 'purple-dog-elbow-44'
const as = 'admin'
let server: TestServer
let invite = ''
let scim = ''

beforeAll(async () => {
  server = await startServer()
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  invite = (await server.admin(`POST ${A}/invite-link/tokens`, { name: 'Team', expiresAt })).secret
  await server.admin(`POST ${A}/scim-settings`, { enabled: true })
  scim = (await server.admin(`POST ${A}/scim-settings/generate-new-token`)).token
})
afterAll(() => server.close())

const SCHEMAS = ['urn:ietf:params:scim:schemas:core:2.0:User']
const viaScim = (userName: string) => ({
  headers: { authorization: `Bearer ${scim}`, 'content-type': 'application/scim+json' },
  call: 'POST /scim/v2/Users',
  body: {
    schemas: SCHEMAS,
    userName,
    name: { formatted: 'N' },
    emails: [{ value: 'scim@corp.example' }],
    active: true,
  },
})
const WAYS = {
  'an administrator': (username: string) => ({ as, call: `POST ${A}/user-admin`, body: { username, rootRole: 3 } }),
  'a service account': (username: string) => ({
    as,
    call: `POST ${A}/service-account`,
    body: { username, name: 'S', rootRole: 3 },
  }),
  'an invite link': (username: string) => ({
    call: `POST /invite/${invite}/signup`,
    body: { username, email: 'new@corp.example', password: PASSWORD },
  }),
  'a directory': viaScim,
}

test.each(Object.entries(WAYS))('%s cannot create an account with a reserved name', async (_who, request) => {
  const last = await server.lastEventId()
  for (const name of ['system', 'SYSTEM', 'sуstem', 'user 7', 'import']) {
    const reply = await server.call(request(name))
    expect([name, reply.statusCode, reply.body]).toEqual([name, 400, expect.stringMatching(/reserved|alphabets/)])
  }
  expect(await server.eventsAfter(last)).toEqual([])
})
