import { describe, expect, test } from 'vitest'
import type { TrustedProxies } from '../options/trusted-proxies.ts'
import { createAddressReader, createTlsReader } from './forwarded.ts'
import type { Caller } from './route.ts'

const callerOf = (remoteAddress: string, headers: Record<string, string>): Caller => ({
  method: 'GET',
  url: '/',
  params: {},
  id: '1',
  remoteAddress,
  headers,
})

describe('the address of a caller', () => {
  const inside: TrustedProxies = ['10.0.0.0/8']
  test.each<[TrustedProxies, string, string | undefined, string]>([
    [false, '10.0.0.1', '192.0.2.1', '10.0.0.1'],
    [true, '10.0.0.1', '192.0.2.1', '192.0.2.1'],
    [true, '10.0.0.1', undefined, '10.0.0.1'],
    [inside, '10.0.0.1', '192.0.2.1', '192.0.2.1'],
    [inside, '10.0.0.1', '198.51.100.9, 192.0.2.1, 10.0.0.2', '192.0.2.1'],
    [inside, '203.0.113.5', '192.0.2.1', '203.0.113.5'],
    [inside, '10.0.0.1', '192.0.2.1, nonsense', 'nonsense'],
    [inside, '10.0.0.1', '::ffff:192.0.2.1', '192.0.2.1'],
  ])('trusting %j, from %s with %j is %s', (trust, remoteAddress, forwarded, expected) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    expect(createAddressReader(trust)(callerOf(remoteAddress, headers as Record<string, string>))).toBe(expected)
  })
})

describe('the address of a caller by the standard header', () => {
  const listed = { 'x-forwarded-for': '198.51.100.7' }
  test.each<[string, Record<string, string>, string]>([
    ['the standard header wins', { forwarded: 'for=192.0.2.1', ...listed }, '192.0.2.1'],
    ['the other one alone', listed, '198.51.100.7'],
    [
      'last hop that is not trusted',
      { forwarded: 'for=198.51.100.9, for=192.0.2.1;proto=https, for=10.0.0.2' },
      '192.0.2.1',
    ],
    ['quoted, with a port', { forwarded: 'proto=http;FOR="192.0.2.1:4711"' }, '192.0.2.1'],
    ['IPv6 in brackets', { forwarded: 'for="[2001:db8::1]:80"' }, '2001:db8::1'],
    ['a hidden hop ends the chain', { forwarded: 'for=192.0.2.1, for=_secret' }, '_secret'],
    ['a hop without an address', { forwarded: 'for=192.0.2.1, proto=https' }, 'unknown'],
  ])('%s', (_name, headers, expected) => {
    expect(createAddressReader(['10.0.0.0/8'], true)(callerOf('10.0.0.1', headers))).toBe(expected)
  })

  test('uses Forwarded only if the peer is trusted and the header is enabled', () => {
    const headers = { forwarded: 'for=192.0.2.1' }
    expect(createAddressReader(['10.0.0.0/8'], true)(callerOf('203.0.113.5', headers))).toBe('203.0.113.5')
    expect(createAddressReader(true)(callerOf('10.0.0.1', headers))).toBe('10.0.0.1')
  })
})

describe('detecting TLS in front of a proxy', () => {
  test.each<[TrustedProxies, string, string | undefined, boolean]>([
    [false, '10.0.0.1', 'https', false],
    [true, '10.0.0.1', 'https', true],
    [true, '10.0.0.1', 'HTTPS , http', true],
    [true, '10.0.0.1', 'http, https', false],
    [true, '10.0.0.1', undefined, false],
    [['10.0.0.0/8'], '10.0.0.1', 'https', true],
    [['10.0.0.0/8'], '203.0.113.5', 'https', false],
    [['10.0.0.0/8'], '', 'https', false],
  ])('trusting %j, from %s with %j is %s', (trust, remoteAddress, proto, expected) => {
    const headers = proto === undefined ? {} : { 'x-forwarded-proto': proto }
    expect(createTlsReader(trust)(callerOf(remoteAddress, headers as Record<string, string>))).toBe(expected)
  })
})
