import { parseAddress, parseIpv4, parseIpv6 } from '@burgee/protocol/address'
import { describe, expect, test } from 'vitest'
import { isInRange, isSameAddress } from './cidr.ts'

describe('parseIpv4', () => {
  test.each([
    ['10.1.2.3', [0x0a01, 0x0203], 32],
    ['255.255.255.255/0', [0xffff, 0xffff], 0],
    ['10.0.0.0/08', [0x0a00, 0], 8],
  ])('%s', (text, groups, prefix) => {
    expect(parseIpv4(text)).toEqual({ version: 4, groups, prefix })
  })

  test.each([
    '',
    '10.0.0',
    '10.0.0.0.0',
    '256.0.0.1',
    '010.0.0.1',
    '10.0.0.1 ',
    ' 10.0.0.1',
    '10.0.0.1/33',
    '10.0.0.1/',
    '10.0.0.1/008',
    '10.0.0.1/8/8',
    '10.0.0.1/-1',
    '::1',
    '10.0.0.1\n',
  ])('refuses %j', (text) => {
    expect(parseIpv4(text)).toBeUndefined()
  })
})

describe('parseIpv6', () => {
  test.each([
    ['::', [0, 0, 0, 0, 0, 0, 0, 0], 128],
    ['::1', [0, 0, 0, 0, 0, 0, 0, 1], 128],
    ['2001:DB8::/32', [0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32],
    ['1:2:3:4:5:6:7::', [1, 2, 3, 4, 5, 6, 7, 0], 128],
    ['1:2:3:4:5:6:1.2.3.4', [1, 2, 3, 4, 5, 6, 0x0102, 0x0304], 128],
    ['::ffff:10.0.0.1', [0, 0, 0, 0, 0, 0xffff, 0x0a00, 1], 128],
    ['fe80::1%eth0', [0xfe80, 0, 0, 0, 0, 0, 0, 1], 128],
    ['fe80::1%eth0/64', [0xfe80, 0, 0, 0, 0, 0, 0, 1], 64],
    ['fe80::1/64%eth0', [0xfe80, 0, 0, 0, 0, 0, 0, 1], 64],
  ])('%s', (text, groups, prefix) => {
    expect(parseIpv6(text)).toEqual({ version: 6, groups, prefix })
  })

  test.each([
    '',
    ':',
    ':::',
    '1',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '1::2::3',
    ':1',
    '1:',
    '12345::',
    '::g',
    '::1/129',
    '::1/',
    '::1/8/8',
    '::1.2.3.400',
    '1.2.3.4::',
    '::01.2.3.4',
    '10.0.0.1',
  ])('refuses %j', (text) => {
    expect(parseIpv6(text)).toBeUndefined()
  })
})

describe('ranges', () => {
  const inRange = (a: string, b: string) => {
    const [address, range] = [parseAddress(a), parseAddress(b)]
    return address && range && isInRange(address, range)
  }

  test.each([
    ['10.1.2.3', '10.0.0.0/8', true],
    ['10.1.2.3', '10.9.9.9/8', true],
    ['11.1.2.3', '10.0.0.0/8', false],
    ['10.0.0.127', '10.0.0.0/25', true],
    ['10.0.0.128', '10.0.0.0/25', false],
    ['10.1.1.1/16', '10.0.0.0/8', true],
    ['10.1.1.1/4', '10.0.0.0/8', false],
    ['1.2.3.4', '0.0.0.0/0', true],
    ['::1', '0.0.0.0/0', false],
    ['::ffff:10.0.0.1', '10.0.0.0/8', false],
    ['2001:db8::1', '2001:db8::/32', true],
    ['2001:db9::1', '2001:db8::/32', false],
    ['2001:db8:8000::', '2001:db8::/33', false],
    ['::1', '::/0', true],
  ])('%s in %s is %s', (address, range, expected) => {
    expect(inRange(address, range)).toBe(expected)
  })

  test('the same address is the same whatever its prefix', () => {
    const [a, b, c] = ['10.1.1.1/8', '10.1.1.1/16', '10.1.1.2/16'].map(parseAddress)
    expect(a && b && isSameAddress(a, b)).toBe(true)
    expect(b && c && isSameAddress(b, c)).toBe(false)
  })
})
