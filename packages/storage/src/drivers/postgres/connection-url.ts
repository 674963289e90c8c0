import { readFileSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import type { Host } from './hosts.ts'

type Tls = NonNullable<ClientConfig['ssl']>

/** libpq connection string, converted into options for the driver. */
export interface ConnectionTarget {
  /**
   * Hosts in the order in which they are tried. A host without properties stands for the default host of the driver.
   */
  readonly hosts: readonly Host[]
  readonly client: ClientConfig
  /** Warnings for the log, one line each. */
  readonly warnings: readonly string[]
}

/**
 * Thrown for an invalid connection string. The message describes the problem and what to write instead, and never
 * contains a value that may be secret.
 */
export class ConnectionUrlError extends Error {
  override readonly name = 'ConnectionUrlError'
}

const MS_PER_SECOND = 1000
/** Parameters that Burgee always sets; their values in the connection string are ignored. */
const OVERRIDDEN_PARAMETERS =
  /^(keepalives(_idle|_interval|_count)?|tcp_user_timeout|client_encoding|gssencmode|uselibpqcompat)$/
const KNOWN_PARAMETERS = new Set([
  ...['host', 'port', 'user', 'password', 'dbname', 'options', 'application_name', 'fallback_application_name'],
  ...['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'channel_binding'],
  ...['target_session_attrs', 'load_balance_hosts', 'connect_timeout'],
])

/** Parses `postgres://user:password@host1:5432,host2:5432/database?name=value`. Throws ConnectionUrlError. */
export function parseConnectionUrl(url: string): ConnectionTarget {
  const [, authority = '', path = '', query = ''] = /^[a-z]+:\/\/([^/?#]*)\/?([^?#]*)\??([^#]*)/i.exec(url) ?? []
  const at = authority.lastIndexOf('@')
  const [user = '', ...password] = authority.slice(0, Math.max(at, 0)).split(':')
  const parameters = readParameters(query)
  const value = (name: string): string | undefined => parameters.get(name)
  rejectAttributes(value('target_session_attrs'), value('load_balance_hosts'))
  const tls = readTls(parameters)
  const client: ClientConfig = {
    ...toOptionalProperty('user', value('user') ?? decodePercent(user)),
    ...toOptionalProperty('password', value('password') ?? decodePercent(password.join(':'))),
    ...toOptionalProperty('database', value('dbname') ?? decodePercent(path)),
    ...toOptionalProperty('options', value('options')),
    ...toOptionalProperty('application_name', value('application_name')),
    ...toOptionalProperty('fallback_application_name', value('fallback_application_name')),
    ...toOptionalProperty('connectionTimeoutMillis', parseTimeout(value('connect_timeout'))),
    ...(tls.ssl === undefined ? {} : { ssl: tls.ssl }),
    ...(value('sslnegotiation') === 'direct' ? { sslnegotiation: 'direct' as const } : {}),
    ...(/^(require|prefer)$/.test(value('channel_binding') ?? '') ? { enableChannelBinding: true } : {}),
  }
  const hosts = readHosts(authority.slice(at + 1), value('host'), value('port'))
  const ours = [...parameters.keys()].filter((name) => OVERRIDDEN_PARAMETERS.test(name) && name !== 'uselibpqcompat')
  const warnings = ours.map((name) => `DATABASE_URL contains ${name}, which has no effect: Burgee sets it itself`)
  return { hosts, client, warnings: [...tls.warnings, ...warnings] }
}

function toOptionalProperty<K extends string, V>(name: K, value: V | undefined): { [key in K]?: V } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { [key in K]?: V })
}

function readParameters(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const pair of query.split('&').filter((one) => one !== '')) {
    const [name = '', ...value] = pair.split('=')
    const key = decodePercent(name).toLowerCase()
    const text = value.join('=')
    // URL builders write a space in a query as "+"; session settings never contain a real "+", but passwords may
    parameters.set(key, decodePercent(key === 'options' ? text.replaceAll('+', ' ') : text))
  }
  const unknown = [...parameters.keys()].filter(
    (name) => !KNOWN_PARAMETERS.has(name) && !OVERRIDDEN_PARAMETERS.test(name),
  )
  if (unknown.length === 0) return parameters
  throw new ConnectionUrlError(
    `DATABASE_URL has the parameter ${unknown.join(', ')}, which Burgee does not support: remove it (docs/postgresql.md lists the supported parameters)`,
  )
}

/** Decodes percent-encoding. Percent signs that are not part of an escape sequence are left unchanged. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
      try {
        return decodeURIComponent(run)
      } catch {
        return run
      }
    })
  }
}

function readHosts(authority: string, hosts: string | undefined, ports: string | undefined): Host[] {
  const named = authority === '' ? [] : authority.split(',').map(readHost)
  if (hosts === undefined) return named.length === 0 ? [createHost(undefined, ports)] : named
  const given = hosts.split(',')
  const portList = ports?.split(',') ?? []
  if (portList.length > 1 && portList.length !== given.length) {
    throw new ConnectionUrlError(
      `DATABASE_URL names ${given.length} hosts and ${portList.length} ports: give one port, or one for each host`,
    )
  }
  return given.map((host, index) => createHost(host, portList[index] ?? portList[0]))
}

function readHost(text: string): Host {
  const [, bracketed, plain = '', port] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d*))?$/.exec(text) ?? []
  if (bracketed === undefined && plain === '' && text !== '' && !text.startsWith(':')) {
    throw new ConnectionUrlError(
      'DATABASE_URL has an invalid host: write host:port, IPv6 addresses in [ ], and special characters of user and password as %xx',
    )
  }
  return createHost(bracketed ?? decodePercent(plain), port)
}

function createHost(host: string | undefined, port: string | undefined): Host {
  return {
    ...toOptionalProperty('host', host),
    ...toOptionalProperty('port', port === undefined || port === '' ? undefined : Number(port)),
  }
}

function parseTimeout(seconds: string | undefined): number | undefined {
  if (seconds === undefined || seconds === '0') return undefined
  if (!/^\d+$/.test(seconds)) throw new ConnectionUrlError('DATABASE_URL: connect_timeout must be a number of seconds')
  return Number(seconds) * MS_PER_SECOND
}

/** Rejects settings that could select a server other than the primary, which Burgee always needs. */
function rejectAttributes(attributes: string | undefined, balance: string | undefined): void {
  if (attributes !== undefined && !/^(any|read-write|primary)$/.test(attributes)) {
    throw new ConnectionUrlError(
      `DATABASE_URL contains target_session_attrs=${attributes}: Burgee works only on the primary; use read-write or remove it`,
    )
  }
  if (balance !== undefined && balance !== 'disable') {
    throw new ConnectionUrlError(
      'DATABASE_URL contains load_balance_hosts: Burgee tries hosts in order; set it to disable or remove it',
    )
  }
}

interface TlsSettings {
  readonly ssl: Tls | undefined
  readonly warnings: readonly string[]
}

function readTls(parameters: ReadonlyMap<string, string>): TlsSettings {
  const files = {
    ...toOptionalProperty('ca', readPem(parameters, 'sslrootcert')),
    ...toOptionalProperty('cert', readPem(parameters, 'sslcert')),
    ...toOptionalProperty('key', readPem(parameters, 'sslkey')),
  }
  const mode = parameters.get('sslmode') ?? toSslMode(parameters.get('ssl'))
  const encrypted = (ssl: Tls, ...warnings: string[]): TlsSettings => ({ ssl, warnings })
  // do not check the host name, because the host may be the address of a pooler or tunnel that does not appear in the
  // certificate
  const anyName = { ...files, checkServerIdentity: () => undefined }
  switch (mode) {
    case undefined:
      return { ssl: Object.keys(files).length > 0 ? files : undefined, warnings: [] }
    case 'disable':
      return encrypted(false)
    case 'require':
      if (files.ca !== undefined) return encrypted(anyName)
      return encrypted(
        { ...files, rejectUnauthorized: false },
        'DATABASE_URL contains sslmode=require: the connection is encrypted, but the server certificate is not verified. Use verify-full if possible',
      )
    case 'no-verify':
      return encrypted({ ...files, rejectUnauthorized: false })
    case 'verify-ca':
      if (files.ca !== undefined) return encrypted(anyName)
      throw new ConnectionUrlError(
        'DATABASE_URL contains sslmode=verify-ca without a CA: add sslrootcert, or use verify-full',
      )
    case 'verify-full':
      return encrypted(files)
    case 'allow':
    case 'prefer':
      throw new ConnectionUrlError(
        `DATABASE_URL contains sslmode=${mode}, which allows unencrypted connections: use require or verify-full, or disable for no encryption`,
      )
    default:
      throw new ConnectionUrlError(
        `DATABASE_URL contains sslmode=${mode}: use disable, require, verify-ca or verify-full`,
      )
  }
}

/** Converts the driver's `ssl` parameter, which libpq does not have, into an sslmode. */
function toSslMode(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const modes: Readonly<Record<string, string>> = {
    true: 'verify-full',
    1: 'verify-full',
    false: 'disable',
    0: 'disable',
  }
  return modes[value] ?? value
}

/**
 * Reads a PEM file at a path. Returns undefined if there is no path, or if the path is `system`, which means the CAs
 * bundled with Node.js. Throws ConnectionUrlError if the file cannot be read.
 */
function readPem(parameters: ReadonlyMap<string, string>, name: string): string | undefined {
  const path = parameters.get(name)
  if (path === undefined || path === 'system') return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new ConnectionUrlError(`DATABASE_URL: cannot read the file of ${name} (${reason})`)
  }
}
