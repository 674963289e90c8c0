import { type FlagServer, startFakeServer, startTestRun, type TestRun, TestRunError } from '@burgee/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, TOKENS } from '../http/scenario.ts'
import { openFlagStream } from '../http/sdk/streams/flag-stream.ts'
import { until } from '../support/wait.ts'

/** The fake server and a real one, with the same flags, give the same replies. */
const PROJECT = '/api/admin/projects/default'
const RUNS = `${PROJECT}/test-runs`
const UNKNOWN = '0'.repeat(24)
const environment = 'development'

interface Started extends FlagServer {
  close(): Promise<void>
}

async function startReal(): Promise<Started> {
  const { server, admin, close } = await startServer()
  const { url } = await server.listen()
  for (const name of ['checkout', 'search', 'color']) {
    await admin(`POST ${PROJECT}/features`, { name })
    const variants = ['blue', 'red'].map((variant, at) => ({
      name: variant,
      weight: at === 0 ? 1000 : 0,
      weightType: at === 0 ? 'variable' : 'fix',
      stickiness: 'default',
      payload: { type: 'string', value: `payload of ${variant}` },
    }))
    const strategy = { name: 'default', ...(name === 'color' ? { variants } : {}) }
    await admin(`POST ${PROJECT}/features/${name}/environments/${environment}/strategies`, strategy)
    if (name === 'search') await admin(`POST ${PROJECT}/features/${name}/environments/${environment}/on`)
  }
  return { url, adminToken: TOKENS.admin, close }
}

function startFake(): Promise<Started> {
  const variants = ['blue', 'red'].map((name) => ({ name, payload: { type: 'string', value: `payload of ${name}` } }))
  return startFakeServer({ flags: { checkout: false, search: true, color: { enabled: false, variants } } })
}

describe.each([
  ['a Burgee server', startReal],
  ['the fake server', startFake],
] as const)('%s', (_name, start) => {
  let server: Started
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.close())

  const send = async (call: string, body?: object, token = server.adminToken) => {
    const [method = '', path = ''] = call.split(' ')
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: token, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined }
  }
  /** Reads the flags that are on, with their variants, at each endpoint of pages and OpenFeature. */
  const readFlags = async ({ clientToken, frontendToken }: TestRun) => {
    const { toggles } = (await send('GET /api/frontend?userId=7', undefined, frontendToken)).json
    const bulk = (await send('POST /ofrep/v1/evaluate/flags', { context: { targetingKey: '7' } }, clientToken)).json
    return {
      frontend: toggles.map(({ name, variant }: Toggle) => `${name} ${variant.name}`),
      ofrep: bulk.flags.map(({ key, value, variant }: Decision) => `${key} ${value} ${variant}`),
    }
  }
  interface Toggle {
    readonly name: string
    readonly variant: { readonly name: string }
  }
  interface Decision {
    readonly key: string
    readonly value: unknown
    readonly variant?: string
  }

  test.each([
    ['an unknown token', `POST ${RUNS}`, { environment }, 401, '', 'unknown'],
    ['an unknown project', 'POST /api/admin/projects/none/test-runs', { environment }, 404, ''],
    ['an unknown environment', `POST ${RUNS}`, { environment: 'none' }, 400, 'has no environment \\"none\\"'],
    ['an unknown flag', `POST ${RUNS}`, { environment, overrides: { none: true } }, 400, 'no flag \\"none\\"'],
    [
      'an unknown variant',
      `POST ${RUNS}`,
      { environment, overrides: { color: { variant: 'x' } } },
      400,
      'variant \\"x\\"',
    ],
    ['another state', `POST ${RUNS}`, { environment, overrides: { color: 'on' } }, 400, 'overrides'],
    ['no environment', `POST ${RUNS}`, {}, 400, 'environment'],
    ['too many minutes', `POST ${RUNS}`, { environment, minutes: 121 }, 400, 'minutes'],
    ['an unknown run', `PATCH ${RUNS}/${UNKNOWN}`, { overrides: {} }, 404, 'no such test run'],
    ['an unknown run that ends', `DELETE ${RUNS}/${UNKNOWN}`, undefined, 404, 'no such test run'],
  ])('rejects %s', async (_case, call, body, status, text, token?: string) => {
    const reply = await send(call, body, token)
    expect(reply.status).toBe(status)
    expect(reply.text).toContain(text)
  })

  test('starts, lists, changes and ends a run', async () => {
    const body = { environment, name: 'a test', minutes: 5, overrides: { checkout: true, search: null } }
    const { status, json: run } = await send(`POST ${RUNS}`, body)
    expect(status).toBe(201)
    const state = { id: run.id, name: 'a test', environment, overrides: { checkout: true }, version: 1 }
    expect(run).toMatchObject(state)
    expect(Date.parse(run.expiresAt) - Date.parse(run.createdAt)).toBe(300_000)
    expect(Object.keys(run).sort()).toEqual([
      'clientToken',
      'createdAt',
      'createdBy',
      'environment',
      'expiresAt',
      'frontendToken',
      'id',
      'name',
      'overrides',
      'version',
    ])
    for (const token of [run.clientToken, run.frontendToken]) {
      expect(token).toMatch(new RegExp(`^default:development!${run.id}\\.[0-9a-f]{56}$`))
    }
    const { testRuns } = (await send(`GET ${RUNS}`)).json
    expect(testRuns).toEqual([expect.objectContaining(state)])
    expect(testRuns[0]).not.toHaveProperty('clientToken')

    const change = { overrides: { checkout: null, color: { variant: 'red' } }, version: 1 }
    const { json: changed } = await send(`PATCH ${RUNS}/${run.id}`, change)
    expect(changed).toMatchObject({ overrides: { color: { variant: 'red' } }, version: 2 })
    expect((await send(`PATCH ${RUNS}/${run.id}`, change)).status).toBe(409)
    // the same overrides are no change
    expect((await send(`PATCH ${RUNS}/${run.id}`, { overrides: change.overrides })).json.version).toBe(2)

    expect((await send(`DELETE ${RUNS}/${run.id}`)).status).toBe(200)
    expect((await send(`GET ${RUNS}`)).json.testRuns).toEqual([])
    const { status: ended } = await send('GET /api/client/features', undefined, run.clientToken)
    expect([401, 403]).toContain(ended)
  })

  test('every endpoint of SDKs has the flags of the run', async () => {
    const run = await startTestRun(server, { overrides: { checkout: true, color: { variant: 'red' } } })
    const other = await startTestRun(server)
    expect(await readFlags(other)).toEqual({
      frontend: ['search disabled'],
      ofrep: ['checkout false off', 'color undefined off', 'search true on'],
    })
    expect(await readFlags(run)).toEqual({
      frontend: ['checkout disabled', 'color red', 'search disabled'],
      ofrep: ['checkout true on', 'color payload of red red', 'search true on'],
    })
    const { features } = (await send('GET /api/client/features', undefined, run.clientToken)).json
    expect(features.map(({ name, enabled }: { name: string; enabled: boolean }) => [name, enabled])).toEqual([
      ['checkout', true],
      ['color', true],
      ['search', true],
    ])
    await run.set({ checkout: false, color: null })
    expect((await readFlags(run)).frontend).toEqual(['search disabled'])
    await run.reset()
    expect((await readFlags(run)).frontend).toEqual(['checkout disabled', 'color red', 'search disabled'])
    await run.end()
    await run.end()
    await other.end()
  })

  test('a stream receives a change, and ends with its run', async () => {
    const run = await startTestRun(server)
    const stream = await openFlagStream(server.url, run.clientToken)
    await until(() => stream.events.length === 1)
    await run.set({ checkout: true })
    await until(() => stream.holding().features.get('checkout')?.enabled)
    await run.end()
    await stream.ended
  })

  test('the client names the request and the reason of a failure', async () => {
    const failed = startTestRun<{ none: boolean }>(server, { overrides: { none: true } })
    await expect(failed).rejects.toThrow(TestRunError)
    await expect(failed).rejects.toThrow(`POST ${RUNS} failed with 400: There is no flag "none" in this environment.`)
  })
})
