import { isThisMachine } from '@burgee/kit/options/encrypted-addresses'
import { OptionsError, type OptionTable, type Parsed } from '@burgee/kit/options/options'
import { flag } from '@burgee/kit/options/parsers'
import { parseConnectionUrl } from '@burgee/storage/drivers/postgres/connection-url'
import type { PostgresConfig } from '@burgee/storage/drivers/postgres/postgres-options'
import type { MailOptions } from './mail-options.ts'

/** Option that forbids unencrypted connections to other machines. */
export const ENCRYPTION_OPTIONS = {
  requireEncryption: {
    env: ['REQUIRE_ENCRYPTION'],
    parse: flag,
    default: false,
    doc: 'Make no unencrypted connection to another machine: the server does not start without TLS to PostgreSQL, requires STARTTLS or TLS of the mail server, and calls integrations, Prometheus and import sources with https only.',
  },
} as const satisfies OptionTable

/** Value of the option; undefined for callers that do not have the option. */
export type EncryptionRule = Partial<Parsed<typeof ENCRYPTION_OPTIONS>>

/**
 * Throws OptionsError if a connection to PostgreSQL can be unencrypted and can lead to another machine. The driver
 * never falls back to an unencrypted connection if TLS is on.
 *
 * @param first settings at the start, whose hosts all later connections use
 */
export function requireEncryptedDatabase(connection: PostgresConfig['connection'], first = connection): void {
  if (isEncryptedDatabase(connection, first)) return
  throw new OptionsError([
    'REQUIRE_ENCRYPTION needs TLS to PostgreSQL: add sslmode=verify-full to DATABASE_URL, or set DATABASE_SSL or DATABASE_SSL_CA',
  ])
}

/**
 * Returns true if connections to PostgreSQL use TLS or stay on this machine.
 *
 * @param first settings whose hosts the connection uses
 */
export function isEncryptedDatabase(connection: PostgresConfig['connection'], first = connection): boolean {
  const { connectionString, ssl } = connection
  const target = connectionString === undefined ? undefined : parseConnectionUrl(connectionString)
  return isOn(target?.client.ssl ?? ssl) || listHosts(first).every(isLocalHost)
}

function listHosts({ connectionString, host }: PostgresConfig['connection']): (string | undefined)[] {
  return connectionString === undefined ? [host] : parseConnectionUrl(connectionString).hosts.map((one) => one.host)
}

const isOn = (ssl: PostgresConfig['connection']['ssl']): boolean => ssl !== undefined && ssl !== false

/** Returns true for a host of this machine, or the folder of a Unix socket. Without a host, the driver selects one. */
function isLocalHost(host: string | undefined): boolean {
  return host !== undefined && (host.startsWith('/') || isThisMachine(host))
}

/**
 * Returns the mail options with STARTTLS required if mails can leave this machine and `requireEncryption` is set.
 * Throws OptionsError if STARTTLS is off.
 */
export function requireEncryptedMail(options: MailOptions & EncryptionRule): MailOptions {
  const { requireEncryption, emailHost, emailSecure, emailStarttls } = options
  if (requireEncryption !== true || emailHost === undefined || emailSecure === true || isThisMachine(emailHost)) {
    return options
  }
  if (emailStarttls !== 'off') return { ...options, emailStarttls: 'required' }
  throw new OptionsError([
    'REQUIRE_ENCRYPTION needs TLS to the mail server: set EMAIL_SECURE, or remove EMAIL_STARTTLS',
  ])
}
