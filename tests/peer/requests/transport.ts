import { ask, type Draft, post, SERVER_TOKEN } from './build.ts'

const QUERY = '/proxy?userId=u7&sessionId=1'
const CALLER = 'https://app.example'
const with_ = (headers: Readonly<Record<string, string>>) => ({ headers })

/** Conditional requests. `{etag}` is replaced by the ETag of the reply without the condition. */
export const CACHE_REQUESTS: readonly Draft[] = [
  ...['{etag}', '{strong}', '*', '"other"', 'W/"other"', '"other", {etag}', '{etag},"other"', '', 'garbage'].flatMap(
    (value) => [
      ask(QUERY, with_({ 'If-None-Match': value })),
      ask(`HEAD ${QUERY}`, with_({ 'If-None-Match': value })),
      post(
        '/proxy',
        { context: { userId: 'u7', sessionId: '1' } },
        with_({ 'If-None-Match': value, 'Content-Type': 'application/json' }),
      ),
    ],
  ),
  ask('/proxy/all?userId=u7&sessionId=1', with_({ 'If-None-Match': '{etag}' })),
  ask('/proxy/health', with_({ 'If-None-Match': '{etag}' })),
  ask('/proxy/internal-backstage/prometheus', with_({ 'If-None-Match': '*' })),
  ask('/proxy', { key: null, headers: { 'If-None-Match': '*' } }),
  ask('/nowhere', with_({ 'If-None-Match': '*' })),
  ask(QUERY, with_({ 'If-None-Match': '{etag}', 'Cache-Control': 'no-cache' })),
  ask(QUERY, with_({ 'If-None-Match': '{etag}', 'Cache-Control': 'max-age=0' })),
  ask(QUERY, with_({ 'If-None-Match': '{etag}', Pragma: 'no-cache' })),
  ask(QUERY, with_({ 'If-Match': '"other"' })),
  ask(QUERY, with_({ 'If-Modified-Since': 'Mon, 01 Jan 2035 00:00:00 GMT' })),
  ask(QUERY, with_({ Range: 'bytes=0-9' })),
  ask(QUERY, with_({ Expect: 'nonsense' })),
  ask(QUERY, with_({ Accept: 'text/html' })),
  ask(QUERY, with_({ 'X-HTTP-Method-Override': 'DELETE' })),
]

/** Encodings of the reply. Some of the replies are too small to compress. */
export const ENCODING_REQUESTS: readonly Draft[] = [
  ...[
    'gzip',
    'br',
    'deflate',
    'gzip, deflate, br',
    'gzip;q=1, br;q=0.5',
    'br;q=0',
    '*',
    '*;q=0',
    'identity',
    'zstd',
    'x-gzip',
    'GZIP',
    '',
    'identity;q=0',
    'gzip;q=0, *',
  ].flatMap((value) => [
    ask(QUERY, with_({ 'Accept-Encoding': value })),
    ask('/proxy/client/features', { key: SERVER_TOKEN, headers: { 'Accept-Encoding': value } }),
  ]),
  ask('/proxy/health', with_({ 'Accept-Encoding': 'gzip' })),
  ask('/proxy', { key: null, headers: { 'Accept-Encoding': 'gzip' } }),
  ask('/nowhere', with_({ 'Accept-Encoding': 'gzip' })),
  ask(`HEAD ${QUERY}`, with_({ 'Accept-Encoding': 'gzip' })),
  ask(QUERY, with_({ 'Accept-Encoding': 'gzip', 'Cache-Control': 'no-transform' })),
  ask(QUERY, with_({ 'Accept-Encoding': 'gzip', 'If-None-Match': '{etag}' })),
  post('/proxy', {}, with_({ 'Accept-Encoding': 'gzip', 'Content-Type': 'application/json' })),
  post('/proxy', { toggles: ['on'] }, with_({ 'Accept-Encoding': 'gzip', 'Content-Type': 'application/json' })),
]

const PREFLIGHT = {
  Origin: CALLER,
  'Access-Control-Request-Method': 'GET',
  'Access-Control-Request-Headers': 'authorization,if-none-match,unleash-sdk',
}

/** Cross-origin requests of browsers. */
export const CORS_REQUESTS: readonly Draft[] = [
  ...['/proxy', '/proxy/all', '/proxy/health', '/proxy/client/metrics', '/nowhere', '/proxy/nowhere', '/'].flatMap(
    (path) => [ask(`OPTIONS ${path}`, { key: null }), ask(`OPTIONS ${path}`, { key: null, headers: PREFLIGHT })],
  ),
  ...[CALLER, 'https://other.example', 'https://evil.example', 'null', ''].flatMap((origin) => [
    ask(QUERY, with_({ Origin: origin })),
    ask('OPTIONS /proxy', { key: null, headers: { ...PREFLIGHT, Origin: origin } }),
    ask('/proxy', { key: null, headers: { Origin: origin } }),
    ask('/nowhere', with_({ Origin: origin })),
    post('/proxy', '{bad', with_({ Origin: origin, 'Content-Type': 'application/json' })),
    post('/proxy', 'x', with_({ Origin: origin, 'Content-Type': 'text/plain' })),
  ]),
  ask('OPTIONS /proxy', { key: null, headers: { Origin: CALLER, 'Access-Control-Request-Method': 'DELETE' } }),
  ask('OPTIONS /proxy', { key: null, headers: { Origin: CALLER, 'Access-Control-Request-Headers': '' } }),
  post('/proxy', 'x', with_({ 'Content-Type': 'text/plain' })),
  { ...post('/proxy', {}), method: 'OPTIONS', key: null },
  { ...post('/proxy', 'x', with_({ 'Content-Type': 'text/plain' })), method: 'OPTIONS', key: null },
  ask(QUERY, with_({ Origin: CALLER, 'If-None-Match': '{etag}' })),
]

/** Forwarded addresses. The flag `address` and others distinguish them. */
export const ADDRESS_REQUESTS: readonly Draft[] = [
  '192.0.2.1',
  '203.0.113.1',
  '192.0.2.1, 203.0.113.1',
  '203.0.113.1, 192.0.2.1',
  '203.0.113.1,192.0.2.1,10.0.0.1',
  '192.0.2.1, 10.0.0.1, 10.0.0.2',
  '192.0.2.1,  127.0.0.1',
  'unknown',
  'nonsense, 192.0.2.1',
  '192.0.2.1, nonsense',
  '192.0.2.1:4711',
  '::ffff:192.0.2.1',
  '2001:db8::1',
  '[2001:db8::1]',
  '',
  ',',
  ' , 192.0.2.1',
  '192.0.2.1,',
]
  .flatMap((value) => [
    ask('/proxy', with_({ 'X-Forwarded-For': value })),
    post(
      '/proxy',
      { toggles: ['address', 'address 203', 'address six'] },
      with_({ 'X-Forwarded-For': value, 'Content-Type': 'application/json' }),
    ),
    ask('/proxy?remoteAddress=192.0.2.3', with_({ 'X-Forwarded-For': value })),
  ])
  .concat([ask('/proxy', with_({ Forwarded: 'for=192.0.2.1' })), ask('/proxy', with_({ 'X-Real-IP': '192.0.2.1' }))])

const DOCS = ['', '/', '.json', '.yaml', '.yml', '/validate', '/components/schemas/nothing.json', '/nowhere']

/** OpenAPI document, and the pages around it. */
export const DOCS_REQUESTS: readonly Draft[] = [
  ...DOCS.map((path) => ask(`/docs/openapi${path}`, { key: null })),
  ask('HEAD /docs/openapi.json', { key: null }),
  ask('/docs/openapi.json', { key: null, headers: { Origin: CALLER, 'Accept-Encoding': 'gzip' } }),
  ask('OPTIONS /docs/openapi.json', { key: null, headers: { Origin: CALLER } }),
  ask('/docs', { key: null }),
]
