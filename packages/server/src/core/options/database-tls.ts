import { getCurrent } from '@burgee/kit/options/current-value'
import { OptionsError, type OptionTable, type Parsed } from '@burgee/kit/options/options'
import { flag, type Parser, text } from '@burgee/kit/options/parsers'
import type { PostgresConfig } from '@burgee/storage/drivers/postgres/postgres-options'

type Tls = NonNullable<PostgresConfig['connection']['ssl']>

/**
 * TLS setting: true, false, or a JSON object of Node.js TLS options, such as `{"rejectUnauthorized": false}` or `{"ca":
 * "…"}`.
 */
const tls: Parser<Tls> = {
  expects: 'true, false or a JSON object',
  parse: (value) => {
    const given: unknown = typeof value === 'string' ? JSON.parse(value) : value
    if (typeof given === 'boolean') return given
    if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new TypeError()
    return given
  },
}

/** PEM text. Source: RFC 7468 */
const pem: Parser<string> = {
  expects: 'a PEM block: -----BEGIN …',
  parse: (value) => {
    const given = text.parse(value)
    if (!given.startsWith('-----BEGIN ')) throw new TypeError()
    return `${given}\n`
  },
}

/**
 * TLS options for the PostgreSQL connection. All options are declared as secrets, so that each value can be read from a
 * file.
 */
export const DATABASE_TLS_OPTIONS = {
  databaseSsl: {
    env: ['DATABASE_SSL', 'DATABASE_SSL_CA_CONFIG'],
    parse: tls,
    secret: true,
    reread: true,
    doc: 'TLS to PostgreSQL; a parameter `sslmode` in `databaseUrl` takes precedence.',
  },
  databaseSslCa: {
    env: ['DATABASE_SSL_CA'],
    parse: pem,
    secret: true,
    reread: true,
    doc: 'Trusted CA certificates for PostgreSQL (PEM); usually DATABASE_SSL_CA_FILE.',
  },
  databaseSslCert: {
    env: ['DATABASE_SSL_CERT'],
    parse: pem,
    secret: true,
    reread: true,
    doc: 'Client certificate for PostgreSQL (PEM); usually DATABASE_SSL_CERT_FILE.',
  },
  databaseSslKey: {
    env: ['DATABASE_SSL_KEY'],
    parse: pem,
    secret: true,
    reread: true,
    doc: 'Private key of the client certificate (PEM); usually DATABASE_SSL_KEY_FILE.',
  },
  databaseSslRejectUnauthorized: {
    env: ['DATABASE_SSL_REJECT_UNAUTHORIZED'],
    parse: flag,
    defaultDoc: 'true',
    doc: 'Reject a PostgreSQL certificate that no trusted CA has signed; false accepts any certificate.',
  },
} as const satisfies OptionTable

/**
 * Returns the TLS settings for the PostgreSQL driver; undefined if no TLS option is set. Throws OptionsError if TLS is
 * off but another TLS option is set.
 */
export function readTlsSettings(options: Parsed<typeof DATABASE_TLS_OPTIONS>): Tls | undefined {
  const { databaseSslRejectUnauthorized: rejectUnauthorized } = options
  const databaseSsl = getCurrent(options.databaseSsl)
  const ca = getCurrent(options.databaseSslCa)
  const cert = getCurrent(options.databaseSslCert)
  const key = getCurrent(options.databaseSslKey)
  const parts = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
  }
  if (Object.keys(parts).length === 0) return databaseSsl
  if (databaseSsl === false) {
    throw new OptionsError([
      'DATABASE_SSL is false, but other DATABASE_SSL_ variables configure TLS: unset one of them',
    ])
  }
  return typeof databaseSsl === 'object' ? { ...databaseSsl, ...parts } : parts
}
