import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { AnnouncedBodies, type Upload } from '../../support/announced-body.ts'
import { startServer, type TestServer, TOKENS } from '../scenario.ts'

/** No token, network or user can use all the memory for request bodies. */
const BULK = '/api/client/metrics/bulk'
const IMPORT = '/api/admin/features-batch/import'
const MEBIBYTE = 1024 * 1024
const LARGE = 100_000
const SMALL = 10_000
const HERE = '192.0.2.1'

let server: TestServer
let port: number
const bodies = new AnnouncedBodies()
beforeAll(async () => {
  server = await startServer({ trustProxy: ['loopback'], bodyMemoryLimit: MEBIBYTE })
  ;({ port } = await server.server.listen())
})
afterEach(async () => {
  bodies.close()
  await expect.poll(held).toBe('0')
})
afterAll(() => server.close())

const held = async () =>
  /^burgee_request_body_bytes (\d+)$/m.exec(
    (await server.call({ call: 'GET /internal-backstage/prometheus' })).body,
  )?.[1]

const upload = (token: string, from: string, bytes: number): Upload => ({
  path: BULK,
  from,
  bytes,
  credentials: [`Authorization: ${token}`],
})
const byUser = (name: string, from: string): Upload => ({
  path: IMPORT,
  from,
  bytes: LARGE,
  credentials: ['Origin: http://h', `Cookie: burgee-session=${name}-session`],
})
const network = (index: number) => `198.51.100.${index}`

const announce = (upload: Upload) => bodies.announce(port, upload)

test.each<{ name: string; first: (index: number) => Upload; count: number; next: Upload }>([
  {
    name: 'one token from many networks',
    first: (index) => upload(TOKENS.client, network(index), LARGE),
    count: 2,
    next: upload(TOKENS.production, HERE, LARGE),
  },
  {
    name: 'one network with several tokens',
    first: (index) => upload(index % 2 === 0 ? TOKENS.client : TOKENS.admin, HERE, LARGE),
    count: 2,
    next: upload(TOKENS.production, network(1), LARGE),
  },
  {
    name: 'one user from many networks',
    first: (index) => byUser('editor', network(index)),
    count: 2,
    next: upload(TOKENS.client, HERE, LARGE),
  },
  {
    name: 'small bodies of one network',
    first: (index) => upload(index % 2 === 0 ? TOKENS.client : TOKENS.admin, HERE, SMALL),
    count: 26,
    next: upload(TOKENS.production, network(1), SMALL),
  },
])('$name: half of the memory for bodies, and others are read', async ({ first, count, next }) => {
  const replies: string[] = []
  for (let index = 0; index <= count; index += 1) replies.push(await announce(first(index)))
  const refused = replies.pop()
  expect(replies.map((reply) => reply.slice(0, 12))).toEqual(replies.map(() => 'HTTP/1.1 100'))
  expect(refused).toMatch(/^HTTP\/1\.1 503 /)
  expect(refused).toMatch(/^retry-after: 5\r$/m)
  expect(refused).toContain('of your token or network are being read')
  expect(await announce(next)).toMatch(/^HTTP\/1\.1 100 /)
})

test('a large body leaves room for reports from the same network', async () => {
  expect(await announce(upload(TOKENS.client, HERE, 400_000))).toMatch(/^HTTP\/1\.1 100 /)
  expect(await announce(upload(TOKENS.client, HERE, SMALL))).toMatch(/^HTTP\/1\.1 100 /)
  expect(await announce(upload(TOKENS.client, HERE, LARGE))).toMatch(/^HTTP\/1\.1 503 /)
})
