import { createHmac, randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { type EmptyPlace, readyPlace } from '../../support/place.ts'
import { until } from '../../support/wait.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** Deliveries to real receivers, over sockets. */
const ADDONS = '/api/admin/addons'
const F = '/api/admin/projects/default/features'
const KEY = randomBytes(32).toString('hex')
const ending: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of ending.splice(0).reverse()) await one.close()
})

type Resolve = (host: string) => Promise<{ address: string; family: number }[]>
interface Given {
  readonly options?: object
  readonly pausesMs?: readonly number[]
  readonly resolve?: Resolve
  readonly place?: EmptyPlace
}

/** Starts a listening server that delivers events, by default also to local addresses. */
async function start({ options = {}, place, ...deliveries }: Given = {}): Promise<TestServer> {
  const given = { secretKey: KEY, integrationAllowPrivateAddresses: true, shutdownDelay: 0, ...options }
  const more = { deliveries: { pausesMs: [20, 20, 20], ...deliveries }, ...(place === undefined ? {} : { place }) }
  const server = await startServer(given, Date.now, more)
  await server.server.listen()
  return server
}

async function running(given: Given = {}): Promise<TestServer> {
  const server = await start(given)
  ending.push(server)
  return server
}

async function receiver(): Promise<Receiver> {
  const one = await startReceiver()
  ending.push(one)
  return one
}

async function webhook(server: TestServer, url: string, more: object = {}, parameters: object = {}): Promise<string> {
  const body = { provider: 'webhook', enabled: true, events: ['feature-created'], parameters: { url, ...parameters } }
  const { id } = await server.admin(`POST ${ADDONS}`, { ...body, ...more })
  return `${ADDONS}/${id}`
}

async function create(server: TestServer, ...names: string[]): Promise<void> {
  for (const name of names) await server.admin(`POST ${F}`, { name })
}

interface Line {
  readonly state: string
  readonly stateDetails: string
  readonly status: number | null
  readonly attempt: number
  readonly eventId: number | null
  readonly durationMs: number
  readonly event: { readonly featureName: string } | null
}
const logOf = async (server: TestServer, one: string): Promise<Line[]> =>
  (await server.admin(`GET ${one}/events`)).integrationEvents

describe('a webhook', () => {
  test('gets the event in the format of lists, with its headers, and a signature over time and body', async () => {
    const [server, to] = [await running(), await receiver()]
    const parameters = { authorization: 'Bearer a', customHeaders: '{"X-Team": "b"}', signingSecret: 's' }
    const one = await webhook(server, `${to.url}/hook?x=1`, {}, parameters)
    await create(server, 'f')
    await until(() => to.received.length === 1)
    const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = to.received
    const { events } = await server.admin('GET /api/admin/events/f')
    const { ip: _, ...event } = events[0]
    expect(JSON.parse(body)).toEqual(event)
    expect([path, headers['content-type'], headers.authorization, headers['x-team']]).toEqual([
      ...['/hook?x=1', 'application/json', 'Bearer a', 'b'],
    ])
    const [, time, sum] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-burgee-signature'])) ?? []
    expect(sum).toBe(createHmac('sha256', 's').update(`${time}.${body}`).digest('hex'))
    expect(Math.abs(Date.now() / 1000 - Number(time))).toBeLessThan(60)
    const [line] = await until(async () => ((await logOf(server, one)).length === 1 ? logOf(server, one) : undefined))
    expect(line).toMatchObject({ state: 'success', status: 200, attempt: 1, eventId: event.id, stateDetails: '' })
    expect(line?.event?.featureName).toBe('f')
  })

  test.each([
    ['{"t": {{#json}}{{event.type}} "{{event.featureName}}"{{/json}}, "e": {{{eventJson}}}}', true],
    ['{{event.type}} & {{event.createdBy}}', false],
  ])('gets what a template makes: %s', async (bodyTemplate, isJson) => {
    const [server, to] = [await running(), await receiver()]
    await webhook(server, to.url, {}, { bodyTemplate })
    await create(server, 'f')
    await until(() => to.received.length === 1)
    const body = to.received[0]?.body ?? ''
    if (!isJson) return expect(body).toMatch(/^feature-created & /)
    const parsed = JSON.parse(body)
    expect(parsed.t).toBe('feature-created "f"')
    expect(JSON.parse(parsed.e)).toMatchObject({ type: 'feature-created', featureName: 'f' })
  })

  test.each([
    [{ projects: ['other'] }, []],
    [{ projects: ['default'] }, ['feature-created', 'feature-environment-enabled']],
    [{ projects: ['*'] }, ['feature-created', 'feature-environment-enabled']],
    [{ environments: ['production'] }, ['feature-created']],
    [{ environments: ['development'] }, ['feature-created', 'feature-environment-enabled']],
    [{ enabled: false }, []],
    [{ events: [] }, []],
  ])('receives only the selected events: %j', async (filter, expected) => {
    const [server, to, all] = [await running(), await receiver(), await receiver()]
    const events = ['feature-created', 'feature-environment-enabled']
    await server.admin('POST /api/admin/projects', { id: 'other', name: 'Other' })
    await webhook(server, to.url, { events, ...filter })
    await webhook(server, all.url, { events })
    await create(server, 'f')
    await server.admin(`POST ${F}/f/environments/development/on`)
    await until(() => all.received.length === 2)
    await until(() => to.received.length === expected.length)
    expect(to.received.map(({ body }) => JSON.parse(body).type)).toEqual(expected)
  })
})

describe('deliveries', () => {
  test('delivers in order, one at a time, and retries after a 500', async () => {
    const [server, to] = [await running({ pausesMs: [5, 5, 5] }), await receiver()]
    let asked = 0
    to.answer = (response) => {
      asked += 1
      response.writeHead(asked % 2 === 1 ? 500 : 200).end()
    }
    const one = await webhook(server, to.url)
    const names = Array.from({ length: 10 }, (_, index) => `f${index}`)
    await create(server, ...names)
    await until(() => to.received.length === 20)
    expect(to.received.map(({ body }) => JSON.parse(body).featureName)).toEqual(names.flatMap((name) => [name, name]))
    expect(to.mostAtOnce()).toBe(1)
    const lines = await until(async () => ((await logOf(server, one)).length === 20 ? logOf(server, one) : undefined))
    expect(lines.slice(0, 2).map(({ state, status, attempt }) => [state, status, attempt])).toEqual([
      ['success', 200, 2],
      ['failed', 500, 1],
    ])
  })

  test('end after the last retry, and the next ones go on; a 400 is not retried', async () => {
    const [server, to] = [await running(), await receiver()]
    to.answer = (response, { body }) => {
      const { featureName } = JSON.parse(body)
      response.writeHead(featureName === 'never' ? 503 : featureName === 'wrong' ? 400 : 200).end()
    }
    await webhook(server, to.url)
    await create(server, 'never', 'wrong', 'good')
    await until(() => to.received.length === 6)
    expect(to.received.map(({ body }) => JSON.parse(body).featureName)).toEqual([
      ...['never', 'never', 'never', 'never', 'wrong', 'good'],
    ])
    const series = (await server.call({ call: 'GET /internal-backstage/prometheus' })).body
    await until(() => server.db.row('select 1 as one from integration_deliveries').then((row) => row === undefined))
    expect(series).toContain('burgee_integration_deliveries_total{provider="webhook",result="retry"} 3')
  })

  test('survive a restart', async () => {
    const place = await readyPlace()
    const keeping = { ...place, remove: async () => {} }
    const to = await receiver()
    to.answer = (response) => void response.writeHead(500).end()
    const first = await start({ place: keeping, pausesMs: [3_600_000] })
    await webhook(first, to.url)
    await create(first, 'a', 'b', 'c')
    await until(() => to.received.length === 1)
    // the metric is refreshed once a minute, so wait until all three are queued
    await until(async () => Number((await first.db.row('select count(*) as n from integration_deliveries'))?.n) === 3)
    const waiting = 'burgee_integration_deliveries_waiting{provider="webhook"} 3'
    const series = () => first.call({ call: 'GET /internal-backstage/prometheus' })
    await until(async () => (await series()).body.includes(waiting))
    await first.db.rows("delete from users where username in ('editor', 'viewer')")
    await first.close()
    to.answer = (response) => void response.end()
    const second = await running({ place, options: { defaultAdminPassword: undefined } })
    await second.db.rows('update integration_deliveries set due_at = 0')
    await create(second, 'd')
    await until(() => to.received.length === 5)
    expect(to.received.map(({ body }) => JSON.parse(body).featureName)).toEqual(['a', 'a', 'b', 'c', 'd'])
  })

  test('stop pending once the integration no longer selects them, and do not go to a new address', async () => {
    const [server, before, after] = [await running({ pausesMs: [50, 3_600_000] }), await receiver(), await receiver()]
    before.answer = (response) => void response.writeHead(500).end()
    const one = await webhook(server, before.url, { events: ['user-created', 'feature-created'] })
    await server.admin('POST /api/admin/user-admin', { username: 'somebody', email: 'secret@example.com', rootRole: 3 })
    await create(server, 'told')
    await until(() => before.received.length === 2)
    const parameters = { url: after.url }
    const body = { provider: 'webhook', enabled: true, events: ['feature-created'], parameters }
    const changed = await server.call({ as: 'editor', call: `PUT ${one}`, body })
    expect(changed.statusCode, changed.body).toBe(200)
    await server.db.rows('update integration_deliveries set due_at = 0')
    await create(server, 'later')
    await until(() => after.received.length === 2)
    expect(after.received.map((call) => JSON.parse(call.body).featureName)).toEqual(['told', 'later'])
  })

  test('never wait for a hanging receiver of another integration', async () => {
    const [server, slow, fast] = [await running(), await receiver(), await receiver()]
    slow.answer = () => {}
    await webhook(server, slow.url)
    await webhook(server, fast.url)
    await create(server, 'a', 'b', 'c')
    await until(() => fast.received.length === 3)
    expect(slow.received).toHaveLength(1)
    // the list shows the status of each integration
    const standings = async () => (await server.admin(`GET ${ADDONS}`)).standings
    await until(async () => (await standings())[1]?.waiting === 0)
    expect(await standings()).toEqual([
      { integrationId: expect.any(Number), waiting: 3, last: null },
      {
        integrationId: expect.any(Number),
        waiting: 0,
        last: { createdAt: expect.any(String), state: 'success', status: 200 },
      },
    ])
  })

  test('10,000 events with a dead receiver stay bounded: the oldest are dropped, with a log line', async () => {
    const server = await running({ pausesMs: [3_600_000] })
    const one = await webhook(server, 'http://127.0.0.1:9/')
    await server.db.rows(`insert into events (created_at, type, created_by, created_by_user_id, feature_name, project, data, pre_data, tags)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
      select 1, 'feature-created', 'x', 1, 'f', 'default', 'null', 'null', '[]' from n`)
    await create(server, 'last')
    const count = async () => Number((await server.db.row('select count(*) as n from integration_deliveries'))?.n)
    const seen = async () => Number((await server.db.row('select max(seen_event_id) as n from integrations'))?.n)
    const last = await server.lastEventId()
    await until(async () => (await seen()) >= last)
    expect(await count()).toBe(1000)
    expect(server.logged.join()).toMatch(/deliveries were dropped: more than 1000 were pending/)
    expect((await logOf(server, one)).some(({ stateDetails }) => stateDetails.includes('were dropped'))).toBe(true)
    expect(Number((await server.db.row('select count(*) as n from integration_attempts'))?.n)).toBeLessThanOrEqual(100)
    await create(server, 'further')
    expect(await count()).toBeLessThanOrEqual(1001)
  })

  test('the log contains the last hundred attempts', async () => {
    const [server, to] = [await running(), await receiver()]
    const one = await webhook(server, to.url)
    for (let index = 0; index < 105; index += 1) await create(server, `f${index}`)
    await until(() => to.received.length === 105)
    await until(async () => (await logOf(server, one))[0]?.event?.featureName === 'f104')
    expect(await logOf(server, one)).toHaveLength(100)
    expect((await server.admin(`GET ${one}/events?limit=2&offset=1`)).integrationEvents).toHaveLength(2)
  })
})

describe('addresses that are never called', () => {
  const refusedBy = async (server: TestServer, url: string): Promise<string> => {
    const one = await webhook(server, url)
    const line = await server.admin(`POST ${one}/test`, {})
    expect(line).toMatchObject({ state: 'failed', status: null, attempt: 1, eventId: null })
    return line.stateDetails
  }

  test('names that resolve to this machine, even together with public addresses', async () => {
    const to = await receiver()
    const { port } = new URL(to.url)
    for (const addresses of [['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['::1'], ['169.254.169.254']]) {
      const resolve: Resolve = async () =>
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      const server = await running({ resolve, options: { integrationAllowPrivateAddresses: false } })
      expect(await refusedBy(server, `http://receiver.example:${port}/`)).toMatch(/INTEGRATION_ALLOW_PRIVATE_ADDRESSES/)
    }
    expect(to.received).toEqual([])
  })

  test('names are resolved once per call: the checked address is the one called', async () => {
    const to = await receiver()
    const { port } = new URL(to.url)
    const asked: string[] = []
    const resolve: Resolve = async (host) => {
      asked.push(host)
      return [{ address: asked.length === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
    }
    const server = await running({ resolve })
    const one = await webhook(server, `http://receiver.example:${port}/`)
    expect(await server.admin(`POST ${one}/test`, {})).toMatchObject({ state: 'success', status: 200 })
    expect([asked, to.received[0]?.headers.host]).toEqual([['receiver.example'], `receiver.example:${port}`])
  })

  test('a name that leads to a good address first and to this machine then is refused then', async () => {
    let isRebound = false
    const to = await receiver()
    const resolve: Resolve = async () => [{ address: isRebound ? '127.0.0.1' : '192.0.2.1', family: 4 }]
    const server = await running({ resolve, options: { integrationAllowPrivateAddresses: false } })
    isRebound = true
    expect(await refusedBy(server, `http://receiver.example:${new URL(to.url).port}/`)).toMatch(/private, loopback/)
    expect(to.received).toEqual([])
  })

  test('hosts outside INTEGRATION_ALLOWED_HOSTS are neither resolved nor called', async () => {
    const to = await receiver()
    const { port } = new URL(to.url)
    const resolved: string[] = []
    const resolve: Resolve = async (host) => {
      resolved.push(host)
      return [{ address: '127.0.0.1', family: 4 }]
    }
    const server = await running({
      resolve,
      options: { integrationAllowedHosts: ['hooks.example', '*.Corp.example', 'bücher.example'] },
    })
    for (const host of ['other.example', 'corp.example', 'notcorp.example', 'hooks.example.evil.example', '127.0.0.1'])
      expect(await refusedBy(server, `http://${host}:${port}/`), host).toMatch(/INTEGRATION_ALLOWED_HOSTS/)
    expect(resolved).toEqual([])
    const allowed = ['hooks.example', 'HOOKS.example.', 'a.corp.example', 'a.b.corp.example', 'BÜCHER.example']
    for (const host of allowed) {
      const one = await webhook(server, `http://${host}:${port}/`)
      expect(await server.admin(`POST ${one}/test`, {}), host).toMatchObject({ state: 'success' })
    }
    expect(to.received).toHaveLength(allowed.length)
  })

  test('REQUIRE_ENCRYPTION allows HTTP only on this machine', async () => {
    const to = await receiver()
    const { port } = new URL(to.url)
    const resolved: string[] = []
    const resolve: Resolve = async (host) => {
      resolved.push(host)
      return [{ address: '127.0.0.1', family: 4 }]
    }
    const server = await running({ resolve, options: { requireEncryption: true } })
    for (const host of ['hooks.example', '10.0.0.1', 'localhost.evil.example'])
      expect(await refusedBy(server, `http://${host}:${port}/`), host).toMatch(/^REQUIRE_ENCRYPTION/)
    expect([resolved, to.received]).toEqual([[], []])
    const one = await webhook(server, `http://localhost:${port}/`)
    expect(await server.admin(`POST ${one}/test`, {})).toMatchObject({ state: 'success' })
  })

  test('redirect targets are not followed', async () => {
    const [server, to, other] = [await running(), await receiver(), await receiver()]
    to.answer = (response) => void response.writeHead(302, { location: other.url }).end()
    const one = await webhook(server, to.url)
    await create(server, 'f')
    const [line] = await until(async () => ((await logOf(server, one)).length > 0 ? logOf(server, one) : undefined))
    expect(line).toMatchObject({ state: 'failed', status: 302, stateDetails: expect.stringContaining('not followed') })
    expect([to.received.length, other.received.length]).toEqual([1, 0])
  })
})

test('at most 64 kB of an endless reply are read', async () => {
  const [server, to] = [await running(), await receiver()]
  let sent = 0
  to.answer = (response) => {
    const more = (): void => {
      if (response.destroyed) return
      sent += 16_384
      response.write(Buffer.alloc(16_384), () => setImmediate(more))
    }
    more()
  }
  const one = await webhook(server, to.url)
  expect(await server.admin(`POST ${one}/test`, {})).toMatchObject({ state: 'success' })
  expect(sent).toBeLessThan(50_000_000)
})

test('under another key deliveries wait, the log names the variable, and nothing is lost', async () => {
  const place = await readyPlace()
  const to = await receiver()
  const first = await start({ place: { ...place, remove: async () => {} } })
  const one = await webhook(first, to.url)
  await first.db.rows("delete from users where username in ('editor', 'viewer')")
  await first.close()
  const again = { defaultAdminPassword: undefined }
  const other = await start({
    place: { ...place, remove: async () => {} },
    options: { ...again, secretKey: randomBytes(32).toString('hex') },
    pausesMs: [],
  })
  await create(other, 'f')
  const [line] = await until(async () => ((await logOf(other, one)).length > 0 ? logOf(other, one) : undefined))
  expect(line).toMatchObject({ state: 'failed', stateDetails: expect.stringContaining('BURGEE_SECRET_KEY') })
  expect(to.received).toEqual([])
  await other.db.rows("delete from users where username in ('editor', 'viewer')")
  await other.db.rows('update integration_deliveries set due_at = 0')
  await other.close()
  await running({ place, options: again })
  await until(() => to.received.length === 1)
})

describe('messages', () => {
  const of = async (provider: string, parameters: object) => {
    const [server, to] = [await running({ options: { serverUrl: 'http://flags.example.com' } }), await receiver()]
    const events = ['feature-created', 'feature-strategy-update', 'feature-archived']
    await webhook(server, to.url, { provider, events, parameters: { url: to.url, ...parameters } })
    const { tagTypes } = await server.admin('GET /api/admin/tag-types')
    await server.admin(`POST ${F}`, { name: 'w1', tags: [] })
    await until(() => to.received.length === 1)
    return { server, to, tagTypes, sent: () => to.received.map(({ body }) => JSON.parse(body)) }
  }
  const FLAG = 'http://flags.example.com/projects/default/features/w1'
  const PROJECT = 'http://flags.example.com/projects/default'

  test('go to each Slack channel named by the tags of the flag, or to the default one', async () => {
    const { server, to, sent } = await of('slack', {
      username: 'Flags',
      emojiIcon: ':x:',
      defaultChannel: 'general,ops',
    })
    expect(sent()[0]).toEqual({
      username: 'Flags',
      icon_emoji: ':x:',
      channel: '#general,ops',
      text: `*${sent()[0].text.split('*')[1]}* created *<${FLAG}|w1>* in project *<${PROJECT}|default>*`,
      attachments: [
        {
          actions: [
            {
              name: 'featureToggle',
              text: 'Open',
              type: 'button',
              value: 'featureToggle',
              style: 'primary',
              url: FLAG,
            },
          ],
        },
      ],
    })
    for (const value of ['team-a', 'team-b'])
      await server.admin('POST /api/admin/features/w1/tags', { type: 'slack', value })
    await server.admin(`DELETE ${F}/w1`)
    await until(() => to.received.length === 3)
    expect(sent().map(({ channel }) => channel)).toEqual(['#general,ops', '#team-a', '#team-b'])
    expect(sent()[2].text).toMatch(/archived \*w1\* in project/)
  })

  test('show the differences of a strategy in Teams', async () => {
    const { server, to, sent } = await of('teams', {})
    const { id } = await server.admin(`POST ${F}/w1/environments/production/strategies`, {
      name: 'flexibleRollout',
      parameters: { rollout: '25', stickiness: 'default', groupId: 'w1' },
      constraints: [{ contextName: 'userId', operator: 'IN', values: ['1', '2'] }],
    })
    await server.admin(`PUT ${F}/w1/environments/production/strategies/${id}`, {
      name: 'flexibleRollout',
      parameters: { rollout: '50', stickiness: 'random', groupId: 'w1' },
      constraints: [{ contextName: 'userId', operator: 'IN', values: ['1', '2', '3'] }],
    })
    await until(() => to.received.length === 2)
    const [, changed] = sent()
    expect(changed.sections[0].facts[1]).toEqual({ name: 'Action', value: 'feature-strategy-update' })
    expect(changed.sections[0].activityTitle).toContain(
      `updated *[w1](${FLAG})* in project *[default](${PROJECT})* by updating strategy *flexibleRollout* in *production* `,
    )
    for (const part of [
      'rollout from 25% to 50%',
      'stickiness from default to random',
      'constraints from [userId is one of (1,2)] to [userId is one of (1,2,3)]',
    ]) {
      expect(changed.sections[0].activityTitle).toContain(part)
    }
    expect(changed.potentialAction[0].targets).toEqual([{ os: 'default', uri: FLAG }])
  })

  test('have the format of Datadog', async () => {
    const { to, sent } = await of('datadog', { apiKey: 'k', sourceTypeName: 'src' })
    expect(to.received[0]?.headers['dd-api-key']).toBe('k')
    expect(sent()[0]).toEqual({
      text: expect.stringMatching(/^%%% \n \*.+\* created \*\[w1\]/),
      title: expect.any(String),
      tags: [],
      source_type_name: 'src',
    })
  })
})
