import { describe, expect, test } from 'vitest'
import { createAddressReader } from './forwarded.ts'
import { parseHopAddress } from './forwarded-hop.ts'
import type { Caller } from './route.ts'

describe('the address of a hop', () => {
  const FORMS: readonly (readonly [text: string, address: string])[] = [
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7\t', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['"203.0.113.7:51234"', '203.0.113.7'],
    ['203.0.113.7:_port', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:DB8::1', '2001:DB8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['"[2001:db8::1]:443"', '2001:db8::1'],
    [' "[2001:db8::1]" ', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%eth0]:443', 'fe80::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['0:0:0:0:0:ffff:cb00:7107', '203.0.113.7'],
    ['unknown', 'unknown'],
    ['_hidden', '_hidden'],
    ['203.0.113.7:', '203.0.113.7:'],
    ['[203.0.113.7', '[203.0.113.7'],
    ['2001:db8::1/64', '2001:db8::1/64'],
    ['"', '"'],
    ['', ''],
  ]
  test.each(FORMS)('%j is %j', (text, address) => {
    expect(parseHopAddress(text)).toBe(address)
  })

  const hops = FORMS.filter(
    ([text, address]) => text !== '' && /^[\da-f]+[.:]/i.test(address) && !/[:/]$|\//.test(address),
  )
  test.each(hops)('%j is read from either header, behind trusted hops of any form', (text, address) => {
    const read = createAddressReader(['10.0.0.0/8', '2001:db8:1::/48'], true)
    const callerWith = (headers: Caller['headers']): Caller => {
      return { method: 'GET', url: '/', params: {}, id: '1', remoteAddress: '10.0.0.1', headers }
    }
    const quoted = text.includes('"') ? text : `"${text}"`
    expect(read(callerWith({ 'x-forwarded-for': `${text}, [2001:db8:1::2]:80, 10.0.0.3:8080` }))).toBe(address)
    expect(read(callerWith({ forwarded: `for=${quoted}, for="[2001:db8:1::2]:80"` }))).toBe(address)
  })
})
