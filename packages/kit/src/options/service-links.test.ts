import { expect, test } from 'vitest'
import { OptionsError, parseOptions } from './options.ts'
import { integer, text } from './parsers.ts'
import { describeServiceLinks } from './service-links.ts'

const TABLE = {
  redisPort: { env: ['REDIS_PORT'], parse: integer(1, 65_535), default: 6379, doc: 'Port.' },
  port: { env: ['PORT', 'PROXY_PORT'], parse: integer(0, 65_535), default: 3000, doc: 'Port.' },
  redisUrl: { env: ['REDIS_URL'], parse: text, doc: 'Address.' },
} as const

test.each<[Record<string, string>, redisPort: number, port: number, named: string | undefined]>([
  [{}, 6379, 3000, undefined],
  [{ REDIS_PORT: '6380' }, 6380, 3000, undefined],
  [{ REDIS_PORT: 'tcp://10.0.0.11:6379' }, 6379, 3000, 'REDIS_PORT'],
  [{ REDIS_PORT: 'udp://10.0.0.11:1', PROXY_PORT: 'tcp://[fd00::1]:3000' }, 6379, 3000, 'REDIS_PORT, PROXY_PORT'],
  [{ PORT: 'tcp://10.0.0.11:80', PROXY_PORT: '4000' }, 6379, 4000, 'PORT'],
])('%j sets redisPort %d and port %d', (env, redisPort, port, named) => {
  expect(parseOptions(TABLE, { env })).toEqual({ redisPort, port, redisUrl: undefined })
  const warning = describeServiceLinks(TABLE, env)
  expect(warning?.split(':')[0]).toBe(named === undefined ? undefined : `Ignoring ${named}`)
})

test.each([
  [{ REDIS_PORT: 'tcp:6379' }, {}],
  [{ REDIS_PORT: 'http://10.0.0.11:6379' }, {}],
  [{}, { redisPort: 'tcp://10.0.0.11:6379' }],
])('%j in the environment and %j in code is still no port', (env, given) => {
  expect(() => parseOptions(TABLE, { env, given })).toThrow(OptionsError)
})

test('a variable that is not a port keeps such a value', () => {
  expect(parseOptions(TABLE, { env: { REDIS_URL: 'tcp://10.0.0.11:6379' } }).redisUrl).toBe('tcp://10.0.0.11:6379')
})
