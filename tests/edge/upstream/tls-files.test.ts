import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EDGE_OPTIONS } from '@burgee/edge/options'
import { upstreamConnections } from '@burgee/edge/upstream-connections'
import { OptionsError, parseOptions } from '@burgee/kit/options/options'
import { afterAll, expect, test } from 'vitest'

/** Unusable TLS files prevent the start, with an error that names the option and the file. */
const fixture = (name: string) => fileURLToPath(new URL(`../../proxy/fixtures/${name}`, import.meta.url))
const [KEY, CERTIFICATE] = [fixture('self-signed-key.pem'), fixture('self-signed.pem')]
const folder = mkdtempSync(join(tmpdir(), 'tls-files-'))
afterAll(() => rmSync(folder, { recursive: true }))
const BOTH = join(folder, 'both.pem')
writeFileSync(BOTH, Buffer.concat([readFileSync(CERTIFICATE), readFileSync(KEY)]))
const TEXT = join(folder, 'text.pem')
writeFileSync(TEXT, 'no PEM')
const IDENTITY = join(folder, 'identity.p12')
const sealing = ['-inkey', KEY, '-in', CERTIFICATE, '-out', IDENTITY, '-passout', 'pass:right']
execFileSync('openssl', ['pkcs12', '-export', ...sealing])

const connect = (env: Record<string, string>) =>
  upstreamConnections(parseOptions(EDGE_OPTIONS, { env: { UPSTREAM_URL: 'https://up.example', ...env } }))

test.each<[string, Record<string, string>]>([
  ['an authority', { UPSTREAM_CERTIFICATE_FILE: CERTIFICATE }],
  ['an authority beside its key', { UPSTREAM_CERTIFICATE_FILE: BOTH }],
  ['a certificate and its key', { PKCS8_CLIENT_CERTIFICATE_FILE: CERTIFICATE, PKCS8_CLIENT_KEY_FILE: KEY }],
  ['both in one file', { PEM_CERT_FILE: BOTH }],
  ['an identity with its passphrase', { PKCS12_IDENTITY_FILE: IDENTITY, PKCS12_PASSPHRASE: 'right' }],
])('takes %s', async (_, env) => {
  await connect(env).destroy()
})

test.each<[string, Record<string, string>, option: string, file: string]>([
  ['an authority without a certificate', { UPSTREAM_CERTIFICATE_FILE: KEY }, 'UPSTREAM_CERTIFICATE_FILE', KEY],
  ['an authority that is no PEM', { UPSTREAM_CERTIFICATE_FILE: TEXT }, 'UPSTREAM_CERTIFICATE_FILE', TEXT],
  [
    'a key without one',
    { PKCS8_CLIENT_CERTIFICATE_FILE: CERTIFICATE, PKCS8_CLIENT_KEY_FILE: CERTIFICATE },
    'PKCS8_CLIENT_KEY_FILE',
    CERTIFICATE,
  ],
  ['one file without a key', { PEM_CERT_FILE: CERTIFICATE }, 'PEM_CERT_FILE', CERTIFICATE],
  ['one file without a certificate', { PEM_CERT_FILE: KEY }, 'PEM_CERT_FILE', KEY],
  [
    'a wrong passphrase',
    { PKCS12_IDENTITY_FILE: IDENTITY, PKCS12_PASSPHRASE: 'x-x' },
    'PKCS12_IDENTITY_FILE',
    IDENTITY,
  ],
  ['no passphrase', { PKCS12_IDENTITY_FILE: IDENTITY }, 'PKCS12_IDENTITY_FILE', IDENTITY],
  ['an identity that is none', { PKCS12_IDENTITY_FILE: TEXT }, 'PKCS12_IDENTITY_FILE', TEXT],
])('rejects %s', (_, env, option, file) => {
  const message = (() => {
    try {
      connect(env)
    } catch (error) {
      return error instanceof OptionsError ? error.message : String(error)
    }
    return 'no error'
  })()
  expect(message).toContain(`${option}: the file ${file} `)
  expect(message).not.toContain('x-x')
})
