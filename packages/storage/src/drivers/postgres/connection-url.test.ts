import { describe, expect, test } from 'vitest'
import { parseConnectionUrl } from './connection-url.ts'

describe('a connection string', () => {
  test.each([
    ['postgres://u:p@h:5433/d', [{ host: 'h', port: 5433 }], { user: 'u', password: 'p', database: 'd' }],
    ['postgresql://h/d', [{ host: 'h' }], { database: 'd' }],
    [
      'postgres://h1:5432,h2:5433/d',
      [
        { host: 'h1', port: 5432 },
        { host: 'h2', port: 5433 },
      ],
      { database: 'd' },
    ],
    ['postgres://[::1]:5432,h/d', [{ host: '::1', port: 5432 }, { host: 'h' }], { database: 'd' }],
    [
      'postgres:///d?host=a,b&port=1,2',
      [
        { host: 'a', port: 1 },
        { host: 'b', port: 2 },
      ],
      { database: 'd' },
    ],
    ['postgres://u@/d?host=/run/postgresql', [{ host: '/run/postgresql' }], { user: 'u', database: 'd' }],
    ['postgres://u@%2Frun%2Fpostgresql/d', [{ host: '/run/postgresql' }], { user: 'u', database: 'd' }],
    ['postgres://u:%40%3A%2F%3F%23%25@h/d', [{ host: 'h' }], { user: 'u', password: '@:/?#%', database: 'd' }],
    ['postgres://u:50%@h/d', [{ host: 'h' }], { user: 'u', password: '50%', database: 'd' }],
    ['postgres://h/d?target_session_attrs=read-write', [{ host: 'h' }], { database: 'd' }],
    ['postgres://h/d?channel_binding=require', [{ host: 'h' }], { database: 'd', enableChannelBinding: true }],
    ['postgres://h/d?connect_timeout=3', [{ host: 'h' }], { database: 'd', connectionTimeoutMillis: 3000 }],
  ])('%s names hosts and the rest', (url, hosts, client) => {
    expect(parseConnectionUrl(url)).toEqual({ hosts, client, warnings: [] })
  })

  test.each([
    ['disable', false],
    ['no-verify', { rejectUnauthorized: false }],
    ['require', { rejectUnauthorized: false }],
    ['verify-full', {}],
  ])('sslmode=%s has the meaning of libpq', (mode, ssl) => {
    expect(parseConnectionUrl(`postgres://h/d?sslmode=${mode}`).client.ssl).toEqual(ssl)
  })

  test('sslmode=require is warned of in one line', () => {
    expect(parseConnectionUrl('postgres://h/d?sslmode=require').warnings).toEqual([
      expect.stringMatching(/not verified.*verify-full/),
    ])
  })

  test.each([
    ['sslmode=prefer', /use require or verify-full/],
    ['sslmode=allow', /use require or verify-full/],
    ['sslmode=verify-ca', /sslrootcert/],
    ['sslmode=nonsense', /use disable, require/],
    ['sslrootcert=/not/there', /sslrootcert \(ENOENT\)/],
    ['target_session_attrs=standby', /only on the primary/],
    ['load_balance_hosts=random', /in order/],
    ['connect_timeout=soon', /number of seconds/],
    ['schema=public', /parameter schema/],
    ['host=a,b&port=1,2,3', /2 hosts and 3 ports/],
  ])('%s is rejected without revealing the password', (query, message) => {
    const parse = () => parseConnectionUrl(`postgres://u:hidden@h/d?${query}`)
    expect(parse).toThrow(message)
    expect(parse).not.toThrow(/hidden/)
  })
})
