import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { createSecureContext, TLSSocket } from 'node:tls'
import { parseOptions } from '@burgee/kit/options/options'
import { DATABASE_OPTIONS, toPostgresConfig } from '@burgee/server/core/options/database-options'
import { openPostgres } from '@burgee/storage/drivers/postgres/postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/burgee.ts'
import { type FreshDatabase, freshDatabase, postgresLook } from '../support/postgres.ts'
import { until } from '../support/wait.ts'

/** PostgreSQL options from variables, tested against a real server. */
let place: FreshDatabase
beforeAll(async () => {
  place = await freshDatabase()
})
afterAll(() => place.remove())

const configOf = (env: Record<string, string>) => {
  const config = toPostgresConfig(parseOptions(DATABASE_OPTIONS, { env }))
  if (config === undefined) throw new Error('no PostgreSQL')
  return config
}
const openAt = (env: Record<string, string>) => openPostgres(configOf(env), { clock: Date.now })

describe('DATABASE_SCHEMA', () => {
  test('creates its schema with all tables, and leaves other schemas alone', async () => {
    const look = await postgresLook(place.url)
    await look.rows('create table public.features (of_somebody_else integer)')
    const env = { DATABASE_URL: place.url, DATABASE_SCHEMA: 'Flags-1' }
    const nodes = await Promise.all([openAt(env), openAt(env)])
    for (const node of nodes) {
      await node.write((tx) =>
        tx
          .insertInto('settings')
          .values({ name: `n${nodes.indexOf(node)}`, value: 'x' })
          .execute(),
      )
      expect(await node.reader.selectFrom('features').selectAll().execute()).toEqual([])
    }
    const own = await look.rows("select tablename from pg_tables where schemaname = 'Flags-1'")
    expect(own.length).toBeGreaterThan(20)
    expect(await look.rows("select tablename from pg_tables where schemaname = 'public'")).toEqual([
      { tablename: 'features' },
    ])
    expect(await look.rows('select name from "Flags-1".settings where length(name) = 2 order by name')).toEqual([
      { name: 'n0' },
      { name: 'n1' },
    ])
    for (const node of nodes) await node.close()
    await look.close()
  })

  test('refuses tables that belong to an installation with another schema', async () => {
    const look = await postgresLook(place.url)
    await (await openAt({ DATABASE_URL: place.url, DATABASE_SCHEMA: 'team_one' })).close()
    await look.rows('alter schema team_one rename to team_two')
    await expect(openAt({ DATABASE_URL: place.url, DATABASE_SCHEMA: 'team_two' })).rejects.toThrow(
      /belong to an installation with DATABASE_SCHEMA=team_one/,
    )
    await look.close()
  })

  test('appears in the error if its schema cannot be created', async () => {
    const look = await postgresLook(place.url)
    await look.rows('do $$ begin create role burgee_small login; exception when duplicate_object then null; end $$')
    await look.close()
    const url = place.url.replace(/\/\/[^@]*@/, '//burgee_small@')
    await expect(openAt({ DATABASE_URL: url, DATABASE_SCHEMA: 'nowhere' })).rejects.toThrow(
      /no schema "nowhere" \(DATABASE_SCHEMA\)/,
    )
  })
})

test('DATABASE_APPLICATION_NAME is how PostgreSQL lists the connections, and DATABASE_POOL_MIN of them stay', async () => {
  const env = {
    DATABASE_APPLICATION_NAME: 'flags of mine',
    DATABASE_POOL_MIN: '2',
    DATABASE_POOL_IDLE_TIMEOUT_MS: '50',
  }
  const own = await freshDatabase()
  const db = await openAt({ DATABASE_URL: own.url, ...env })
  const look = await postgresLook(own.url)
  const count = async () =>
    Number((await look.row("select count(*) as n from pg_stat_activity where application_name = 'flags of mine'"))?.n)
  // connections in use are not closed, even if the machine is slow
  const { promise: counted, resolve: release } = Promise.withResolvers<void>()
  const reads = Array.from({ length: 5 }, () =>
    db.view(async (reader) => {
      await reader.selectFrom('settings').selectAll().execute()
      await counted
    }),
  )
  await until(async () => (await count()) > 3)
  release()
  await Promise.all(reads)
  // the connection for changes, and DATABASE_POOL_MIN further connections
  await until(async () => (await count()) === 3)
  await new Promise((resolve) => setTimeout(resolve, 200))
  await until(async () => (await count()) === 3)
  await db.close()
  await look.close()
  await own.remove()
})

test.each([
  ['sslmode', '?sslmode=require', { DATABASE_SSL_REJECT_UNAUTHORIZED: 'true' }, 'DATABASE_SSL_REJECT_UNAUTHORIZED'],
  ['options', '?options=-c%20search_path%3Dx', { DATABASE_SCHEMA: 'y' }, 'DATABASE_SCHEMA'],
  ['application_name', '?a=1&application_name=x', { DATABASE_APPLICATION_NAME: 'y' }, 'DATABASE_APPLICATION_NAME'],
])('a URL that also sets %s ends the start', (_name, query, env, variable) => {
  expect(() => configOf({ DATABASE_URL: `postgres://h/d${query}`, ...env })).toThrow(variable)
})

test('TLS that is off and described ends the start', () => {
  expect(() => configOf({ DATABASE_SSL: 'false', DATABASE_SSL_REJECT_UNAUTHORIZED: 'false' })).toThrow('DATABASE_SSL')
})

describe('TLS', () => {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder.path, name)
  let port = 0
  let close = async (): Promise<void> => {}
  beforeAll(async () => {
    for (const name of ['own', 'other']) {
      const form = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost']
      const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
      const files = ['-keyout', at(`${name}.key`), '-out', at(`${name}.pem`)]
      execFileSync('openssl', ['req', '-x509', ...form, ...names, ...files], { stdio: 'ignore' })
    }
    ;({ port, close } = await openTlsDoor(new URL(place.url), {
      cert: readFileSync(at('own.pem'), 'utf8'),
      key: readFileSync(at('own.key'), 'utf8'),
    }))
  })
  afterAll(async () => {
    await close()
    folder.remove()
  })

  test.each([
    ['an authority of a file', { CA_FILE: 'own.pem' }, undefined],
    ['an authority as JSON', { CA_CONFIG: 'json' }, undefined],
    ['any certificate', { REJECT_UNAUTHORIZED: 'false' }, undefined],
    [
      'any, with a certificate of our own',
      { REJECT_UNAUTHORIZED: 'false', CERT_FILE: 'own.pem', KEY_FILE: 'own.key' },
      'own',
    ],
    ['the wrong authority', { CA_FILE: 'other.pem' }, /certificate/],
    ['TLS alone, and no authority that knows the certificate', { '': 'true' }, /certificate/],
  ])('%s', async (_name, variables, outcome) => {
    const env = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => {
        const text = value === 'json' ? JSON.stringify({ ca: readFileSync(at('own.pem'), 'utf8') }) : value
        return [`DATABASE_SSL${name === '' ? '' : `_${name}`}`, name.endsWith('_FILE') ? at(value) : text]
      }),
    )
    const url = new URL(place.url)
    url.port = String(port)
    url.hostname = 'localhost'
    const opening = openAt({ DATABASE_URL: url.href, DATABASE_SCHEMA: 'tls', DATABASE_POOL_MAX: '1', ...env })
    if (outcome instanceof RegExp) {
      await expect(opening).rejects.toThrow(outcome)
      return
    }
    const db = await opening
    expect(shown).toBe(outcome)
    await db.close()
  })

  let shown: string | undefined
  /** Opens a TLS proxy in front of PostgreSQL that speaks its protocol: one byte to accept TLS, then the handshake. */
  async function openTlsDoor(target: URL, own: { cert: string; key: string }) {
    const server = createServer((near) => {
      near.once('data', () => {
        near.write('S')
        const secure = new TLSSocket(near, {
          isServer: true,
          requestCert: true,
          rejectUnauthorized: false,
          secureContext: createSecureContext(own),
        })
        const far = connect({ host: target.hostname, port: Number(target.port) })
        secure.on('secure', () => {
          shown = Object.keys(secure.getPeerCertificate()).length > 0 ? 'own' : undefined
        })
        for (const socket of [secure, far, near]) socket.on('error', () => {})
        secure.pipe(far).pipe(secure)
      })
      near.on('error', () => {})
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const stop = () => new Promise<void>((resolve) => void server.close(() => resolve()))
    return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, close: stop }
  }
})
