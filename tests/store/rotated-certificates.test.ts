import { execFileSync } from 'node:child_process'
import { chownSync, copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseOptions } from '@burgee/kit/options/options'
import { DATABASE_OPTIONS, toPostgresConfig } from '@burgee/server/core/options/database-options'
import type { Database } from '@burgee/storage/database'
import { openPostgres } from '@burgee/storage/drivers/postgres/postgres'
import { classifyDbError, explainDbError } from '@burgee/storage/errors'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/burgee.ts'
import { postgresOwner } from '../support/postgres-cluster.ts'
import { type LoneServer, startLone } from '../support/postgres-pair.ts'

/** Certificates that are replaced on disk while a node runs. PostgreSQL requires client certificates. */
const ROLE = 'tls_user'
const DATABASE = 'flags'
const folder = temporaryFolder()
const at = (name: string): string => join(folder.path, name)
let server: LoneServer
let data = ''

const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: folder.path, stdio: 'ignore' })

/** Creates an authority with a server and a client certificate. */
function makeAuthority(name: string): void {
  const key = ['-newkey', 'rsa:2048', '-nodes']
  openssl('req', '-x509', ...key, '-days', '2', '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.pem`)
  for (const [part, subject, extension] of [
    ['server', '/CN=localhost', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
    ['client', `/CN=${ROLE}`, 'extendedKeyUsage=clientAuth'],
  ] as const) {
    const own = `${name}-${part}`
    writeFileSync(at(`${own}.ext`), extension)
    openssl('req', ...key, '-subj', subject, '-keyout', `${own}.key`, '-out', `${own}.csr`)
    const signed = ['-CA', `${name}.pem`, '-CAkey', `${name}.key`, '-CAcreateserial', '-days', '2']
    openssl('x509', '-req', '-in', `${own}.csr`, ...signed, '-extfile', `${own}.ext`, '-out', `${own}.pem`)
  }
}

async function useAtServer(name: string): Promise<void> {
  const { uid, gid } = postgresOwner()
  for (const [from, to] of [
    [`${name}.pem`, 'ca.pem'],
    [`${name}-server.pem`, 'server.pem'],
    [`${name}-server.key`, 'server.key'],
  ] as const) {
    const path = join(data, to)
    writeFileSync(path, readFileSync(at(from)), { mode: 0o600 })
    if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
  }
  await server.sql('select pg_reload_conf()')
}

/** Replaces the client's files like a certificate rotation. */
function useAtClient(name: string, parts: readonly ('ca' | 'cert' | 'key')[] = ['ca', 'cert', 'key']): void {
  const sources = { ca: `${name}.pem`, cert: `${name}-client.pem`, key: `${name}-client.key` }
  for (const part of parts) {
    copyFileSync(at(sources[part]), at(`${part}.new`))
    renameSync(at(`${part}.new`), at(`${part}.pem`))
  }
}

beforeAll(async () => {
  makeAuthority('first')
  makeAuthority('second')
  server = await startLone()
  data = String((await server.sql('show data_directory'))[0]?.data_directory)
  const access = join(data, 'pg_hba.conf')
  writeFileSync(access, `hostssl all ${ROLE} 127.0.0.1/32 cert\n${readFileSync(access, 'utf8')}`)
  await useAtServer('first')
  for (const [name, value] of [
    ['ssl_ca_file', 'ca.pem'],
    ['ssl_cert_file', 'server.pem'],
    ['ssl_key_file', 'server.key'],
    ['ssl', 'on'],
  ]) {
    await server.sql(`alter system set ${name} = '${value}'`)
  }
  await server.sql('select pg_reload_conf()')
  await server.sql(`create role ${ROLE} login`)
  await server.sql(`create database ${DATABASE} owner ${ROLE}`)
}, 90_000)
afterAll(async () => {
  await server.close()
  folder.remove()
})
beforeEach(async () => {
  await useAtServer('first')
  useAtClient('first')
})

const endSessions = () => server.sql(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ROLE}'`)
const read = (db: Database) => db.reader.selectFrom('settings').select('name').execute()
const write = (db: Database) =>
  db.write((tx) => tx.updateTable('settings').set({ value: 'x' }).where('name', '=', 'none').execute())
const serial = (db: Database) =>
  db.write(async (tx) => {
    const text = sql<{ issuer: string }>`select issuer_dn as issuer from pg_stat_ssl where pid = pg_backend_pid()`
    return (await text.execute(tx)).rows[0]?.issuer
  })

describe.each([
  {
    way: 'sslrootcert, sslcert and sslkey of the address',
    env: () => {
      const files = `sslrootcert=${at('ca.pem')}&sslcert=${at('cert.pem')}&sslkey=${at('key.pem')}`
      return { DATABASE_URL: `postgres://${ROLE}@127.0.0.1:${server.port}/${DATABASE}?sslmode=verify-full&${files}` }
    },
  },
  {
    way: 'DATABASE_SSL_…_FILE',
    env: () => ({
      DATABASE_HOST: '127.0.0.1',
      DATABASE_PORT: String(server.port),
      DATABASE_NAME: DATABASE,
      DATABASE_USERNAME: ROLE,
      DATABASE_SSL_CA_FILE: at('ca.pem'),
      DATABASE_SSL_CERT_FILE: at('cert.pem'),
      DATABASE_SSL_KEY_FILE: at('key.pem'),
    }),
  },
])('certificates by $way', ({ env }) => {
  async function open(): Promise<Database> {
    const config = toPostgresConfig(parseOptions(DATABASE_OPTIONS, { env: env() }))
    if (config === undefined) throw new Error('no PostgreSQL')
    return openPostgres({ ...config, poolSize: 3 }, { clock: Date.now })
  }

  test('the next connection uses replaced certificates', async () => {
    const db = await open()
    expect(await serial(db)).toBe('/CN=first')
    await useAtServer('second')
    useAtClient('second')
    await endSessions()
    await read(db)
    await write(db)
    expect(await serial(db)).toBe('/CN=second')
    await db.close()
  })

  test('certificates replaced late or in part refuse changes with the reason, and work again without a restart', async () => {
    const db = await open()
    await useAtServer('second')
    await endSessions()
    const tlsFails = async (): Promise<void> => {
      const error = await write(db).catch((reason: unknown) => reason)
      expect([classifyDbError(error), explainDbError(error)]).toEqual([
        'denied',
        'TLS with it fails: a certificate or key is not accepted',
      ])
      expect(db.server?.().refusal?.reason).toContain('TLS with it fails')
    }
    await expect(write(db)).rejects.toThrow()
    await tlsFails()
    useAtClient('second', ['ca', 'cert'])
    await tlsFails()
    useAtClient('second')
    await write(db)
    expect(db.server?.().refusal).toBeUndefined()
    await db.close()
  })
})
