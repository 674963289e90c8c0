import type { AddressInfo } from 'node:net'
import Type from 'typebox'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestApp, KEY, long, throwValue } from '../../test-support/app.ts'
import { Reply, type Route, routesFor } from './route.ts'

const route = routesFor<string>()
const common = { summary: 'S.', tag: 't', permission: null, problems: [], replies: { 200: { description: 'OK' } } }
const Body = Type.Object({ name: Type.String() })

const ROUTES = [
  route({ ...common, method: 'GET', url: '/hot', isHot: true, handle: ({ caller }) => caller.id }),
  route({ ...common, method: 'POST', url: '/hot', isHot: true, body: Body, handle: ({ body }) => body }),
  route({ ...common, method: 'GET', url: '/later', isHot: true, handle: async ({ caller }) => caller.id }),
  route({ ...common, method: 'GET', url: '/throws', isHot: true, handle: () => throwValue(new Error('boom')) }),
  route({ ...common, method: 'GET', url: '/rejects', isHot: true, handle: () => Promise.reject(new Error('boom')) }),
  route({ ...common, method: 'GET', url: '/bigint', isHot: true, handle: () => ({ a: 1n }) }),
  route({ ...common, method: 'GET', url: '/later-bigint', isHot: true, handle: async () => ({ a: 1n }) }),
  route({ ...common, method: 'GET', url: '/wide', isHot: true, handle: () => '\u00fc\u20ac' }),
  route({ ...common, method: 'GET', url: '/nothing', isHot: true, handle: () => undefined }),
  route({ ...common, method: 'GET', url: '/gone', isHot: true, handle: () => new Reply(204) }),
  route({
    ...common,
    method: 'GET',
    url: '/many',
    isHot: true,
    handle: () => new Reply(200, 'x', { 'Set-Cookie': ['a', 'b'], Vary: 'Cookie' }),
  }),
  route({
    ...common,
    method: 'GET',
    url: '/bad-header',
    isHot: true,
    handle: () => new Reply(200, 'x', { 'x-bad': 'a\r\nx-more: b' }),
  }),
  route({
    ...common,
    method: 'GET',
    url: '/typed',
    isHot: true,
    handle: () => new Reply(200, undefined, { 'content-type': 'application/json', etag: 'W/"own"' }),
  }),
  route({
    ...common,
    method: 'GET',
    url: '/measured',
    isHot: true,
    handle: () => new Reply(200, 'x', { 'content-length': '1' }),
  }),
  route({
    ...common,
    method: 'GET',
    url: '/encoded',
    isHot: true,
    handle: () => new Reply(200, long, { 'content-type': 'text/css; charset=utf-8', 'content-encoding': 'identity' }),
  }),
  route({ ...common, method: 'GET', url: '/cold', handle: ({ caller }) => caller.id }),
  route({ ...common, method: 'GET', url: '/by/:id', isHot: true, handle: ({ caller }) => caller.id }),
] as Route<string>[]

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function listening(options: Parameters<typeof createTestApp>[0]) {
  const app = createTestApp({ routes: ROUTES, first: () => ({ VARY: 'Origin' }), compress: true, ...options })
  await app.listen({ port: 0, host: '127.0.0.1' })
  closers.push(() => app.close())
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

describe.each(['authorize-first', 'validate-first'] as const)('%s', (order) => {
  test.each([
    ['GET /hot', {}, undefined],
    ['HEAD /hot', {}, undefined],
    ['GET /later?x=1', {}, undefined],
    ['POST /hot', {}, '{"name":"a"}'],
    ['POST /hot', {}, '{"name":1}'],
    ['POST /hot', {}, '{"name":{}}'],
    ['POST /hot', {}, '{bad'],
    ['POST /hot', {}, 'x'.repeat(2000)],
    ['POST /hot', { 'content-type': 'text/plain' }, 'x'],
    ['POST /hot', { 'content-type': 'application/json; charset=latin1' }, '{}'],
    ['POST /hot', { authorization: '' }, '{bad'],
    ['GET /hot', { authorization: '' }, undefined],
    ['GET /hot?bad', {}, undefined],
    ['GET /HOT/', {}, undefined],
    ['GET /throws', {}, undefined],
    ['GET /rejects', {}, undefined],
    ['GET /throws', { 'x-render': 'fail' }, undefined],
    ['GET /bigint', {}, undefined],
    ['GET /later-bigint', {}, undefined],
    ['GET /wide', {}, undefined],
    ['GET /wide', { 'if-none-match': '*' }, undefined],
    ['GET /typed', {}, undefined],
    ['GET /measured', {}, undefined],
    ['GET /encoded', {}, undefined],
    ['GET /nothing', {}, undefined],
    ['HEAD /nothing', {}, undefined],
    ['GET /gone', {}, undefined],
    ['GET /many', {}, undefined],
    ['DELETE /hot', {}, undefined],
  ])('%s %o %s: the same with the lane as without', async (call, headers, body) => {
    const [method, path] = call.split(' ') as [string, string]
    const replies = [true, false].map(async (fastLane) => {
      const url = await listening({ order, fastLane })
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const init = { method, headers: { ...KEY, ...type, ...headers }, body: body ?? null }
      const reply = await fetch(`${url}${path}`, init)
      const { date: _date, connection: _connection, 'keep-alive': _keep, ...rest } = Object.fromEntries(reply.headers)
      const text = (await reply.text()).replace(/"(hot|req)-\w+"/, '"id"')
      if (text === '"id"' || call === 'HEAD /hot') {
        delete rest.etag
        delete rest['content-length']
      }
      return { status: reply.status, headers: rest, text }
    })
    const [fast, plain] = await Promise.all(replies)
    expect(fast).toEqual(plain)
  })
})

test.each([
  ['/hot', /^"hot-/],
  ['/hot?a=1', /^"hot-/],
  ['/later', /^"hot-/],
  ['/Hot', /^"req-/],
  ['/cold', /^"req-/],
  ['/by/1', /^"req-/],
])('%s is answered by %s', async (path, form) => {
  const url = await listening({})
  expect(await (await fetch(`${url}${path}`, { headers: KEY })).text()).toMatch(form)
})

test('a header that cannot be sent ends the connection, not the process', async () => {
  const url = await listening({})
  await expect(fetch(`${url}/bad-header`, { headers: KEY })).rejects.toThrow()
  expect((await fetch(`${url}/hot`, { headers: KEY })).status).toBe(200)
})

test('reports each of its replies', async () => {
  const seen: string[] = []
  const url = await listening({ onReply: ({ route: at, method, status }) => seen.push(`${method} ${at} ${status}`) })
  for (const path of ['/hot', '/nothing', '/throws']) await (await fetch(`${url}${path}`, { headers: KEY })).text()
  await (await fetch(`${url}/hot`)).text()
  expect(seen).toEqual(['GET /hot 200', 'GET /nothing 200', 'GET /throws 500', 'GET /hot 401'])
})
