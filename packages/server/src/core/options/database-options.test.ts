import { parseOptions } from '@burgee/kit/options/options'
import { describe, expect, test } from 'vitest'
import { DATABASE_OPTIONS, toPostgresConfig } from './database-options.ts'

const parseConfig = (env: Record<string, string>) => {
  const config = toPostgresConfig(parseOptions(DATABASE_OPTIONS, { env }))
  if (config === undefined) return undefined
  const { currentConnection, ...stated } = config
  expect(currentConnection?.()).toEqual(config.connection)
  return stated
}

describe('database options', () => {
  test('select SQLite if none is set', () => {
    expect(parseConfig({})).toBeUndefined()
  })

  test.each([
    ['DATABASE_USERNAME', 'u', { user: 'u' }],
    ['DATABASE_PASSWORD', 'p', { password: 'p' }],
    ['DATABASE_NAME', 'd', { database: 'd' }],
    ['DATABASE_PORT', '5433', { port: 5433 }],
    ['DATABASE_SSL', 'false', { ssl: false }],
    ['DATABASE_POOL_MAX', '3', {}],
  ])('select PostgreSQL at localhost, never SQLite, if only %s is set', (name, value, part) => {
    const connection = { host: 'localhost', port: 5432, database: 'unleash', user: 'unleash_user' }
    expect(parseConfig({ [name]: value })?.connection).toEqual({ ...connection, ...part })
  })

  test.each(['postgres://u:p@h/d', 'postgresql://u:p@h:5433/d?sslmode=require'])('take the address %s', (url) => {
    expect(parseConfig({ DATABASE_URL: url, DATABASE_HOST: 'other' })).toEqual({
      connection: { connectionString: url },
      poolSize: 10,
    })
  })

  test('take host, port, name, user, password and TLS', () => {
    const env = {
      DATABASE_HOST: 'db',
      DATABASE_PORT: '5433',
      DATABASE_NAME: 'flags',
      DATABASE_USERNAME: 'u',
      DATABASE_PASSWORD: 'p',
      DATABASE_SSL: '{"rejectUnauthorized":false}',
      DATABASE_POOL_MAX: '4',
    }
    expect(parseConfig(env)).toEqual({
      connection: {
        host: 'db',
        port: 5433,
        database: 'flags',
        user: 'u',
        password: 'p',
        ssl: { rejectUnauthorized: false },
      },
      poolSize: 4,
    })
    expect(parseConfig({ DATABASE_HOST: 'db', DATABASE_SSL: 'false' })?.connection.ssl).toBe(false)
  })

  test.each([
    ['DATABASE_URL', 'mysql://u:hidden-part@h/d'],
    ['DATABASE_URL', 'postgres://u:hidden-part@h/ d'],
    ['DATABASE_SSL', 'hidden-part'],
    ['DATABASE_SSL', '[]'],
    ['DATABASE_POOL_MAX', '0'],
  ])('refuse a bad %s', (name, value) => {
    expect(() => parseConfig({ [name]: value })).toThrow(`${name} (option`)
    if (name === 'DATABASE_URL') expect(() => parseConfig({ [name]: value })).not.toThrow('hidden-part')
  })
})
