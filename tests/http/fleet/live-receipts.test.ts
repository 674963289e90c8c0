import type { Fleet } from '@burgee/protocol/administration/delivery-receipt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenStream, openStream } from '../events/open-stream.ts'
import { startServer, type TestServer, TOKENS } from '../scenario.ts'

/** Messages about receipts, and what viewers may see of private projects in them. */
const FLAG = '/api/admin/projects/secret/features/hidden-flag'
const VIEWER = { cookie: 'burgee-session=viewer-session' }
let server: TestServer
let url: string
let sdk: string
const streams: OpenStream[] = []

beforeAll(async () => {
  server = await startServer()
  ;({ url } = await server.server.listen())
  await server.admin('POST /api/admin/projects', { id: 'secret', name: 'Secret', mode: 'private' })
  await server.admin('POST /api/admin/projects/secret/features', { name: 'hidden-flag' })
  const token = await server.admin('POST /api/admin/api-tokens', {
    tokenName: 'sdk',
    type: 'client',
    environment: 'development',
    projects: ['secret'],
  })
  sdk = token.secret
})
afterAll(async () => {
  for (const stream of streams) stream.close()
  await server.close()
})

async function follow(headers: Readonly<Record<string, string>>): Promise<OpenStream> {
  const stream = await openStream(`${url}/api/admin/event-stream`, headers)
  streams.push(stream)
  await stream.next(({ event }) => event === 'connected')
  return stream
}

/** Polls twice, so that the process has the current flags. */
async function poll(): Promise<void> {
  const headers: Record<string, string> = {
    'unleash-connection-id': '0f8fad5b-d9cb-469f-a165-00000000abcd',
    'unleash-appname': 'secret-app',
    'unleash-interval': '15000',
  }
  const call = 'GET /api/client/features'
  const first = await server.call({ as: sdk, call, headers })
  await server.call({ as: sdk, call, headers: { ...headers, 'if-none-match': String(first.headers.etag) } })
}

test('a message names the changes whose receipts have changed, to those who may see the project', async () => {
  const admin = await follow({ authorization: TOKENS.admin })
  const viewer = await follow(VIEWER)
  await server.admin(`POST ${FLAG}/environments/development/on`)
  await poll()
  const { data } = await admin.next(({ event }) => event === 'delivery')
  const { changes } = data as { changes: { featureName: string | null; project: string | null }[] }
  expect(changes).toContainEqual({
    id: expect.any(Number),
    project: 'secret',
    environment: 'development',
    featureName: 'hidden-flag',
  })
  expect(JSON.stringify(viewer.heard)).not.toContain('hidden-flag')
})

test('a viewer sees neither receipts nor applications of a private project', async () => {
  const receipt = `GET ${FLAG}/environments/development/delivery`
  expect((await server.call({ as: 'admin', call: receipt })).statusCode).toBe(200)
  expect((await server.call({ as: 'viewer', call: receipt })).statusCode).toBe(404)
  const list = async (as: string) => {
    const fleet: Fleet = (await server.call({ as, call: 'GET /api/admin/fleet' })).json()
    return fleet.applications.map(({ appName }) => appName)
  }
  expect(await list('admin')).toContain('secret-app')
  expect(await list('viewer')).not.toContain('secret-app')
})
