import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer, TOKENS } from '../scenario.ts'

/** Evaluation by OpenFeature providers. Source: OFREP 0.3.0; the values come from the flag's definition. */
const FLAGS = 'POST /ofrep/v1/evaluate/flags'
const P = '/api/admin/projects/default/features'
const E = (name: string) => `${P}/${name}/environments/development`
const variant = (name: string, type: string, value: string, weight = 1000) => ({
  name,
  weight,
  payload: { type, value },
})
const rollout = (percent: number, more: object = {}) => ({
  name: 'flexibleRollout',
  parameters: { rollout: String(percent), stickiness: 'userId', groupId: 'g' },
  ...more,
})
const forSeven = { name: 'default', constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }] }

/** Strategies of the default project's flags. */
const STRATEGIES: Readonly<Record<string, object | undefined>> = {
  plain: undefined,
  off: undefined,
  'for-seven': forSeven,
  half: rollout(50),
  nobody: rollout(0),
  coloured: rollout(100, {
    variants: [
      { name: 'red', weight: 500 },
      { name: 'blue', weight: 500 },
    ],
  }),
  text: rollout(100, { variants: [variant('hello', 'string', 'Hello')] }),
  list: rollout(100, { variants: [variant('abc', 'csv', 'a,b,c')] }),
  whole: rollout(100, { variants: [variant('seven', 'number', '7.0')] }),
  number: rollout(100, { variants: [variant('pi', 'number', '3.14')] }),
  object: rollout(100, { variants: [variant('one', 'json', '{"a":1}')] }),
  'object-for-seven': { ...forSeven, variants: [variant('one', 'json', '{"a":1}')] },
  'object-off': rollout(100, { variants: [variant('one', 'json', '{"a":1}')] }),
  mixed: rollout(100, { variants: [variant('one', 'json', '{}', 500), variant('two', 'string', 'x', 500)] }),
}
const NAMES = Object.keys(STRATEGIES).sort()

let server: TestServer
/** Frontend token of another project. */
let theirs: string
beforeAll(async () => {
  server = await startServer({
    tokenGuessLimitPerMinute: 5,
  })
  const { admin } = server
  await admin('POST /api/admin/projects', { id: 'another', name: 'Another' })
  await admin('POST /api/admin/projects/another/features', { name: 'theirs' })
  const token = { type: 'frontend', tokenName: 'theirs', environment: 'development', projects: ['another'] }
  ;({ secret: theirs } = await admin('POST /api/admin/api-tokens', token))
  for (const [name, strategy] of Object.entries(STRATEGIES)) {
    await admin(`POST ${P}`, { name, impressionData: name === 'plain' })
    if (strategy !== undefined) await admin(`POST ${E(name)}/strategies`, strategy)
    if (!/^off|-off$/.test(name)) await admin(`POST ${E(name)}/on`)
  }
  await admin(`POST ${P}`, { name: 'gone' })
  await admin(`DELETE ${P}/gone`)
})
afterAll(() => server.close())

const one = (name: string, context?: object): Pick<Scenario, 'call' | 'body' | 'as'> => ({
  as: 'client',
  call: `${FLAGS}/${name}`,
  ...(context === undefined ? {} : { body: { context } }),
})
const metadata = { enabled: true, project: 'default', type: 'release', stale: false, impressionData: false }
const seven = { targetingKey: '7' }
const eight = { targetingKey: '8' }

describe('one flag', () => {
  const rows: readonly [string, object, object][] = [
    ['plain', seven, { value: true, reason: 'STATIC', variant: 'on', metadata: { ...metadata, impressionData: true } }],
    ['off', seven, { value: false, reason: 'DISABLED', variant: 'off', metadata: { ...metadata, enabled: false } }],
    ['for-seven', seven, { value: true, reason: 'TARGETING_MATCH', metadata }],
    ['for-seven', eight, { value: false, reason: 'TARGETING_MATCH', metadata: { ...metadata, enabled: false } }],
    ['for-seven', { targetingKey: '7', userId: '8' }, { value: true }],
    ['for-seven', { userId: '7' }, { value: true }],
    ['half', seven, { reason: 'SPLIT' }],
    ['nobody', seven, { value: false, reason: 'SPLIT' }],
    ['coloured', seven, { value: true, variant: expect.stringMatching(/red|blue/), reason: 'SPLIT' }],
    ['text', seven, { value: 'Hello', variant: 'hello', metadata: { ...metadata, payloadType: 'string' } }],
    ['list', seven, { value: 'a,b,c', variant: 'abc', metadata: { ...metadata, payloadType: 'csv' } }],
    ['whole', seven, { value: 7, variant: 'seven' }],
    ['number', seven, { value: 3.14, variant: 'pi', metadata: { ...metadata, payloadType: 'number' } }],
    ['object', seven, { value: { a: 1 }, variant: 'one', metadata: { ...metadata, payloadType: 'json' } }],
    ['object-for-seven', seven, { value: { a: 1 }, variant: 'one', reason: 'TARGETING_MATCH' }],
    ['mixed', seven, { value: true, variant: expect.stringMatching(/one|two/), reason: 'SPLIT' }],
  ]
  scenarios(
    () => server,
    rows.map(([name, context, has]) => ({
      name: `${name} for ${JSON.stringify(context)}`,
      ...one(name, context),
      status: 200,
      has: { key: name, ...has },
      events: [],
    })),
  )

  test.each([
    ['object-for-seven', eight, 'TARGETING_MATCH'],
    ['object-off', seven, 'DISABLED'],
  ])('%s for %j has no value, so the default of the application counts', async (name, context, reason) => {
    const reply = await server.call(one(name, context))
    expect(reply.json()).toEqual({ key: name, reason, variant: 'off', metadata: { ...metadata, enabled: false } })
  })

  test('a number is sent as it is written', async () => {
    expect((await server.call(one('whole', seven))).body).toContain('"value":7.0,')
    expect((await server.call({ as: 'client', call: FLAGS, body: { context: seven } })).body).toContain('"value":7.0,')
  })

  scenarios(
    () => server,
    [
      { name: 'without a body', ...one('plain'), status: 200, has: { value: true } },
      { name: 'without a context', ...one('plain'), body: {}, status: 200, has: { value: true } },
      { name: 'as a frontend', ...one('plain', {}), as: 'frontend', status: 200 },
      { name: 'as an admin', ...one('theirs', {}), as: 'admin', status: 200 },
      { name: 'in production', ...one('plain', {}), as: 'production', status: 200, has: { reason: 'DISABLED' } },
      {
        name: 'of another environment than the token’s',
        ...one('plain', { environment: 'production' }),
        status: 200,
        has: { value: true },
      },
    ],
  )
})

const notFound = (key: string) => ({ key, errorCode: 'FLAG_NOT_FOUND', errorDetails: expect.any(String) })
const invalid = { errorCode: 'INVALID_CONTEXT', errorDetails: expect.any(String) }
const unreadable = { errorCode: 'PARSE_ERROR', errorDetails: expect.any(String) }

describe('failures', () => {
  scenarios(
    () => server,
    [
      ...['nope', 'theirs', 'gone', 'constructor', '__proto__'].map((name) => ({
        name: `there is no ${name}`,
        ...one(name, {}),
        status: 404,
        has: notFound(name),
      })),
      ...(
        [
          ['a b/c', 'a%20b/c'],
          ['a b/c', 'a%20b%2Fc'],
          ['100%', '100%'],
          ['100%', '100%25'],
          ['100% é', '100%%20%C3%A9'],
          ['%E4', '%E4'],
        ] as const
      ).map(([key, sent]) => ({
        name: `a key that is sent as ${sent}`,
        ...one(sent, {}),
        status: 404,
        has: notFound(key),
      })),
      {
        name: 'no JSON',
        as: 'client',
        call: `${FLAGS}/plain`,
        raw: '{',
        status: 400,
        has: { key: 'plain', ...unreadable },
      },
      {
        name: 'another type',
        ...one('plain', {}),
        headers: { 'content-type': 'text/plain' },
        status: 400,
        has: invalid,
      },
      ...[[], 'x', 5, null].map((context) => ({
        name: `a context that is ${JSON.stringify(context)}`,
        as: 'client',
        call: `${FLAGS}/plain`,
        body: { context },
        status: 400,
        has: { key: 'plain', ...invalid },
      })),
      { name: 'a body that is a list', as: 'client', call: FLAGS, body: [], status: 400, has: invalid },
      { name: 'all flags, no JSON', as: 'client', call: FLAGS, raw: '{', status: 400, has: unreadable },
      { name: 'anonymous', call: FLAGS, body: {}, status: 401 },
      { name: 'a session', as: 'editor', call: FLAGS, body: {}, status: 401 },
      { name: 'by GET', as: 'client', call: 'GET /ofrep/v1/evaluate/flags', status: 404 },
      {
        name: 'the configuration, which is gone since 0.3',
        as: 'client',
        call: 'GET /ofrep/v1/configuration',
        status: 404,
      },
    ],
  )

  test('too many wrong tokens: 429 with the time to wait', async () => {
    for (let round = 0; round < 6; round++)
      await server.call({ as: `*:development.wrong${round}`, call: FLAGS, body: {} })
    const reply = await server.call({ as: '*:development.wrong', call: FLAGS, body: {} })
    expect([reply.statusCode, Number(reply.headers['retry-after'])]).toEqual([429, expect.any(Number)])
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('all flags', () => {
  const bulk = async (as: string, context?: object, headers: Record<string, string> = {}) =>
    server.call({ as, call: FLAGS, ...(context === undefined ? {} : { body: { context } }), headers })

  test('come sorted by name, including those that are off', async () => {
    const reply = await bulk('frontend', seven)
    const { flags, metadata: common } = reply.json()
    expect(flags.map(({ key }: { key: string }) => key)).toEqual(NAMES)
    expect(common).toEqual({ environment: 'development' })
    for (const flag of flags) {
      const alone = await server.call(one(flag.key, seven))
      expect(flag).toEqual(alone.json())
    }
  })

  test("come only from the token's projects and environment", async () => {
    expect((await server.call({ ...one('plain', {}), as: theirs })).json()).toEqual(notFound('plain'))
    expect((await bulk(theirs)).json().flags).toMatchObject([{ key: 'theirs' }])
    expect((await bulk('production')).json()).toMatchObject({ metadata: { environment: 'production' } })
  })

  test('have a tag that depends on the context', async () => {
    const first = await bulk('frontend', { ...seven, plan: 'free' })
    const tag = String(first.headers.etag)
    const again = await bulk('frontend', { ...seven, plan: 'paid' }, { 'if-none-match': tag })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', tag])
    const other = await bulk('frontend', eight, { 'if-none-match': tag })
    expect([other.statusCode, other.headers.etag === tag]).toEqual([200, false])
  })

  test('have another tag after a change that the token can see, and the same after one that it cannot', async () => {
    const { admin } = server
    const tag = String((await bulk('frontend', seven)).headers.etag)
    await admin('POST /api/admin/projects/another/features', { name: 'theirs-too' })
    await admin('POST /api/admin/projects/another/features/theirs-too/environments/development/on')
    expect((await bulk('frontend', seven, { 'if-none-match': tag })).statusCode).toBe(304)
    await admin(`POST ${E('off')}/on`)
    const after = await bulk('frontend', seven, { 'if-none-match': tag })
    expect(after.statusCode).toBe(200)
    expect(after.json().flags.find(({ key }: { key: string }) => key === 'off')).toMatchObject({ value: true })
    await admin(`POST ${E('off')}/off`)
    expect((await bulk('frontend', seven, { 'if-none-match': tag })).statusCode).toBe(304)
  })

  test('appear and disappear at once for every way of asking', async () => {
    const { admin } = server
    const { secret } = await admin('POST /api/admin/api-tokens', {
      tokenName: 'growing',
      type: 'frontend',
      environment: 'production',
      projects: ['another'],
    })
    const place = (name: string) => `/api/admin/projects/another/features/${name}`
    const seen = async () => {
      const { flags } = (await bulk(secret, {})).json()
      const { toggles } = (await server.call({ as: secret, call: 'GET /api/frontend' })).json()
      const on = (flags as { key: string; value: boolean }[]).filter(({ value }) => value).map(({ key }) => key)
      return [on.sort(), (toggles as { name: string }[]).map(({ name }) => name).sort()]
    }
    await seen()
    const there: string[] = []
    for (const name of ['growing-b', 'growing-a', 'growing-c']) {
      await admin('POST /api/admin/projects/another/features', { name })
      await admin(`POST ${place(name)}/environments/production/on`)
      there.push(name)
      expect(await seen()).toEqual([there.toSorted(), there.toSorted()])
    }
    await admin(`POST ${place('growing-a')}/environments/production/off`)
    expect(await seen()).toEqual([
      ['growing-b', 'growing-c'],
      ['growing-b', 'growing-c'],
    ])
    await admin(`DELETE ${place('growing-b')}`)
    expect(await seen()).toEqual([['growing-c'], ['growing-c']])
    for (const name of ['growing-a', 'growing-c']) await admin(`DELETE ${place(name)}`)
    expect(await seen()).toEqual([[], []])
  })

  test.each([
    ['plain', { authorization: TOKENS.frontend }],
    ['behind Bearer', { authorization: `Bearer ${TOKENS.frontend}` }],
    ['as X-API-Key', { 'x-api-key': TOKENS.frontend }],
  ])('accept the token %s', async (_form, headers) => {
    const reply = await server.call({ call: FLAGS, body: {}, headers })
    expect(reply.statusCode).toBe(200)
    const doubled = await server.call({ call: 'POST //ofrep/v1/evaluate/flags', body: {}, headers })
    expect(doubled.body).toBe(reply.body)
  })

  test.each([
    { name: 'valid', authorization: TOKENS.frontend, key: 'default:development.unknown', isAccepted: true },
    // 401, or 429 after other tests have guessed tokens
    { name: 'unknown', authorization: 'default:development.unknown', key: TOKENS.frontend, isAccepted: false },
    { name: 'empty', authorization: '', key: TOKENS.frontend, isAccepted: false },
  ])(
    'use only the Authorization header if both are sent and it is $name',
    async ({ authorization, key, isAccepted }) => {
      const reply = await server.call({ call: FLAGS, body: {}, headers: { authorization, 'x-api-key': key } })
      expect(reply.statusCode === 200).toBe(isAccepted)
    },
  )

  test('X-API-Key opens nothing else', async () => {
    const headers = { 'x-api-key': TOKENS.admin }
    for (const call of ['GET /api/frontend', 'GET /api/client/features', 'GET /api/admin/projects'])
      expect((await server.call({ call, headers })).statusCode).toBe(401)
  })
})

test('pages of other origins may ask, and read what providers read', async () => {
  const preflight = await server.call({
    call: 'OPTIONS /ofrep/v1/evaluate/flags',
    headers: {
      origin: 'https://page.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,if-none-match,x-api-key',
    },
  })
  expect(preflight).toMatchObject({
    statusCode: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': 'authorization,content-type,if-none-match,x-api-key',
    },
  })
  const headers = { origin: 'https://page.example' }
  const reply = await server.call({ as: 'frontend', call: FLAGS, body: {}, headers })
  expect(reply.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag, Retry-After',
    'content-type': 'application/json; charset=utf-8',
  })
})

test('a single evaluation is a use, a list is none', async () => {
  const used = async () => {
    await server.server.flush()
    const rows = await server.db.rows(
      "select yes, no from client_metrics where app_name = 'openfeature' and feature_name = 'list'",
    )
    return rows.reduce((sum, { yes }) => sum + Number(yes), 0)
  }
  const before = await used()
  await server.call(one('list', seven))
  expect(await used()).toBe(before + 1)
  await server.call({ as: 'frontend', call: FLAGS, body: { context: seven } })
  expect(await used()).toBe(before + 1)
})
