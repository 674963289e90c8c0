import type { Delivery, Fleet } from '@burgee/protocol/administration/delivery-receipt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

const INTERVAL_MS = 15_000
const FLAG = '/api/admin/projects/default/features/checkout'
const DELIVERY = `GET ${FLAG}/environments/development/delivery`
let server: TestServer
let now = Date.parse('2027-03-01T12:00:00Z')

beforeAll(async () => {
  server = await startServer({}, () => now)
  await server.admin('POST /api/admin/projects/default/features', { name: 'checkout' })
})
afterAll(() => server.close())

const uuid = (number: number) => `0f8fad5b-d9cb-469f-a165-${String(number).padStart(12, '0')}`

/** SDK process that polls, with the ETag that it has. */
class Process {
  readonly id: string
  readonly #app: string
  readonly #sdk: string
  #tag: string | undefined

  constructor(number: number, app = 'billing-worker', sdk = 'unleash-node-sdk:6.12.1') {
    this.id = uuid(number)
    this.#app = app
    this.#sdk = sdk
  }

  get headers(): Record<string, string> {
    return {
      'unleash-connection-id': this.id,
      'unleash-appname': this.#app,
      'unleash-sdk': this.#sdk,
      'unleash-interval': String(INTERVAL_MS),
    }
  }

  async poll(as = 'client'): Promise<void> {
    const tag = this.#tag === undefined ? {} : { 'if-none-match': this.#tag }
    const reply = await server.call({ as, call: 'GET /api/client/features', headers: { ...this.headers, ...tag } })
    expect([200, 304]).toContain(reply.statusCode)
    if (reply.statusCode === 200) this.#tag = String(reply.headers.etag)
  }
}

const read = (query = ''): Promise<Delivery> => server.admin(`${DELIVERY}${query}`)
const flip = (isOn: boolean) => server.admin(`POST ${FLAG}/environments/development/${isOn ? 'on' : 'off'}`)
const processes = Array.from({ length: 4 }, (_, number) => new Process(number))
const [quick, slow, dead, gone] = processes as [Process, Process, Process, Process]

describe('a receipt', () => {
  test('counts a process as offered after the reply, and as held after its next poll', async () => {
    for (const one of processes) await one.poll()
    now += INTERVAL_MS
    for (const one of processes) await one.poll()
    await flip(true)
    expect((await read()).processes).toMatchObject({ known: 4, held: 0, offered: 0 })
    now += 1000
    await quick.poll()
    expect((await read()).processes).toMatchObject({ known: 4, held: 0, offered: 1 })
    now += 1000
    await quick.poll()
    const receipt = await read()
    expect(receipt.processes).toMatchObject({ known: 4, held: 1, offered: 0 })
    expect(receipt.p50Ms).toBeGreaterThan(900)
    expect(receipt.p50Ms).toBeLessThan(1200)
  })

  test('names the processes that wait, with the revision that they have and their next poll', async () => {
    const { processes: counts, event } = await read()
    expect(counts.waiting).toHaveLength(3)
    const waiting = counts.waiting.find(({ connectionId }) => connectionId === slow.id)
    expect(waiting).toMatchObject({
      appName: 'billing-worker',
      sdk: 'unleash-node-sdk:6.12.1',
      via: null,
      state: 'waiting',
      isAbout: false,
      isSilent: false,
      expectedBy: new Date(now - 2000 + INTERVAL_MS).toISOString(),
    })
    expect(waiting?.holds).toBeLessThan(Number(event))
  })

  test('shows a process that missed its poll as silent, first, and drops it after three missed intervals', async () => {
    now += INTERVAL_MS * 2
    for (const one of [quick, slow]) await one.poll()
    const silent = (await read()).processes.waiting.filter(({ isSilent }) => isSilent)
    expect(silent.map(({ connectionId }) => connectionId).sort()).toEqual([dead.id, gone.id])
    for (let interval = 0; interval < 3; interval += 1) {
      now += INTERVAL_MS
      for (const one of [quick, slow]) await one.poll()
    }
    expect((await read()).processes).toMatchObject({ known: 2, held: 2, waiting: [] })
  })

  test('stays readable for an earlier event', async () => {
    const { event } = await read()
    await flip(false)
    expect((await read()).processes).toMatchObject({ known: 2, held: 0 })
    expect((await read(`?event=${event}`)).processes).toMatchObject({ known: 2, held: 2 })
  })

  test('does not count connections whose tokens do not receive the flag', async () => {
    await new Process(20).poll('production')
    expect((await read()).processes.known).toBe(2)
  })
})

describe('a wrong request', () => {
  test.each([
    ['an unknown flag', 'GET /api/admin/projects/default/features/none/environments/development/delivery', 404],
    [
      'a flag of another project',
      'GET /api/admin/projects/none/features/checkout/environments/development/delivery',
      404,
    ],
    ['an unknown environment', `GET ${FLAG}/environments/none/delivery`, 404],
    ['an event of something else', `${DELIVERY}?event=1`, 404],
    ['an event that is no number', `${DELIVERY}?event=x`, 400],
  ])('%s is rejected', async (_, call, status) => {
    expect((await server.call({ as: 'admin', call })).statusCode).toBe(status)
  })

  test.each([DELIVERY, 'GET /api/admin/fleet'])('%s needs an account', async (call) => {
    expect((await server.call({ call })).statusCode).toBe(401)
    expect((await server.call({ as: 'client', call })).statusCode).toBe(403)
  })
})

describe('an edge', () => {
  const edge = new Process(100, 'unleash-edge', 'burgee-edge:0.1.0')
  const report = (holdings: readonly object[], as = 'client') =>
    server.call({
      as,
      call: 'POST /api/client/metrics/bulk',
      body: { applications: [], metrics: [], holdings },
      headers: { ...edge.headers, 'unleash-instanceid': 'edge-eu' },
    })
  const row = (revision: number, more: object = {}) => ({
    environment: 'development',
    projects: ['default'],
    kind: 'processes',
    appName: 'till',
    revision,
    connections: 3,
    oldest: now,
    ...more,
  })

  test('appears apart from the processes, and its applications wait under it', async () => {
    await edge.poll()
    const { event } = await read()
    expect((await report([row(Number(event) - 1), row(Number(event), { connections: 7 })])).statusCode).toBe(202)
    const receipt = await read()
    expect(receipt.edges).toMatchObject([{ name: 'edge-eu', isSilent: false, connections: 10 }])
    expect(receipt.processes.known).toBe(2 + 10)
    const under = receipt.processes.waiting.filter(({ via }) => via !== null)
    expect(under).toMatchObject([{ appName: 'till', via: 'edge-eu', connections: 3, connectionId: null }])
  })

  test('becomes silent when it is cut off, and its applications still wait under it', async () => {
    await flip(true)
    now += 31_000
    const { processes: counts } = await read()
    const under = counts.waiting.filter(({ via }) => via === 'edge-eu')
    expect(under.map(({ connections, isSilent }) => [connections, isSilent])).toEqual([
      [3, true],
      [7, true],
    ])
  })

  test('cannot report for projects or environments outside its token', async () => {
    await report([row(1, { environment: 'production' }), row(1, { projects: ['other'] })])
    expect((await read()).processes.waiting.filter(({ via }) => via !== null)).toEqual([])
  })

  test.each([
    ['negative connections', { connections: -1 }],
    ['too many connections', { connections: 1_000_001 }],
    ['a long name', { appName: 'a'.repeat(101) }],
    ['a time that no date can represent', { oldest: 1e300 }],
    ['a time that is no number of milliseconds', { oldest: 1.5 }],
  ])('rejects a report with %s', async (_, more) => {
    expect((await report([row(1, more)])).statusCode).toBe(400)
  })

  test('reports with one token per project, and drops the rows of a token that it no longer uses', async () => {
    await server.admin('POST /api/admin/projects', { id: 'second', name: 'Second' })
    const { secret } = await server.admin('POST /api/admin/api-tokens', {
      tokenName: 'second',
      type: 'client',
      environment: 'development',
      projects: ['second'],
    })
    const under = async () => {
      const { applications }: Fleet = await server.admin('GET /api/admin/fleet')
      return applications.filter(({ via }) => via === 'edge-eu').map(({ appName }) => appName)
    }
    await report([row(1, { appName: 'first-app' })])
    await report([row(1, { appName: 'second-app', projects: ['second'] })], secret)
    expect((await under()).sort()).toEqual(['first-app', 'second-app'])
    now += 30_001
    await report([row(1, { appName: 'first-app' })])
    expect(await under()).toEqual(['first-app'])
  })

  test('cannot have seen its connections in the future', async () => {
    expect((await report([row(1, { oldest: 8_640_000_000_000_000 })])).statusCode).toBe(202)
    const [under] = (await read()).processes.waiting.filter(({ via }) => via !== null)
    expect(under?.lastSeen).toBe(new Date(now).toISOString())
  })

  test('reports its status if it is from another vendor, which is shown for three minutes', async () => {
    const body = {
      identifier: 'edge-of-vendor',
      appName: 'unleash-edge',
      edgeVersion: '19.6.3',
      connectedStreamingClients: 4,
      latencyUpstream: { features: { avg: 3, count: 9, p99: 12.5 } },
    }
    const reply = await server.call({ as: 'client', call: 'POST /api/client/metrics/edge', body })
    expect(reply.statusCode).toBe(202)
    const named = async () => {
      const { edges }: Fleet = await server.admin('GET /api/admin/fleet')
      return edges.filter(({ name }) => name === 'edge-of-vendor')
    }
    expect(await named()).toMatchObject([{ version: '19.6.3', streams: 4, upstreamP99Ms: 12.5 }])
    now += 180_001
    expect(await named()).toEqual([])
  })
})

test('pages are counted by those that asked since the change', async () => {
  const visit = (number: number) =>
    server.call({
      as: 'frontend',
      call: 'GET /api/frontend',
      headers: { 'unleash-connection-id': `${uuid(number).slice(0, 30)}${number * 7919}`.slice(0, 36) },
    })
  for (let number = 0; number < 10; number += 1) expect((await visit(number)).statusCode).toBe(200)
  await flip(false)
  now += 1000
  for (let number = 0; number < 5; number += 1) await visit(number)
  expect((await read()).pages).toEqual({ seen: 10, held: 5 })
})

test('the fleet lists applications with the revision that they have', async () => {
  await quick.poll()
  const { applications, nodes }: Fleet = await server.admin('GET /api/admin/fleet')
  expect(nodes).toMatchObject([{ isThis: true }])
  const own = applications.filter(({ via, environment }) => via === null && environment === 'development')
  expect(own).toMatchObject([{ appName: 'billing-worker', connections: 1, isBehind: true, projects: ['default'] }])
})

test('the series count waiting connections', async () => {
  const text = await server.server.app
    .inject({ method: 'GET', url: '/internal-backstage/prometheus' })
    .then(({ body }) => body)
  expect(text).toMatch(/burgee_delivery_waiting\{environment="development"\} 1/)
  expect(text).toContain('burgee_delivery_seconds_count')
})
