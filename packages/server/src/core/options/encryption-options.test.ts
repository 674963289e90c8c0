import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseOptions } from '@burgee/kit/options/options'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DATABASE_OPTIONS, toPostgresConfig } from './database-options.ts'
import { ENCRYPTION_OPTIONS, requireEncryptedMail } from './encryption-options.ts'
import { MAIL_OPTIONS } from './mail-options.ts'

const TABLE = { ...DATABASE_OPTIONS, ...MAIL_OPTIONS, ...ENCRYPTION_OPTIONS }
const parse = (env: Record<string, string>) => parseOptions(TABLE, { env: { REQUIRE_ENCRYPTION: 'true', ...env } })

describe('REQUIRE_ENCRYPTION', () => {
  test.each([
    { DATABASE_URL: 'postgres://u:p@db.example/d' },
    { DATABASE_URL: 'postgres://u:p@db.example/d?sslmode=disable', DATABASE_SSL: 'true' },
    { DATABASE_URL: 'postgres://u:p@localhost,db.example/d' },
    { DATABASE_URL: 'postgres://u:p@/d' },
    { DATABASE_URL: 'postgres://u:p@localhost.evil.example/d' },
    { DATABASE_HOST: 'db.example' },
    { DATABASE_HOST: '10.0.0.1', DATABASE_SSL: 'false' },
  ])('rejects a database with %j', (env) => {
    expect(() => toPostgresConfig(parse(env))).toThrow('REQUIRE_ENCRYPTION needs TLS to PostgreSQL')
    expect(toPostgresConfig(parse({ ...env, REQUIRE_ENCRYPTION: 'false' }))).toBeDefined()
  })

  test.each([
    { DATABASE_URL: 'postgres://u:p@db.example/d?sslmode=verify-full' },
    { DATABASE_URL: 'postgres://u:p@db.example/d?sslmode=require' },
    { DATABASE_URL: 'postgres://u:p@db.example/d', DATABASE_SSL: 'true' },
    { DATABASE_URL: 'postgres://u:p@[::1]/d' },
    { DATABASE_URL: 'postgres://u:p@/d?host=/var/run/postgresql' },
    { DATABASE_HOST: 'db.example', DATABASE_SSL: '{"rejectUnauthorized":false}' },
    { DATABASE_HOST: 'db.example', DATABASE_SSL_REJECT_UNAUTHORIZED: 'true' },
    { DATABASE_USERNAME: 'u' },
    {},
  ])('accepts a database with %j', (env) => {
    expect(() => toPostgresConfig(parse(env))).not.toThrow()
  })

  test('rejects a new connection after the URL in a file has lost its TLS', () => {
    const folder = mkdtempSync(join(tmpdir(), 'encryption-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'url')
    const encrypted = 'postgres://u:p@db.example/d?sslmode=verify-full'
    writeFileSync(file, encrypted)
    const config = toPostgresConfig(parse({ DATABASE_URL_FILE: file }))
    expect(config?.currentConnection?.()).toEqual({ connectionString: encrypted })
    writeFileSync(file, 'postgres://u:p@db.example/d')
    expect(() => config?.currentConnection?.()).toThrow('REQUIRE_ENCRYPTION needs TLS to PostgreSQL')
    // connections still lead to the hosts that were configured at the start
    writeFileSync(file, 'postgres://u:p@localhost/flags')
    expect(() => config?.currentConnection?.()).toThrow('REQUIRE_ENCRYPTION needs TLS to PostgreSQL')
  })

  test.each([
    [{ EMAIL_HOST: 'mail.example' }, 'required'],
    [{ EMAIL_HOST: 'mail.example', EMAIL_STARTTLS: 'auto' }, 'required'],
    [{ EMAIL_HOST: 'mail.example', EMAIL_SECURE: 'true', EMAIL_STARTTLS: 'off' }, 'off'],
    [{ EMAIL_HOST: 'localhost', EMAIL_STARTTLS: 'off' }, 'off'],
    [{ EMAIL_HOST: '127.0.0.1' }, undefined],
    [{ EMAIL_HOST: 'mail.example', REQUIRE_ENCRYPTION: 'false' }, undefined],
    [{}, undefined],
  ] as [Record<string, string>, string | undefined][])('mails with %j use STARTTLS: %s', (env, expected) => {
    expect(requireEncryptedMail(parse(env)).emailStarttls).toBe(expected)
  })

  test('rejects a mail server without TLS', () => {
    const options = parse({ EMAIL_HOST: 'mail.example', EMAIL_STARTTLS: 'off' })
    expect(() => requireEncryptedMail(options)).toThrow('REQUIRE_ENCRYPTION needs TLS to the mail server')
  })
})
