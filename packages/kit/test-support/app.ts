import type { InjectOptions } from 'light-my-request'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { type App, type AppOptions, createApp } from '../src/http/app.ts'
import { Refusal } from '../src/http/refusal.ts'
import { type Caller, Reply, type Route, routesFor } from '../src/http/route.ts'
import { InvalidRequest } from '../src/input/validation.ts'
import { SILENT } from '../src/log/logger.ts'

class Denied extends Error {}

const route = routesFor<string>()
const parts = { summary: 'Test.', tag: 'test', permission: null, problems: [], replies: { 200: { description: 'OK' } } }
const Body = Type.Object({ name: Type.String() })
export const long = 'x'.repeat(2000)

const ROUTES = [
  route({
    ...parts,
    method: 'GET',
    url: '/things/:id',
    params: Type.Object({ id: Type.String({ minLength: 1 }) }),
    query: Type.Object({ limit: Type.Integer({ default: 10 }) }),
    handle: ({ params, query, access }) => ({ ...params, ...query, access }),
  }),
  route({ ...parts, method: 'POST', url: '/things', body: Body, handle: async ({ body }) => body }),
  route({ ...parts, method: 'POST', url: '/maybe', body: Body, bodyOptional: true, handle: ({ body }) => ({ body }) }),
  route({
    ...parts,
    method: 'POST',
    url: '/fallback',
    body: Type.Object({ a: Type.Optional(Type.Number()) }, { default: { a: 1 } }),
    bodyOptional: true,
    handle: ({ body }) => body,
  }),
  route({ ...parts, method: 'DELETE', url: '/things/:id', handle: () => new Reply(204) }),
  route({ ...parts, method: 'POST', url: '/wide', bodyLimitBytes: 5000, body: Body, handle: () => 'ok' }),
  route({
    ...parts,
    method: 'POST',
    url: '/limited',
    first: ({ headers }) =>
      headers['x-full'] === undefined ? { 'x-limit': '7' } : new Reply(429, 'Later.', { 'content-type': 'text/plain' }),
    body: Body,
    handle: () => 'ok',
  }),
  route({ ...parts, method: 'GET', url: '/caller', handle: ({ caller }) => caller }),
  route({ ...parts, method: 'GET', url: '/anything', handle: () => 'no schema' }),
  route({
    ...parts,
    method: 'PUT',
    url: '/created',
    replies: { 202: { description: 'B' }, 201: { description: 'A' } },
    handle: () => ({}),
  }),
  route({ ...parts, method: 'GET', url: '/nothing', handle: () => undefined }),
  route({ ...parts, method: 'GET', url: '/empty', handle: () => new Reply(409) }),
  route({
    ...parts,
    method: 'GET',
    url: '/text',
    handle: () => new Reply(200, 'ok', { 'content-type': 'text/plain' }),
  }),
  route({ ...parts, method: 'GET', url: '/bytes', handle: () => new Reply(200, Buffer.from([1, 2])) }),
  route({ ...parts, method: 'GET', url: '/tagged', handle: () => Reply.json(200, { a: 1 }, { etag: 'W/"own"' }) }),
  route({ ...parts, method: 'GET', url: '/teapot', handle: () => Reply.json(418, {}) }),
  route({ ...parts, method: 'GET', url: '/varied', handle: () => Reply.json(200, {}, { Vary: 'Cookie, origin' }) }),
  route({ ...parts, method: 'GET', url: '/throws', handle: () => throwValue(new Error('boom')) }),
  route({ ...parts, method: 'GET', url: '/rejects', handle: async () => throwValue(new Error('boom')) }),
  route({ ...parts, method: 'GET', url: '/throws-nothing', handle: () => throwValue(undefined) }),
  route({ ...parts, method: 'GET', url: '/throws-text', handle: () => throwValue('boom') }),
  route({ ...parts, method: 'GET', url: '/bigint', handle: () => ({ a: 1n }) }),
  route({ ...parts, method: 'GET', url: '/bad-header', handle: () => new Reply(200, 'x', { 'x-bad': 'a\nb' }) }),
]

export function throwValue(value: unknown): never {
  throw value
}

function authorize(caller: Caller): string {
  const key = caller.headers.authorization
  if (key === undefined) throw new Denied(JSON.stringify(caller.params))
  return String(key)
}

/** Renders an error in a form that tests can inspect. */
export function renderError(error: unknown, caller?: Caller): Reply {
  if (error instanceof Denied) return Reply.json(401, { denied: JSON.parse(error.message) })
  if (error instanceof InvalidRequest) return Reply.json(400, { invalid: error.message })
  if (error instanceof Refusal) return Reply.json(error.status, { refused: error.reason, why: error.message })
  if (caller?.headers['x-render'] === 'fail') throw new Error('renderer')
  return Reply.json(500, { failed: String(error) })
}

export function createTestApp(options: Partial<AppOptions<string>> = {}): App {
  return createApp<string, unknown>({
    routes: ROUTES as Route<string>[],
    world: undefined,
    basePath: '',
    order: 'validate-first',
    authorize,
    renderError,
    parseQuery: (text) =>
      text === 'bad' ? throwValue(new Error('query')) : Object.fromEntries(new URLSearchParams(text)),
    bodyLimitBytes: 1000,
    logger: SILENT,
    ...options,
  })
}

export const KEY = { authorization: 'k' }
export const JSON_TYPE = { 'content-type': 'application/json' }

export interface Row {
  readonly name: string
  readonly call: string
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
  readonly status: number
  readonly has?: unknown
}

export async function sendRow(app: App, { call, headers = KEY, body }: Row) {
  const [method, url] = call.split(' ') as ['GET', string]
  const request: InjectOptions = { method, url, headers }
  return app.inject(body === undefined ? request : { ...request, payload: body })
}

export function testRows(app: App, rows: readonly Row[]): void {
  test.each(rows)('$name → $status', async (row) => {
    const reply = await sendRow(app, row)
    expect(reply.statusCode, reply.body).toBe(row.status)
    if (row.has === '') expect([reply.body, reply.headers['content-type']]).toEqual(['', undefined])
    else if (row.has !== undefined) expect(reply.json()).toMatchObject(row.has as object)
  })
}
