import type { StartedEdge } from '@burgee/edge/edge-process'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ask } from '../../edge/http/edge-scene.ts'
import { runEdge } from '../../edge/http/running-edge.ts'
import { openRelay, type Relay } from '../../support/relay.ts'
import { until } from '../../support/wait.ts'
import { type ServerPair, startServerPair } from './server-pair.ts'
import { type FlagStream, openFlagStream } from './streams/flag-stream.ts'

/**
 * Tokens that are revoked after they were validated by an edge, and by another edge behind it. Both edges revalidate
 * tokens only once an hour. With PostgreSQL, the change is made on a different server than the edge's upstream.
 */
const TOKENS_PATH = '/api/admin/api-tokens'
const FEATURES = '/api/admin/projects/shop/features'
const SOON_MS = 1500
let pair: ServerPair
let relay: Relay
let near: StartedEdge
let far: StartedEdge
const streams: FlagStream[] = []

beforeAll(async () => {
  pair = await startServerPair()
  for (const id of ['shop', 'blog']) await pair.first.admin('POST /api/admin/projects', { id, name: id })
  await pair.first.admin(`POST ${FEATURES}`, { name: 'greeting' })
  relay = await openRelay({ host: '127.0.0.1', port: Number(new URL(pair.url).port) })
  const fetching = await addToken('client', { projects: ['*'] })
  near = await runEdge({
    UPSTREAM_URL: `http://127.0.0.1:${relay.port}`,
    TOKENS: fetching,
    DYNAMIC: 'true',
    DISABLE_INSTANCE_DATA_ENDPOINT: 'false',
  })
  far = await runEdge({
    UPSTREAM_URL: near.url,
    TOKENS: fetching,
    DYNAMIC: 'true',
    DISABLE_INSTANCE_DATA_ENDPOINT: 'false',
  })
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(async () => {
  await far.close()
  await near.close()
  await relay.close()
  await pair.close()
})

const CALLS = { client: 'GET /api/client/features', frontend: 'GET /api/frontend' } as const
type Kind = keyof typeof CALLS

async function addToken(type: Kind, wanted: object = {}): Promise<string> {
  const body = { tokenName: 'x', type, environment: 'development', projects: ['shop'], ...wanted }
  const { secret } = await pair.first.admin(`POST ${TOKENS_PATH}`, body)
  return secret
}

const statuses = (kind: Kind, token: string) =>
  Promise.all([near, far].map(async ({ url }) => (await ask(url, CALLS[kind], { token })).status))

/**
 * Waits until both edges follow streams that report token changes: they accept a new token, and reject it after it is
 * deleted.
 */
async function following(): Promise<void> {
  const token = await addToken('frontend')
  await until(async () => (await statuses('frontend', token)).every((status) => status === 200))
  await remove(token)
  await until(async () => (await statuses('frontend', token)).every((status) => status === 403))
}

const remove = (token: string) => pair.first.admin(`DELETE ${TOKENS_PATH}/${token}`)

test.each<Kind>(['client', 'frontend'])('both edges reject a deleted %s token and close its streams', async (kind) => {
  await following()
  const token = await addToken(kind)
  expect(await statuses(kind, token)).toEqual([200, 200])
  if (kind === 'client') for (const { url } of [near, far]) streams.push(await openFlagStream(url, token))
  await remove(token)
  await Promise.all(streams.map(({ ended }) => ended))
  await until(async () => (await statuses(kind, token)).every((status) => status === 403))
})

test('an expired token is refused by both edges', async () => {
  await following()
  const token = await addToken('frontend', { expiresAt: new Date(Date.now() + SOON_MS).toISOString() })
  expect(await statuses('frontend', token)).toEqual([200, 200])
  await until(async () => (await statuses('frontend', token)).every((status) => status === 403))
})

test('a token that loses a deleted project is for the others alone', async () => {
  await following()
  await pair.first.admin('POST /api/admin/projects', { id: 'going', name: 'going' })
  const token = await addToken('client', { projects: ['going', 'blog'] })
  expect(await statuses('client', token)).toEqual([200, 200])
  const projectsAt = async ({ url }: StartedEdge) => {
    const { json } = await ask(url, 'POST /edge/validate', { body: { tokens: [token] } })
    return (json as { tokens: { projects: string[] }[] }).tokens[0]?.projects.join()
  }
  expect(await projectsAt(far)).toBe('blog,going')
  await pair.first.admin('DELETE /api/admin/projects/going')
  await until(async () => (await Promise.all([near, far].map(projectsAt))).every((projects) => projects === 'blog'))
})

test('a token that is deleted while an edge is cut off is refused once it is connected again', async () => {
  await following()
  const token = await addToken('frontend')
  expect(await statuses('frontend', token)).toEqual([200, 200])
  relay.become('refused')
  await remove(token)
  expect(await statuses('frontend', token)).toEqual([200, 200])
  relay.become('through')
  await until(async () => (await statuses('frontend', token)).every((status) => status === 403))
})

test('the flags of an environment go with the last token that they are fetched with', async () => {
  await following()
  const token = await addToken('client', { environment: 'production', projects: ['shop'] })
  expect(await statuses('client', token)).toEqual([200, 200])
  const environmentsAt = async ({ url }: StartedEdge) => (await ask(url, 'GET /internal-backstage/instancedata')).text
  expect(await environmentsAt(near)).toContain('production')
  await remove(token)
  await until(async () =>
    (await Promise.all([near, far].map(environmentsAt))).every((text) => !text.includes('production')),
  )
})
