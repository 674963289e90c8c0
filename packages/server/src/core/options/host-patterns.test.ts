import { parseOptions } from '@burgee/kit/options/options'
import { describe, expect, test } from 'vitest'
import { hostPatterns, matchesHost } from './host-patterns.ts'
import { INTEGRATION_OPTIONS } from './integration-options.ts'

describe('a host pattern', () => {
  test.each([
    ['Hooks.Example', 'hooks.example'],
    ['hooks.example.', 'hooks.example'],
    ['*.Corp.example', '*.corp.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['*.bücher.example.', '*.xn--bcher-kva.example'],
    ['localhost', 'localhost'],
    ['my_service', 'my_service'],
    ['192.0.2.7', '192.0.2.7'],
    ['2001:DB8::1', '2001:db8::1'],
    ['[2001:db8:0:0::1]', '2001:db8::1'],
  ])('%s is stored as %s', (text, stored) => {
    expect(hostPatterns.parse(text)).toEqual([stored])
  })

  test.each([
    '*',
    '*.',
    '*..example',
    '*.*.example',
    'a.*.example',
    '*example',
    '.example',
    'a..example',
    '*.192.0.2.7',
    '*.7',
    '*.[::1]',
    'https://hooks.example',
    'hooks.example/path',
    'hooks.example:443',
    '[::1]:443',
    'user@hooks.example',
    'two words.example',
    '10.0.0.0/8',
    '256.256.256.256',
    'fe80::1%eth0',
  ])('%s stops the start with the name of the option', (text) => {
    const env = { INTEGRATION_ALLOWED_HOSTS: `hooks.example, ${text}` }
    expect(() => parseOptions(INTEGRATION_OPTIONS, { env })).toThrow(
      /INTEGRATION_ALLOWED_HOSTS.*`\*\.` followed by a name/,
    )
  })
})

test.each([
  ['https://hooks.example/a', 'hooks.example', true],
  ['https://HOOKS.example.:8443/', 'hooks.example', true],
  ['https://BÜCHER.example', 'bücher.example', true],
  ['https://a.b.corp.example', '*.corp.example', true],
  ['https://corp.example', '*.corp.example', false],
  ['https://.corp.example', '*.corp.example', false],
  ['https://notcorp.example', '*.corp.example', false],
  ['https://hooks.example.evil.example', 'hooks.example', false],
  ['http://[2001:db8:0::1]:80', '2001:db8::1', true],
  ['http://0x7f.1', '127.0.0.1', true],
])('the host of %s matches %s: %s', (url, text, expected) => {
  const [pattern = ''] = hostPatterns.parse(text)
  expect(matchesHost(new URL(url).hostname, pattern)).toBe(expected)
})
