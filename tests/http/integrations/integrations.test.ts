import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Storage and display of integrations. delivery.test.ts covers deliveries. */
const ADDONS = '/api/admin/addons'
const as = 'admin'
const SECRETS = {
  url: 'https://receiver.example/secret-of-url',
  authorization: 'Bearer secret-of-authorization',
  customHeaders: '{"X-Key": "secret-of-headers"}',
  signingSecret: 'secret-of-signature',
}
const WEBHOOK = {
  provider: 'webhook',
  enabled: true,
  description: 'd',
  parameters: { ...SECRETS, contentType: 'application/json' },
  events: ['feature-created'],
}
const MASKED = {
  ...Object.fromEntries(Object.keys(SECRETS).map((name) => [name, '*****'])),
  contentType: 'application/json',
}

let server: TestServer
beforeAll(async () => {
  server = await startServer({ secretKey: randomBytes(32).toString('base64') })
})
afterAll(() => server.close())

const post = (body: object) => server.call({ as, call: `POST ${ADDONS}`, body })
const stored = async () => JSON.stringify(await server.db.rows('select * from integrations'))
const withParameters = (parameters: object) => ({ ...WEBHOOK, parameters: { url: SECRETS.url, ...parameters } })

describe('integrations', () => {
  test('can be created, read, changed and removed, and no reply, event, log line or row reveals their secrets', async () => {
    const last = await server.lastEventId()
    const made = await post(WEBHOOK)
    expect(made.statusCode).toBe(201)
    const { id } = made.json()
    const one = `${ADDONS}/${id}`
    expect(made.json()).toEqual({
      id,
      provider: 'webhook',
      enabled: true,
      description: 'd',
      parameters: MASKED,
      events: ['feature-created'],
      projects: [],
      environments: [],
      createdAt: expect.any(String),
    })
    expect(await server.admin(`GET ${one}`)).toEqual(made.json())
    const { addons } = (await server.call({ as: 'viewer', call: `GET ${ADDONS}` })).json()
    expect(addons).toContainEqual(made.json())
    const changed = { ...made.json(), description: 'e', parameters: { ...MASKED, contentType: 'text/plain' } }
    expect(await server.admin(`PUT ${one}`, changed)).toEqual(changed)
    expect(await server.eventsAfter(last)).toEqual(['addon-config-created', 'addon-config-updated'])
    const all = JSON.stringify(await server.db.rows('select * from events')) + (await stored()) + server.logged.join()
    expect(all).not.toMatch(/secret-of/)
    expect((await server.call({ as, call: `DELETE ${one}` })).statusCode).toBe(200)
    expect((await server.call({ as, call: `GET ${one}` })).statusCode).toBe(404)
    expect((await server.eventsAfter(last)).at(-1)).toBe('addon-config-deleted')
  })

  test('a mask retains the stored secret and causes no event; a new secret causes one', async () => {
    const { id } = (await post(WEBHOOK)).json()
    const [before, last] = [await stored(), await server.lastEventId()]
    await server.admin(`PUT ${ADDONS}/${id}`, { ...WEBHOOK, parameters: MASKED })
    expect([await stored(), await server.eventsAfter(last)]).toEqual([before, []])
    await server.admin(`PUT ${ADDONS}/${id}`, { ...WEBHOOK, parameters: { ...MASKED, authorization: 'other' } })
    expect(await server.eventsAfter(last)).toEqual(['addon-config-updated'])
    expect(await stored()).not.toBe(before)
  })

  test('retained secrets are not sent to another address', async () => {
    const { id } = (await post(WEBHOOK)).json()
    const put = async (parameters: object) => {
      const reply = await server.call({ as, call: `PUT ${ADDONS}/${id}`, body: { ...WEBHOOK, parameters } })
      return [reply.statusCode, reply.json().details?.[0]?.path]
    }
    const [before, last] = [await stored(), await server.lastEventId()]
    for (const url of ['https://other.example/', 'http://receiver.example/', 'https://receiver.example:8443/']) {
      expect(await put({ ...MASKED, url })).toEqual([400, 'body/parameters/authorization'])
      expect(await put({ url, signingSecret: '*****' })).toEqual([400, 'body/parameters/signingSecret'])
    }
    expect([await stored(), await server.eventsAfter(last)]).toEqual([before, []])
    expect(await put({ ...MASKED, url: 'https://receiver.example/other' })).toEqual([200, undefined])
    expect(await put({ ...SECRETS, url: 'https://other.example/' })).toEqual([200, undefined])
    expect(await put({ url: 'https://receiver.example/' })).toEqual([200, undefined])
  })

  test.each([
    ['GET', ''],
    ['DELETE', ''],
    ['PUT', ''],
    ['GET', '/events'],
    ['POST', '/test'],
  ])('%s of an unknown one %s: 404', async (method, path) => {
    const body = method === 'PUT' ? { body: WEBHOOK } : method === 'POST' ? { body: {} } : {}
    for (const id of ['4711', 'x', '-1', '99999999999999']) {
      const reply = await server.call({ as, call: `${method} ${ADDONS}/${id}${path}`, ...body })
      expect([id, reply.statusCode]).toEqual([id, 404])
    }
  })

  test('supports all kinds of the protocol except slack-app', async () => {
    const { providers } = await server.admin(`GET ${ADDONS}`)
    const seen = providers.map(
      (one: { name: string; parameters: { name: string; required: boolean; sensitive: boolean }[] }) => [
        one.name,
        one.parameters.map((p) => `${p.name}${p.required ? '*' : ''}${p.sensitive ? '°' : ''}`).join(' '),
      ],
    )
    expect(seen).toEqual([
      ['webhook', 'url*° contentType authorization° customHeaders° bodyTemplate signingSecret°'],
      ['slack', 'url*° username emojiIcon defaultChannel* customHeaders°'],
      ['teams', 'url*° customHeaders°'],
      ['datadog', 'url apiKey*° sourceTypeName customHeaders° bodyTemplate'],
    ])
  })

  test('slack makes its type of tag, once', async () => {
    const slack = {
      provider: 'slack',
      enabled: false,
      parameters: { url: SECRETS.url, defaultChannel: 'c' },
      events: [],
    }
    const last = await server.lastEventId()
    await post(slack)
    await post(slack)
    expect(await server.eventsAfter(last)).toEqual(['tag-type-created', 'addon-config-created', 'addon-config-created'])
    expect(JSON.stringify(await server.admin('GET /api/admin/tag-types'))).toContain('"slack"')
  })
})

test('a read that is refused at once leaves no connection behind that goes on reading the state of that moment', async () => {
  const many = Array.from({ length: 20 }, (_, index) => index)
  await Promise.all(many.map(() => server.call({ as, call: 'GET /api/admin/segments/x' })))
  await server.admin('POST /api/admin/tag-types', { name: 'later' })
  const lists = await Promise.all(many.map(() => server.admin('GET /api/admin/tag-types')))
  expect(lists.filter((list) => !JSON.stringify(list).includes('"later"'))).toEqual([])
})

test('an actor who may not read events of users and credentials cannot have them sent anywhere', async () => {
  const kept = { ...WEBHOOK, events: ['feature-created', 'user-created', 'api-token-created'] }
  const made = await server.call({ as: 'admin', call: `POST ${ADDONS}`, body: kept })
  const last = await server.lastEventId()
  const before = await stored()
  for (const call of [`POST ${ADDONS}`, `PUT ${ADDONS}/${made.json().id}`]) {
    const reply = await server.call({ as: 'editor', call, body: { ...kept, description: 'mine' } })
    expect([reply.statusCode, reply.json().details[0].path]).toEqual([403, 'body/events'])
    expect(reply.json().message).toContain('user-created, api-token-created')
  }
  expect([await stored(), await server.eventsAfter(last)]).toEqual([before, []])
  await server.admin(`DELETE ${ADDONS}/${made.json().id}`)
})

describe('an invalid integration is refused with the parameter, and changes nothing', () => {
  test.each([
    ['an unknown provider', { ...WEBHOOK, provider: 'x' }, 'provider'],
    ['slack-app', { ...WEBHOOK, provider: 'slack-app' }, 'provider'],
    ['no address', { ...WEBHOOK, parameters: {} }, 'url'],
    ['a blank address', withParameters({ url: ' ' }), 'url'],
    ['a mask for nothing', withParameters({ authorization: '*****' }), 'authorization'],
    ['no URL', withParameters({ url: 'x' }), 'url'],
    ['another protocol', withParameters({ url: 'file:///etc/passwd' }), 'url'],
    ['loopback', withParameters({ url: 'http://127.0.0.1:1/' }), 'url'],
    ['localhost', withParameters({ url: 'http://localhost:1/' }), 'url'],
    ['metadata', withParameters({ url: 'http://169.254.169.254/latest' }), 'url'],
    ['loopback in another notation', withParameters({ url: 'http://2130706433/' }), 'url'],
    ['loopback of IPv6', withParameters({ url: 'http://[::ffff:127.0.0.1]/' }), 'url'],
    ['headers that are not JSON', withParameters({ customHeaders: 'X: y' }), 'customHeaders'],
    ['headers that are not an object', withParameters({ customHeaders: '[]' }), 'customHeaders'],
    ['a header with a break', withParameters({ customHeaders: '{"X": "a\\r\\nY: b"}' }), 'customHeaders'],
    ['the header Host', withParameters({ customHeaders: '{"Host": "a"}' }), 'customHeaders'],
    ['an authorization with a break', withParameters({ authorization: 'a\r\nX: y' }), 'authorization'],
    ['an unterminated template', withParameters({ bodyTemplate: '{{#a}}' }), 'bodyTemplate'],
    ['a template with a loose end', withParameters({ bodyTemplate: '{{/a}}' }), 'bodyTemplate'],
  ])('%s', async (_name, body, parameter) => {
    const last = await server.lastEventId()
    const before = await stored()
    const reply = await post(body)
    expect(reply.statusCode).toBe(400)
    expect(reply.json().details[0].path).toMatch(new RegExp(`^body/(parameters/)?${parameter}$`))
    expect(reply.body).not.toMatch(/secret-of/)
    expect([await stored(), await server.eventsAfter(last)]).toEqual([before, []])
  })
})

test.runIf(inject('driver') === 'postgres')('on PostgreSQL secrets are refused without a key', async () => {
  const keyless = await startServer()
  const reply = await keyless.call({ as, call: `POST ${ADDONS}`, body: WEBHOOK })
  expect([reply.statusCode, reply.json().message]).toEqual([409, expect.stringContaining('BURGEE_SECRET_KEY')])
  await keyless.close()
})
