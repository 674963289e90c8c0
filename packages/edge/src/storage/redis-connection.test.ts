import { expect, test } from 'vitest'
import { connectRedis, type RedisAddress } from './redis-connection.ts'

const ADDRESS: RedisAddress = { mode: 'single', urls: [], host: 'localhost', port: 6379, isSecure: false }
const connect = (address: Partial<RedisAddress>) => () =>
  connectRedis({ ...ADDRESS, ...address }, { random: () => 0.5, readTimeoutMs: 100 })

test.each(['redis.example.com', '192.0.2.1', '2001:db8::1', '[2001:db8::1]'])('accepts the host %s', (host) => {
  expect(connect({ host })).not.toThrow()
})

test.each<[string, Partial<RedisAddress>]>([
  ['an empty host', { host: '' }],
  ['a host with a space', { host: 'a b' }],
  ['a URL of another protocol', { urls: ['https://redis.example.com'] }],
  ['a URL without a host', { urls: ['redis://'] }],
])('rejects %s, and names the option', (_name, address) => {
  expect(connect(address)).toThrow('REDIS_URL or REDIS_HOST must name a server')
})
