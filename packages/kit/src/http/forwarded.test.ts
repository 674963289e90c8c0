import { describe, expect, test } from 'vitest'
import type { Trust } from '../options/trust.ts'
import { addressReader, tlsReader } from './forwarded.ts'
import type { Caller } from './route.ts'

const callerOf = (remoteAddress: string, headers: Record<string, string>): Caller => ({
  ...{ method: 'GET', url: '/', params: {}, id: '1' },
  remoteAddress,
  headers,
})

describe('the address of a caller', () => {
  const inside: Trust = ['10.0.0.0/8']
  test.each<[Trust, string, string | undefined, string]>([
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
    expect(addressReader(trust)(callerOf(remoteAddress, headers as Record<string, string>))).toBe(expected)
  })
})

describe('whether a caller came over TLS', () => {
  test.each<[Trust, string, string | undefined, boolean]>([
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
    expect(tlsReader(trust)(callerOf(remoteAddress, headers as Record<string, string>))).toBe(expected)
  })
})
