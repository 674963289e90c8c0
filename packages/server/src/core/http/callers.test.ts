import type { TrustedProxies } from '@burgee/kit/options/trusted-proxies'
import { expect, test } from 'vitest'
import { createCallers } from './callers.ts'

const OPTIONS = { trustProxy: false as TrustedProxies, secureCookies: false, baseUriPath: '', serverUrl: undefined }
const BEHIND = { trustProxy: ['127.0.0.1'] }

/** Returns the server's own origins, for a caller at 127.0.0.1 with these headers. */
function originsOf(given: object, headers: Readonly<Record<string, string>>) {
  const caller = { method: 'POST', url: '/', params: {}, id: '1', remoteAddress: '127.0.0.1', headers }
  return createCallers({ ...OPTIONS, ...given }).listOrigins(caller)
}

test.each<[string, object, Readonly<Record<string, string>>, readonly string[]]>([
  ['the requested host', {}, { host: 'flags.example:4242' }, ['http://flags.example:4242']],
  ['without the port of the scheme, in small letters', {}, { host: 'Flags.Example:80' }, ['http://flags.example']],
  ['an address of IPv6', {}, { host: '[::1]:4242' }, ['http://[::1]:4242']],
  ['none without a host', {}, {}, []],
  ['none where a user is before the host', {}, { host: 'flags.example@evil.example' }, []],
  ['none where a path follows', {}, { host: 'evil.example/flags' }, []],
  ['none where the port is none', {}, { host: 'flags.example:99999' }, []],
  ['none for half an address', {}, { host: '[::1' }, []],
  [
    'the public URL of the server, and the requested host',
    { serverUrl: 'https://F.example:443/x' },
    { host: 'localhost' },
    ['https://f.example', 'http://localhost'],
  ],
  ['the same once', { serverUrl: 'http://f.example' }, { host: 'f.example' }, ['http://f.example']],
  [
    'what a trusted proxy saw',
    BEHIND,
    { host: 'inside', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'f.example, second' },
    ['https://f.example'],
  ],
  [
    'the requested host if the proxy sends none',
    BEHIND,
    { host: 'f.example', 'x-forwarded-proto': 'https' },
    ['https://f.example'],
  ],
  [
    'the requested host behind no trusted proxy',
    {},
    { host: 'inside', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' },
    ['http://inside'],
  ],
  [
    'the requested host if another hop is trusted',
    { trustProxy: ['10.0.0.1'] },
    { host: 'inside', 'x-forwarded-host': 'evil.example' },
    ['http://inside'],
  ],
  ['TLS where cookies are for that alone', { secureCookies: true }, { host: 'f.example' }, ['https://f.example']],
])('the own origins are %s', (_what, given, headers, expected) => {
  expect(originsOf(given, headers)).toEqual(expected)
})
