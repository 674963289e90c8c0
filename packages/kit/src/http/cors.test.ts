import { describe, expect, test } from 'vitest'
import { buildCorsHeaders, buildPreflightReply, type CorsOptions } from './cors.ts'

const DEFAULTS: CorsOptions = {
  origin: ['*'],
  methods: 'GET, POST',
  allowedHeaders: undefined,
  exposedHeaders: 'ETag',
  credentials: false,
  maxAgeSeconds: 172_800,
  optionsSuccessStatus: 204,
}
const A = 'https://a.example'
const B = 'https://b.example'

describe('headers of any reply', () => {
  test.each<[string, Partial<CorsOptions>, string | undefined, Record<string, string>]>([
    ['all origins', {}, A, { 'access-control-allow-origin': '*' }],
    ['all origins, without an origin', {}, undefined, { 'access-control-allow-origin': '*' }],
    ['all among others', { origin: [A, '*'] }, B, { 'access-control-allow-origin': '*' }],
    ['one origin, sent to everyone', { origin: [A] }, B, { vary: 'Origin', 'access-control-allow-origin': A }],
    ['several, sent to one of them', { origin: [A, B] }, B, { vary: 'Origin', 'access-control-allow-origin': B }],
    ['several, sent to no other', { origin: [A, B] }, 'https://c.example', { vary: 'Origin' }],
    ['several, without an origin', { origin: [A, B] }, undefined, { vary: 'Origin' }],
    ['case and ports count', { origin: [A, B] }, `${A}:8080`, { vary: 'Origin' }],
    ['none', { origin: [] }, A, { vary: 'Origin' }],
    [
      'credentials',
      { credentials: true },
      A,
      { 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true' },
    ],
  ])('%s', (_name, options, origin, expected) => {
    const request = origin === undefined ? {} : { origin }
    expect(buildCorsHeaders({ ...DEFAULTS, ...options }, request)).toEqual({
      ...expected,
      'access-control-expose-headers': 'ETag',
    })
  })

  test('nothing exposed', () => {
    expect(buildCorsHeaders({ ...DEFAULTS, exposedHeaders: '' }, {})).toEqual({ 'access-control-allow-origin': '*' })
  })
})

describe('preflight', () => {
  const ask = { origin: A, 'access-control-request-headers': 'x-one, x-two' }
  test.each<[string, Partial<CorsOptions>, Partial<typeof ask>, Record<string, string | undefined>]>([
    [
      'echoes the requested headers',
      {},
      ask,
      { 'access-control-allow-headers': 'x-one, x-two', vary: 'Access-Control-Request-Headers' },
    ],
    ['none requested', {}, {}, { 'access-control-allow-headers': undefined, vary: 'Access-Control-Request-Headers' }],
    [
      'an empty list requested',
      {},
      { 'access-control-request-headers': '' },
      { 'access-control-allow-headers': undefined },
    ],
    ['fixed headers', { allowedHeaders: ['a', 'b'] }, ask, { 'access-control-allow-headers': 'a,b', vary: undefined }],
    ['no headers at all', { allowedHeaders: [] }, ask, { 'access-control-allow-headers': '', vary: undefined }],
    ['varies by origin too', { origin: [A] }, ask, { vary: 'Origin, Access-Control-Request-Headers' }],
    ['an age of 0 is sent', { maxAgeSeconds: 0 }, ask, { 'access-control-max-age': '0' }],
    ['methods', { methods: 'PUT' }, ask, { 'access-control-allow-methods': 'PUT' }],
  ])('%s', (_name, options, request, expected) => {
    const { headers } = buildPreflightReply({ ...DEFAULTS, ...options }, request)
    for (const [name, value] of Object.entries(expected)) expect(headers[name]).toBe(value)
  })

  test('has no body, and the status that was chosen', () => {
    const reply = buildPreflightReply({ ...DEFAULTS, optionsSuccessStatus: 200 }, {})
    expect([reply.status, reply.body, reply.headers['content-length']]).toEqual([200, undefined, '0'])
  })
})
