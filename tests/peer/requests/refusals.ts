import { deflateSync, gzipSync } from 'node:zlib'
import { ask, CLIENT_KEY, type Draft, JSON_TYPE, post, SERVER_TOKEN } from './build.ts'

const type = (value: string) => ({ headers: { 'Content-Type': value } })
const coded = (encoding: string) => ({ headers: { ...JSON_TYPE, 'Content-Encoding': encoding } })
const FITTING = { context: { userId: 'u7' } }
const TEXT = JSON.stringify(FITTING)

/** Requests with missing, wrong or differently written keys. */
export const KEY_REQUESTS: readonly Draft[] = [
  ...[
    null,
    '',
    'wrong',
    `Bearer ${CLIENT_KEY}`,
    CLIENT_KEY.toUpperCase(),
    'k1,k2',
    'k1, k2',
    ' k2 ',
    'k2',
    SERVER_TOKEN,
  ].flatMap((key) => [
    ask('/proxy?userId=u7', { key }),
    post('/proxy', {}, { key }),
    ask('/proxy/all', { key }),
    ask('/proxy/health', { key }),
    ask('/proxy/client/features', { key }),
  ]),
  { ...ask('/proxy'), headers: [['authorization', 'wrong']] },
  {
    ...ask('/proxy', { key: null }),
    headers: [
      ['authorization', CLIENT_KEY],
      ['authorization', 'wrong'],
    ],
  },
  {
    ...ask('/proxy', { key: null }),
    headers: [
      ['x-flag-key', CLIENT_KEY],
      ['x-flag-key', CLIENT_KEY],
    ],
  },
  { ...ask('/proxy', { key: null }), headers: [['X-FLAG-KEY', CLIENT_KEY]] },
  // rejected before the key is checked
  post('/proxy', '{bad', { key: null }),
  post('/proxy', { toggles: 3 }, { key: null }),
  ask('/proxy?userId=1&userId=2', { key: null }),
  post('/proxy', 'x', { key: null, ...type('text/plain') }),
  post('/proxy/client/metrics', {}, { key: null }),
]

/** Paths that do not exist, or that do not support the method. */
export const PATH_REQUESTS: readonly Draft[] = [
  ...['/PROXY', '/Proxy/HEALTH', '/proxy/', '/proxy//', '/proxy/all/', '/proxy/health/', '/proxy//all'].map((path) =>
    ask(path),
  ),
  ...[
    '/',
    '',
    '/nowhere',
    '/proxyfoo',
    '/proxy/nowhere',
    '/proxy/all/nowhere',
    '/proxy;x',
    '/proxy/../proxy',
    '/prox',
  ].map((path) => ask(path || '/', { key: null })),
  ...[
    '!//proxy',
    '!/%70roxy',
    '!/proxy%2Fall',
    '!/%',
    '!/proxy/%zz',
    '!/proxy/%3Cscript%3E',
    '!/proxy/a%20b',
    "!/proxy/x'&y",
  ].map((path) => ask(path)),
  ...['PUT', 'DELETE', 'PATCH'].flatMap((method) => [
    ask(`${method} /proxy`),
    ask(`${method} /proxy`, { key: null }),
    ask(`${method} /proxy/all`),
    ask(`${method} /proxy/client/metrics`),
    ask(`${method} /nowhere`),
  ]),
  { ...post('/proxy', TEXT), method: 'PUT' },
  { ...post('/proxy', '{bad'), method: 'PUT' },
  { ...post('/proxy', TEXT, type('text/plain')), method: 'PUT' },
  post('/proxy/health', {}),
  post('/proxy/nowhere', {}),
  post('/proxy/client/features', {}),
  ask('/proxy/client/metrics'),
  ask('/proxy/client/register'),
  ask('/proxy/all/client/metrics'),
  post('/proxy/all/client/register', {}),
  ask('/docs/openapi'),
  ask('/docs/openapi.json'),
]

/** Bodies that cannot or should not be parsed. */
export const MEDIA_REQUESTS: readonly Draft[] = [
  ...[
    'text/plain',
    'application/vnd.api+json',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'garbage',
    'application/jsonx',
    'application/json-patch+json',
    'application/*',
    '',
  ].flatMap((value) => [post('/proxy', TEXT, type(value)), post('/proxy/client/metrics', TEXT, type(value))]),
  ...[
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; charset=us-ascii',
    'application/json; charset=nonsense',
    'application/json;',
    'application/json; version=1',
  ].map((value) => post('/proxy', TEXT, type(value))),
  post('/proxy', TEXT, { headers: {} }),
  post('/proxy', '', type('text/plain')),
  post('/proxy', '', type('application/json')),
  post('/proxy/nowhere', 'x', type('text/plain')),
  post('!/nowhere', 'x', type('text/plain')),
  post('!/nowhere', '{bad'),
  { ...ask('/proxy'), body: TEXT, headers: [['Content-Type', 'application/json']] },
  { ...ask('/proxy'), body: 'x', headers: [['Content-Type', 'text/plain']] },
  { ...ask('/proxy'), body: '{bad', headers: [['Content-Type', 'application/json']] },
  ask('/proxy', type('text/plain')),
  ...[
    '{bad',
    '{',
    '"text"',
    '7',
    'null',
    'true',
    '[]',
    '[1]',
    '{"a":1}x',
    '\u0000',
    "{'a':1}",
    '{"toggles":["on",]}',
    ' {} ',
    '\ufeff{}',
  ].map((body) => post('/proxy', body)),
  post('/proxy', '{bad', { headers: JSON_TYPE, key: 'wrong' }),
  post('/proxy', gzipSync(TEXT), coded('gzip')),
  post('/proxy', gzipSync(TEXT), coded('GZIP')),
  post('/proxy', deflateSync(TEXT), coded('deflate')),
  post('/proxy', TEXT, coded('identity')),
  post('/proxy', TEXT, coded('br')),
  post('/proxy', TEXT, coded('zstd')),
  post('/proxy', TEXT, coded('gzip')),
  post('/proxy', gzipSync('{bad'), coded('gzip')),
  post('/proxy', { context: { note: 'x'.repeat(90_000) } }),
  post('/proxy', { context: { note: 'x'.repeat(200_000) } }),
  post('/proxy', { context: { note: 'x'.repeat(1_200_000) } }),
  post('/proxy', `{"context":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`),
]
