import { request as httpRequest } from 'node:http'
import { SILENT } from '@burgee/kit/log/logger'
import { loadOptions, type ProxyConfig } from '@burgee/proxy/options'
import { ContextReader } from '@burgee/serving/evaluation/context-reader'
import { describe, expect, test } from 'vitest'
import { KEY, startProxy } from '../../support/proxy.ts'
import { startUpstream } from '../../support/upstream.ts'

/** Sources from which the caller's address is trusted. */
const REQUIRED = { flagUrl: 'http://127.0.0.1:9', flagApiToken: 't', clientKeys: ['k'] }
interface Row {
  /** In the format of the environment variable. */
  readonly trust?: string
  readonly wins?: boolean
  readonly socket?: string
  readonly forwarded?: string
  readonly sent?: string
  readonly is: string
}

/** Returns the caller's address in the context of a request with these options and headers. */
async function addressOf({ trust = '', wins = false, socket = '127.0.0.1', forwarded, sent }: Row): Promise<unknown> {
  const { trustProxy, trustedAddressWins } = loadOptions(
    { ...REQUIRED, trustedAddressWins: wins },
    { TRUST_PROXY: trust },
  )
  const settings = { appName: 'a', environment: undefined, enrichers: [], sessionChance: () => 0, logger: SILENT }
  const reader = new ContextReader({ ...settings, trustProxy, trustedAddressWins })
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const caller = { method: 'GET', url: '/proxy', params: {}, headers, remoteAddress: socket, id: '1' }
  const { remoteAddress } = await reader.fromQuery(sent === undefined ? {} : { remoteAddress: sent }, caller)
  return remoteAddress
}

describe('no proxy is trusted', () => {
  test.each<Row>([
    { is: '127.0.0.1' },
    { forwarded: '192.0.2.1', is: '127.0.0.1' },
    { trust: 'false', forwarded: '192.0.2.1', is: '127.0.0.1' },
    { trust: 'FALSE', forwarded: '192.0.2.1', is: '127.0.0.1' },
    { trust: 'false', forwarded: '192.0.2.1', sent: '198.51.100.1', is: '198.51.100.1' },
    { trust: 'false', wins: true, sent: '198.51.100.1', is: '198.51.100.1' },
    { socket: '2001:db8::1', forwarded: '192.0.2.1', is: '2001:db8::1' },
  ])('$trust, from $socket for $forwarded, sent $sent → $is', async (row) => {
    expect(await addressOf(row)).toBe(row.is)
  })
})

describe('all proxies are trusted', () => {
  test.each<Row>([
    { is: '127.0.0.1' },
    { forwarded: '192.0.2.1', is: '192.0.2.1' },
    { forwarded: '192.0.2.1, 10.0.0.1, 10.0.0.2', is: '192.0.2.1' },
    { forwarded: ' 192.0.2.1 ,10.0.0.1', is: '192.0.2.1' },
    { forwarded: '2001:db8::7, 10.0.0.1', is: '2001:db8::7' },
    { forwarded: '::ffff:192.0.2.1', is: '192.0.2.1' },
    { forwarded: '', is: '127.0.0.1' },
    { forwarded: ' , ,', is: '127.0.0.1' },
    { trust: 'TRUE', forwarded: '192.0.2.1', is: '192.0.2.1' },
  ])('"$forwarded" gives $is', async (row) => {
    expect(await addressOf({ trust: 'true', ...row })).toBe(row.is)
  })
})

describe('some are trusted: from the right, up to the first that is not', () => {
  test.each<Row>([
    { trust: '127.0.0.1', forwarded: '192.0.2.1', is: '192.0.2.1' },
    { trust: '127.0.0.1', forwarded: '192.0.2.1, 198.51.100.1', is: '198.51.100.1' },
    { trust: '127.0.0.1,198.51.100.1', forwarded: '192.0.2.1, 198.51.100.1', is: '192.0.2.1' },
    { trust: ' 127.0.0.1 , 198.51.100.0/24 ', forwarded: '192.0.2.1, 198.51.100.200', is: '192.0.2.1' },
    { trust: '127.0.0.1,198.51.100.0/25', forwarded: '192.0.2.1, 198.51.100.200', is: '198.51.100.200' },
    { trust: '127.0.0.0/255.0.0.0', forwarded: '192.0.2.1', is: '192.0.2.1' },
    { trust: '10.0.0.0/8', forwarded: '192.0.2.1', is: '127.0.0.1' },
    { trust: '10.0.0.0/8', socket: '10.9.9.9', forwarded: '192.0.2.1', is: '192.0.2.1' },
    { trust: '0.0.0.0/1,128.0.0.0/1', forwarded: '192.0.2.1, 198.51.100.1', is: '192.0.2.1' },
    { trust: 'loopback', forwarded: '192.0.2.1', is: '192.0.2.1' },
    { trust: 'loopback', socket: '::1', forwarded: '192.0.2.1', is: '192.0.2.1' },
    { trust: 'loopback', socket: '10.0.0.1', forwarded: '192.0.2.1', is: '10.0.0.1' },
    { trust: 'uniquelocal', socket: '10.0.0.1', forwarded: '192.0.2.1, 192.168.7.7, fd00::1', is: '192.0.2.1' },
    { trust: 'linklocal', socket: '169.254.1.1', forwarded: '192.0.2.1, fe80::1', is: '192.0.2.1' },
    { trust: 'loopback,uniquelocal,203.0.113.9', forwarded: '192.0.2.1, 203.0.113.9, 10.1.1.1', is: '192.0.2.1' },
    { trust: 'loopback', forwarded: '127.0.0.1, 127.0.0.2', is: '127.0.0.1' },
    { trust: 'loopback', forwarded: '6.6.6.6, 192.0.2.1', is: '192.0.2.1' },
  ])('$trust: from $socket for $forwarded → $is', async (row) => {
    expect(await addressOf(row)).toBe(row.is)
  })
})

describe('IPv6, and IPv4 within IPv6', () => {
  test.each<Row>([
    { trust: '2001:db8::/32', socket: '2001:db8:1::1', forwarded: '192.0.2.1', is: '192.0.2.1' },
    { trust: '2001:db8::/32', socket: '2001:db9::1', forwarded: '192.0.2.1', is: '2001:db9::1' },
    { trust: '2001:db8::1', socket: '2001:db8::1', forwarded: '2001:db8::2', is: '2001:db8::2' },
    { trust: '2001:DB8::1', socket: '2001:db8:0:0:0:0:0:1', forwarded: '192.0.2.1', is: '192.0.2.1' },
    { trust: '10.0.0.0/8', socket: '::ffff:10.0.0.1', forwarded: '192.0.2.1', is: '192.0.2.1' },
    { trust: '::ffff:a00:0/104', socket: '10.0.0.1', forwarded: '192.0.2.1', is: '192.0.2.1' },
    { trust: '10.0.0.0/8', socket: '10.0.0.1', forwarded: '192.0.2.1, ::ffff:10.0.0.2', is: '192.0.2.1' },
    { trust: '10.0.0.0/8', socket: '10.0.0.1', forwarded: '::FFFF:192.0.2.1', is: '192.0.2.1' },
    { trust: '10.0.0.0/8', socket: '2001:db8::1', forwarded: '192.0.2.1', is: '2001:db8::1' },
  ])('$trust: from $socket for $forwarded → $is', async (row) => {
    expect(await addressOf(row)).toBe(row.is)
  })
})

describe('entries that are no addresses end the chain', () => {
  test.each<Row>([
    { trust: 'loopback', forwarded: '192.0.2.1, garbage', is: 'garbage' },
    { trust: 'loopback', forwarded: 'unknown', is: 'unknown' },
    { trust: 'loopback', forwarded: '192.0.2.1, 127.0.0.1:8080', is: '192.0.2.1' },
    { trust: 'loopback', forwarded: '192.0.2.1, [::1]', is: '192.0.2.1' },
    { trust: 'loopback', forwarded: '192.0.2.1, 127.0.0.999', is: '127.0.0.999' },
    { trust: 'loopback', forwarded: '192.0.2.1, <script>', is: '<script>' },
    { trust: 'true', forwarded: 'garbage, 127.0.0.1', is: 'garbage' },
    { trust: 'loopback', forwarded: ', , 192.0.2.1, ,', is: '192.0.2.1' },
  ])('$trust: for "$forwarded" → $is', async (row) => {
    expect(await addressOf(row)).toBe(row.is)
  })

  test('a thousand of them are no trouble', async () => {
    const forwarded = Array(1000).fill('127.0.0.1').join(', ')
    expect(await addressOf({ trust: 'loopback', forwarded: `192.0.2.1, ${forwarded}`, is: '' })).toBe('192.0.2.1')
  })
})

describe('the address that the caller sent', () => {
  test.each<Row>([
    { trust: 'true', forwarded: '192.0.2.1', sent: '198.51.100.1', is: '198.51.100.1' },
    { trust: 'loopback', forwarded: '192.0.2.1', sent: '198.51.100.1', is: '198.51.100.1' },
    { trust: 'true', wins: true, forwarded: '192.0.2.1', sent: '198.51.100.1', is: '192.0.2.1' },
    { trust: 'loopback', wins: true, forwarded: '192.0.2.1', sent: '198.51.100.1', is: '192.0.2.1' },
    { trust: '10.0.0.0/8', wins: true, forwarded: '192.0.2.1', sent: '198.51.100.1', is: '127.0.0.1' },
    { trust: 'true', wins: true, sent: '198.51.100.1', is: '127.0.0.1' },
    { trust: 'true', wins: true, forwarded: '192.0.2.1', is: '192.0.2.1' },
    { trust: 'true', forwarded: '192.0.2.1', sent: '', is: '192.0.2.1' },
  ])('$sent against $forwarded by $trust, trusted wins: $wins → $is', async (row) => {
    expect(await addressOf(row)).toBe(row.is)
  })
})

describe('invalid address lists end the start', () => {
  test.each([
    'foo',
    '1',
    '0x7f000001',
    '127.1',
    '0.0.0.0/0',
    '999.0.0.1',
    '10.0.0.0/33',
    '10.0.0.0/x',
    '2001:db8::/129',
    'loopback,foo',
    'localhost',
    'true,false',
  ])('%s', (trust) => {
    expect(() => loadOptions(REQUIRED, { TRUST_PROXY: trust })).toThrow(
      /TRUST_PROXY \(option "trustProxy"\) must be true for every address .*, false, or a list of IP addresses/,
    )
  })

  test.each<[NonNullable<ProxyConfig['trustProxy']>, unknown]>([
    [true, true],
    [false, false],
    ['10.0.0.1, loopback', ['10.0.0.1', 'loopback']],
    [
      ['10.0.0.1', '2001:db8::/32'],
      ['10.0.0.1', '2001:db8::/32'],
    ],
  ] as [NonNullable<ProxyConfig['trustProxy']>, unknown][])('the code value %j becomes %j', (trustProxy, expected) => {
    expect(loadOptions({ ...REQUIRED, trustProxy }, {}).trustProxy).toEqual(expected)
  })
})

test('over a socket: several headers of the name count as one, other headers do not count', async () => {
  const inList = { name: 'remoteAddress', parameters: { IPs: '192.0.2.1' } }
  const upstream = await startUpstream({ features: [{ name: 'far', enabled: true, strategies: [inList] }] })
  const proxy = await startProxy({ flagUrl: upstream.url, trustProxy: ['loopback', '10.0.0.0/8'] })
  const ask = (headers: Record<string, string | string[]>) =>
    new Promise<string>((resolve, reject) => {
      const request = httpRequest(`${proxy.url}/proxy`, { headers: { authorization: KEY, ...headers } }, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += String(chunk)
        })
        response.on('end', () => resolve(text))
      })
      request.on('error', reject).end()
    })
  try {
    expect(await ask({ 'x-forwarded-for': ['192.0.2.1', '10.0.0.7'] })).toContain('far')
    expect(await ask({ 'X-FORWARDED-FOR': '192.0.2.1' })).toContain('far')
    expect(await ask({ 'x-forwarded-for': ['10.0.0.7', '192.0.2.2'] })).not.toContain('far')
    expect(await ask({ forwarded: 'for=192.0.2.1', 'x-real-ip': '192.0.2.1' })).not.toContain('far')
  } finally {
    await proxy.close()
    await upstream.close()
  }
})
