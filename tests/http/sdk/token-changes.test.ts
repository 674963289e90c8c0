import { createHash } from 'node:crypto'
import { TOKEN_CHANGES_EVENT, TOKEN_CHANGES_HEADER, type TokenChanges } from '@burgee/protocol/token-changes'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { until } from '../../support/wait.ts'
import { type ServerPair, startServerPair } from './server-pair.ts'
import { type FlagStream, openFlagStream } from './streams/flag-stream.ts'

/**
 * Token changes reported by streams. With PostgreSQL, the change is made on a different server than the server of the
 * stream.
 */
const ASKS = { [TOKEN_CHANGES_HEADER]: '1' }
const TOKENS_PATH = '/api/admin/api-tokens'
const SOON_MS = 800
let pair: ServerPair
/** Token of all projects of one environment. */
let wide: string
const streams: FlagStream[] = []

beforeAll(async () => {
  pair = await startServerPair()
  for (const id of ['shop', 'blog']) await addProject(id)
  wide = await addToken({ projects: ['*'] })
})
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close()
  // a server without open streams drops the tokens, and reloads them when the next stream opens
  await until(async () => (await seriesOfSecond()).includes('burgee_streams{kind="sdk"} 0'))
})
afterAll(() => pair.close())

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const seriesOfSecond = async () => (await pair.second.call({ call: 'GET /internal-backstage/prometheus' })).body
const addProject = (id: string) => pair.first.admin('POST /api/admin/projects', { id, name: id })

async function addToken(wanted: object): Promise<string> {
  const body = { tokenName: 'x', type: 'client', environment: 'development', projects: ['shop'], ...wanted }
  const { secret } = await pair.first.admin(`POST ${TOKENS_PATH}`, body)
  await secondCatchesUp()
  return secret
}

/**
 * Waits until the second server has received every event of the first server. Until then, it may not know the hash of a
 * new token.
 */
async function secondCatchesUp(): Promise<void> {
  const revision = revisionIn((await pair.first.call({ call: 'GET /internal-backstage/prometheus' })).body)
  await until(async () => revisionIn(await seriesOfSecond()) >= revision)
}

const revisionIn = (series: string) => Number(/^burgee_revision (\d+)/m.exec(series)?.[1])

/** Opens a stream and waits until it reports every change from now on. */
async function follow(token: string, headers: Readonly<Record<string, string>> = ASKS): Promise<FlagStream> {
  const stream = await openFlagStream(pair.url, token, headers)
  streams.push(stream)
  await until(() => (headers === ASKS ? changesOf(stream).some(({ all }) => all) : stream.events.length > 0))
  return stream
}

function changesOf({ events }: FlagStream): TokenChanges[] {
  return events.filter(({ event }) => event === TOKEN_CHANGES_EVENT).map(({ data }) => JSON.parse(data))
}

/** Returns the token hashes that a stream has reported since it began, by kind of change. */
function toldOf(stream: FlagStream): { revoked: string[]; changed: string[] } {
  const [, ...changes] = changesOf(stream)
  return { revoked: changes.flatMap(({ revoked }) => revoked), changed: changes.flatMap(({ changed }) => changed) }
}

const inAMoment = () => new Date(Date.now() + SOON_MS).toISOString()

test.each<{
  name: string
  token: object
  change?: (token: string) => Promise<unknown>
  told: 'revoked' | 'changed'
}>([
  {
    name: 'a deleted token',
    token: {},
    change: (token) => pair.first.admin(`DELETE ${TOKENS_PATH}/${token}`),
    told: 'revoked',
  },
  {
    name: 'a deleted token of a front end',
    token: { type: 'frontend' },
    change: (token) => pair.first.admin(`DELETE ${TOKENS_PATH}/${token}`),
    told: 'revoked',
  },
  { name: 'a token that expires', token: { expiresAt: inAMoment }, told: 'revoked' },
  {
    name: 'a token whose expiry is set to the past',
    token: {},
    change: (token) => pair.first.admin(`PUT ${TOKENS_PATH}/${token}`, { expiresAt: '2020-01-01T00:00:00Z' }),
    told: 'revoked',
  },
  {
    name: 'a token whose expiry is set to a moment ahead',
    token: {},
    change: (token) => pair.first.admin(`PUT ${TOKENS_PATH}/${token}`, { expiresAt: inAMoment() }),
    told: 'revoked',
  },
  {
    name: 'a token that loses a deleted project',
    token: { projects: ['blog', 'going'] },
    change: () => pair.first.admin('DELETE /api/admin/projects/going'),
    told: 'changed',
  },
])('$name is reported as $told', async ({ token, change, told }) => {
  if (told === 'changed') await addProject('going')
  const given = 'expiresAt' in token ? { ...token, expiresAt: inAMoment() } : token
  const text = await addToken(given)
  const stream = await follow(wide)
  await change?.(text)
  await until(() => toldOf(stream)[told].includes(hashOf(text)))
  expect(stream.events.map(({ data }) => data).join()).not.toContain(text)
})

test('a token is reported as revoked on its own stream before that ends', async () => {
  const text = await addToken({})
  const stream = await follow(text)
  await pair.first.admin(`DELETE ${TOKENS_PATH}/${text}`)
  await stream.ended
  expect(toldOf(stream).revoked).toContain(hashOf(text))
})

test('a stream receives only tokens of its environment that share a project with its own', async () => {
  const own = await addToken({ projects: ['shop'] })
  const texts = {
    same: await addToken({ projects: ['shop', 'blog'] }),
    all: await addToken({ projects: ['*'] }),
    otherProject: await addToken({ projects: ['blog'] }),
    otherEnvironment: await addToken({ environment: 'production' }),
  }
  const last = await addToken({})
  const [stream, other] = [await follow(own), await follow(wide)]
  for (const text of Object.values(texts)) await pair.first.admin(`DELETE ${TOKENS_PATH}/${text}`)
  await pair.first.admin(`DELETE ${TOKENS_PATH}/${last}`)
  await until(() => [stream, other].every((one) => toldOf(one).revoked.includes(hashOf(last))))
  const toldAs = (one: FlagStream) =>
    Object.entries(texts).flatMap(([name, text]) => (toldOf(one).revoked.includes(hashOf(text)) ? [name] : []))
  expect([toldAs(stream), toldAs(other)]).toEqual([
    ['same', 'all'],
    ['same', 'all', 'otherProject'],
  ])
})

test('a stream that starts just after a token was revoked receives it, as other servers may not know yet', async () => {
  const text = await addToken({})
  const earlier = await follow(wide)
  await pair.first.admin(`DELETE ${TOKENS_PATH}/${text}`)
  await until(() => toldOf(earlier).revoked.includes(hashOf(text)))
  const [begin] = changesOf(await follow(wide))
  expect(begin).toMatchObject({ all: true, revoked: expect.arrayContaining([hashOf(text)]) })
})

test('a token created and deleted during a stream is reported, or every token must be validated', async () => {
  const stream = await follow(wide)
  const text = await addToken({})
  await pair.first.admin(`DELETE ${TOKENS_PATH}/${text}`)
  await until(() =>
    changesOf(stream)
      .slice(1)
      .some(({ revoked, all }) => all || revoked.includes(hashOf(text))),
  )
})

test('a stream that does not ask for tokens gets the same flags, and nothing of tokens', async () => {
  const text = await addToken({})
  const [asking, plain] = [await follow(wide), await follow(wide, {})]
  await pair.first.admin(`DELETE ${TOKENS_PATH}/${text}`)
  await until(() => toldOf(asking).revoked.includes(hashOf(text)))
  await pair.first.admin('POST /api/admin/projects/default/features', { name: 'later' })
  await until(() => [asking, plain].every((stream) => stream.holding().features.has('later')))
  const flags = asking.events.filter(({ event }) => event !== TOKEN_CHANGES_EVENT)
  expect(plain.events).toEqual(flags)
})
