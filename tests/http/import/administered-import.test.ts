import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGuardedFetch } from '@burgee/server/admin/integrations/guarded-fetch'
import { resolveBySystem } from '@burgee/server/admin/integrations/guarded-request'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scenarios, startServer, type TestServer, TOKENS } from '../scenario.ts'

/** Administrators import from other services while the server runs. */
const PLAN = 'POST /api/admin/imports/plan'
const GO = 'POST /api/admin/imports'
const FEATURES = '/api/admin/projects/default/features'
const as = 'admin'

let there: TestServer
let here: TestServer
let address: string
let between: Server
/** Paths that `there` received, and statuses to return instead of its replies. */
const asked: string[] = []
let inItsPlace: Record<string, number> = {}

beforeAll(async () => {
  there = await startServer({ apiTokenSecrets: 'readable', secretKey: Buffer.alloc(32, 7).toString('base64') })
  const { url } = await there.server.listen()
  between = createServer(async (request, response) => {
    const { url: path = '', method = 'GET', headers } = request
    asked.push(path)
    const body = method === 'POST' ? Buffer.concat(await request.toArray()) : null
    const sent = { authorization: headers.authorization ?? '', 'content-type': 'application/json' }
    const reply = await fetch(`${url}${path}`, { method, body, headers: sent })
    response.writeHead(inItsPlace[path] ?? reply.status, { 'content-type': 'application/json' })
    response.end(Buffer.from(await reply.arrayBuffer()))
  })
  await new Promise<void>((resolve) => void between.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(between.address() as AddressInfo).port}`
  const token = { type: 'client', environment: 'development', projects: ['*'], tokenName: 'some' }
  await there.admin('POST /api/admin/api-tokens', token)
  await there.admin('POST /api/admin/segments', { name: 'eu', constraints: [COUNTRY] })
  await there.admin(`POST ${FEATURES}`, { name: 'asked' })
  await there.admin(`POST ${FEATURES}/asked/environments/development/strategies`, { name: 'default', segments: [1] })
  await there.admin(`POST ${FEATURES}/asked/environments/development/on`)
  here = await startServer({ integrationAllowPrivateAddresses: true })
  await here.admin('POST /api/admin/projects', { id: 'guarded', name: 'Guarded' })
  const config = 'PUT /api/admin/projects/guarded/environments/production/change-requests/config'
  await here.admin(config, { changeRequestsEnabled: true })
})
afterAll(async () => {
  between.closeAllConnections()
  between.close()
  await Promise.all([there.close(), here.close()])
})

const COUNTRY = { contextName: 'country', operator: 'IN', values: ['DE'] }
const flagdOf = (...names: string[]) => {
  const one = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' }
  return JSON.stringify({ flags: Object.fromEntries(names.map((name) => [name, one])) })
}
const FLAGD = { kind: 'flagd', project: 'shop', environment: 'development' }
const json = async (call: string, body: object) => {
  const reply = await here.call({ as, call, body })
  return { status: reply.statusCode, body: JSON.parse(reply.body) }
}
const listed = async () => (await here.admin(`GET ${FEATURES}`)).features.map(({ name }: { name: string }) => name)
const namesFor = async (token: string) => {
  const reply = await here.call({ as: token, call: 'GET /api/client/features' })
  return reply.statusCode === 200 ? reply.json().features.map(({ name }: { name: string }) => name) : reply.statusCode
}

describe('a plan and its import', () => {
  test('a plan writes nothing; SDKs get the flags once the import responds', async () => {
    const wish = { ...FLAGD, project: 'default', content: flagdOf('first', 'second') }
    const [last, before] = [await here.lastEventId(), await namesFor('client')]
    expect(await listed()).toEqual([])
    const { status, body } = await json(PLAN, wish)
    expect({ status, body }).toMatchObject({ status: 200, body: { source: 'file of flagd', noteCount: 2 } })
    expect(body.counts).toContainEqual({ kind: 'flag', found: 2, imported: 2, skipped: 0 })
    expect([await here.eventsAfter(last), await namesFor('client')]).toEqual([[], before])

    const done = await json(GO, { ...wish, plan: body.plan })
    expect(done).toMatchObject({
      status: 200,
      body: {
        counts: body.counts,
        verified: { equal: true, flags: 2, environments: 1, contexts: 1000, differences: [], told: [] },
      },
    })
    expect(await here.eventsAfter(last)).toEqual(['instance-imported'])
    expect(await namesFor('client')).toEqual(['first', 'second'])
    expect(await listed()).toEqual(['first', 'second'])
  })

  test('puts flags into all environments of an existing project, off where the source defines nothing', async () => {
    await here.admin('POST /api/admin/environments', { name: 'staging', type: 'preproduction' })
    const wish = { ...FLAGD, project: 'default', environment: 'staging', content: flagdOf('placed') }
    const { body } = await json(PLAN, wish)
    expect((await json(GO, { ...wish, plan: body.plan })).status).toBe(200)
    const { environments } = await here.admin(`GET ${FEATURES}/placed`)
    const states = environments.map(({ name, enabled }: { name: string; enabled: boolean }) => [name, enabled])
    expect(states.sort()).toEqual([
      ['development', false],
      ['production', false],
      ['staging', true],
    ])
    const others = (await here.admin(`GET ${FEATURES}/first`)).environments
    expect(others.find(({ name }: { name: string }) => name === 'staging')).toMatchObject({ enabled: false })
    await here.admin(`POST ${FEATURES}/placed/environments/production/strategies`, { name: 'default' })
    await here.admin(`DELETE ${FEATURES}/placed`)
    await here.admin('DELETE /api/admin/projects/default/environments/staging')
    await here.admin('DELETE /api/admin/environments/staging')
  })

  test('a segment of the same name that means others is another one; numbers that were used are not used again', async () => {
    const made = async (name: string) => (await here.admin('POST /api/admin/segments', { name, constraints: [] })).id
    const gone = await made('gone')
    await here.admin(`DELETE /api/admin/segments/${gone}`)
    const beta = await made('beta')
    await here.admin(`DELETE /api/admin/segments/${beta}`)
    const other = [{ contextName: 'country', operator: 'IN', values: ['FR'] }]
    const eu = (await here.admin('POST /api/admin/segments', { name: 'eu', constraints: other })).id
    const document = {
      version: 2,
      segments: [{ id: 7_000_000_000, name: 'eu', constraints: [COUNTRY] }],
      features: [
        {
          name: 'aimed',
          type: 'release',
          enabled: true,
          project: 'default',
          stale: false,
          strategies: [{ name: 'flexibleRollout', parameters: { rollout: '100' }, segments: [7_000_000_000] }],
        },
      ],
    }
    const wish = {
      kind: 'client-features',
      project: 'default',
      environment: 'development',
      content: JSON.stringify(document),
    }
    const { body } = await json(PLAN, wish)
    expect((await json(GO, { ...wish, plan: body.plan })).status).toBe(200)
    const { segments } = await here.admin('GET /api/admin/segments')
    const found = segments.filter(({ name }: { name: string }) => name.startsWith('eu'))
    expect(
      found.map((one: { name: string; constraints: { values: string[] }[] }) => [one.name, one.constraints[0]?.values]),
    ).toEqual([
      ['eu', ['FR']],
      ['eu (7000000000)', ['DE']],
    ])
    expect(eu).toBeGreaterThan(beta)
    expect(await made('next')).toBeGreaterThan(Math.max(beta, ...segments.map(({ id }: { id: number }) => id)))
    await here.admin(`DELETE ${FEATURES}/aimed`)
    for (const { id, name } of segments) if (name === 'eu') await here.admin(`DELETE /api/admin/segments/${id}`)
  })

  test('reads from another server, and its event names the actor', async () => {
    const wish = { kind: 'unleash-api', address, token: TOKENS.admin }
    const { body: planned } = await json(PLAN, wish)
    const done = await json(GO, { ...wish, plan: planned.plan })
    expect(done).toMatchObject({ status: 200, body: { verified: { equal: true, flags: 1 } } })
    expect(await namesFor('client')).toEqual(['asked', 'first', 'second'])
    const { events } = await here.admin('GET /api/admin/events?type=instance-imported')
    expect(events[0]).toMatchObject({ data: { source: 'Unleash API', mode: 'merge' } })
    expect(JSON.stringify([planned, done.body, events, here.logged])).not.toContain('admin-secret')
  })

  test('its history is not gone through, and what happens there without changing anything is not in the way', async () => {
    const wish = { kind: 'unleash-api', address, token: TOKENS.admin }
    asked.length = 0
    const { body: planned } = await json(PLAN, wish)
    // only the newest event is read, once before and once after all other data
    expect(asked.flatMap((path, index) => (path.includes('events') ? [index] : []))).toEqual([0, asked.length - 1])
    await there.admin('POST /api/admin/tag-types', { name: 'short' })
    await there.admin('DELETE /api/admin/tag-types/short')
    expect((await json(GO, { ...wish, plan: planned.plan })).status).toBe(200)
  })

  test('reports what was done, even if it can no longer be compared', async () => {
    const wish = { kind: 'unleash-api', address, token: TOKENS.admin }
    const { body: planned } = await json(PLAN, wish)
    const last = await here.lastEventId()
    inItsPlace = { '/api/client/features': 500 }
    const done = await json(GO, { ...wish, plan: planned.plan })
    inItsPlace = {}
    expect(done).toMatchObject({ status: 200, body: { counts: planned.counts, verified: { equal: false, flags: 0 } } })
    expect(done.body.verified.failure).toMatch(/client\/features answered 500/)
    expect(await here.eventsAfter(last)).toEqual(['instance-imported'])
  })

  test('a comparison costs no more with more flags', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `many-${index}`)
    const rule = { if: [{ in: [{ var: 'a' }, ['x', 'y']] }, 'on', 'off'] }
    const flag = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on', targeting: rule }
    const content = JSON.stringify({ flags: Object.fromEntries(names.map((name) => [name, flag])) })
    const wish = { ...FLAGD, project: 'many', content }
    const { body } = await json(PLAN, wish)
    const done = await json(GO, { ...wish, plan: body.plan })
    expect(done.body.verified).toMatchObject({ equal: true, flags: 500, contexts: 100 })
  })

  test.each<[what: string, between: () => Promise<unknown>, content: () => string]>([
    ['the file is another one', async () => {}, () => flagdOf('third', 'fourth')],
    [
      'a flag of that name was created',
      () => here.admin(`POST ${FEATURES}`, { name: 'third' }),
      () => flagdOf('third'),
    ],
  ])('nothing is done where %s since', async (_, between, content) => {
    const { body } = await json(PLAN, { ...FLAGD, content: flagdOf('third') })
    await between()
    const last = await here.lastEventId()
    const late = await json(GO, { ...FLAGD, content: content(), plan: body.plan })
    expect(late).toMatchObject({ status: 409, body: { name: 'ConflictError' } })
    expect(await here.eventsAfter(last)).toEqual([])
  })
})

describe('refused import sources', () => {
  const nothing = { as, status: 400, events: [] } as const
  const wish = { ...FLAGD, content: flagdOf('none') }
  scenarios(
    () => here,
    [
      { ...nothing, name: 'no kind that is known', call: PLAN, body: { ...wish, kind: 'csv' }, text: 'kind' },
      { ...nothing, name: 'no file', call: PLAN, body: FLAGD, text: 'body/content' },
      {
        ...nothing,
        name: 'no environment',
        call: PLAN,
        body: { kind: 'flagd', content: '{}' },
        text: 'body/environment',
      },
      { ...nothing, name: 'an address for a file', call: PLAN, body: { ...wish, address: 'x' }, text: 'body/address' },
      {
        ...nothing,
        name: 'a file for a server',
        call: PLAN,
        text: 'body/content',
        body: { kind: 'unleash-api', address: 'https://a.example', token: 'x', content: '{}' },
      },
      {
        ...nothing,
        name: 'an address with a password',
        call: PLAN,
        text: 'body/address',
        body: { kind: 'unleash-api', address: 'https://a:b@a.example', token: 'x' },
      },
      {
        ...nothing,
        name: 'an address of a file',
        call: PLAN,
        text: 'body/address',
        body: { kind: 'unleash-api', address: 'file:///etc/passwd', token: 'x' },
      },
      {
        ...nothing,
        name: 'a token that is no header',
        call: PLAN,
        text: 'body/token',
        body: { kind: 'unleash-api', address: 'https://a.example', token: 'a\nb' },
      },
      {
        ...nothing,
        name: 'a file of something else',
        call: PLAN,
        body: { ...wish, content: '[1]' },
        text: 'an object',
      },
      { ...nothing, name: 'no plan', call: GO, body: wish, text: 'plan' },
      {
        ...nothing,
        name: 'another type of body',
        call: PLAN,
        raw: 'a',
        headers: { 'content-type': 'text/plain' },
        status: 415,
      },
      { ...nothing, name: 'a plan by an editor', as: 'editor', call: PLAN, body: wish, status: 403 },
      { ...nothing, name: 'an import by an editor', as: 'editor', call: GO, body: { ...wish, plan: 'x' }, status: 403 },
      {
        ...nothing,
        name: 'flags where changes are reviewed',
        call: PLAN,
        status: 403,
        text: 'requires change requests',
        body: { ...wish, project: 'guarded', environment: 'production' },
      },
    ],
  )

  test('an address of the own network, unless integrations may call it', async () => {
    const last = await there.lastEventId()
    const body = { kind: 'unleash-api', address, token: TOKENS.admin }
    const reply = await there.call({ as, call: PLAN, body })
    expect([reply.statusCode, reply.body]).toEqual([400, expect.stringContaining('private, loopback or link-local')])
    expect(await there.eventsAfter(last)).toEqual([])
  })

  test.each<[what: string, bytesOfOne: number, bytesOfAll: number, reads: number]>([
    ['one answer', 1000, 10_000, 0],
    ['all answers', 2000, 2500, 1],
  ])('a server that sends more than is taken, in %s', async (_, bytesOfOne, bytesOfAll, reads) => {
    const source = createServer((_request, response) => void response.end('x'.repeat(1500)))
    await new Promise<void>((resolve) => void source.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(source.address() as AddressInfo).port}`
    const guard = { allowPrivate: true, allowedHosts: [], requireEncryption: false, resolve: resolveBySystem }
    const send = createGuardedFetch(guard, new AbortController().signal, {
      maxBytes: bytesOfOne,
      maxTotalBytes: bytesOfAll,
    })
    for (let count = 0; count < reads; count += 1) expect((await send(url, {})).status).toBe(200)
    await expect(send(url, {})).rejects.toThrow('use burgee import')
    source.closeAllConnections()
    source.close()
  })
})
