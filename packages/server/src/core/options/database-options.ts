import { getCurrent } from '@burgee/kit/options/current-value'
import { OptionsError, type OptionTable, type Parsed } from '@burgee/kit/options/options'
import { integer, type Parser, text } from '@burgee/kit/options/parsers'
import type { PostgresConfig } from '@burgee/storage/drivers/postgres/postgres-options'
import { DATABASE_TLS_OPTIONS, readTlsSettings } from './database-tls.ts'
import { type EncryptionRule, requireEncryptedDatabase } from './encryption-options.ts'

/** PostgreSQL URL. */
const postgresUrl: Parser<string> = {
  expects: 'a URL like postgres://user:password@host:5432/database',
  parse: (value) => {
    const url = text.parse(value)
    if (!/^postgres(ql)?:\/\/\S+$/i.test(url)) throw new TypeError()
    return url
  },
}

/** Schema name that PostgreSQL stores as it is. PostgreSQL would truncate longer names. */
const schemaName: Parser<string> = {
  expects: 'a schema name: at most 63 letters, digits, "_" and "-", not starting with a digit',
  parse: (value) => {
    const name = text.parse(value)
    if (!/^[A-Za-z_][\w-]{0,62}$/.test(name)) throw new TypeError()
    return name
  },
}

/** Function that returns the password for each new connection, for example a token that expires within minutes. */
export type PasswordSource = () => string | Promise<string>

const password: Parser<string | PasswordSource> = {
  expects: 'a string, or in code a function that returns a string or a promise of one',
  parse: (value) => (typeof value === 'function' ? (value as PasswordSource) : text.parse(value)),
}

const LOCALHOST = 'localhost'
const PORT = 5432
const NAME = 'unleash'
const USERNAME = 'unleash_user'
const CONNECTIONS = 10
const MAX_WAIT_SECONDS = 86_400
const MAX_IDLE_MS = 86_400_000

/** PostgreSQL connection options. If none is set, the embedded database is used. */
export const DATABASE_OPTIONS = {
  databaseUrl: {
    env: ['DATABASE_URL'],
    parse: postgresUrl,
    secret: true,
    reread: true,
    doc: 'URL of PostgreSQL (14 or newer), which replaces the embedded database; any number of servers can share one. DATABASE_URL_FILE is read again for each new connection, for its user, password and certificates.',
  },
  databaseHost: {
    env: ['DATABASE_HOST'],
    parse: text,
    defaultDoc: `${LOCALHOST}, if another DATABASE_ option is set`,
    doc: 'Host of PostgreSQL, if no URL is set.',
  },
  databasePort: {
    env: ['DATABASE_PORT'],
    parse: integer(1, 65_535),
    defaultDoc: String(PORT),
    doc: 'Port of PostgreSQL at `databaseHost`.',
  },
  databaseName: {
    env: ['DATABASE_NAME'],
    parse: text,
    defaultDoc: NAME,
    doc: 'Database name at `databaseHost`.',
  },
  databaseUsername: {
    env: ['DATABASE_USERNAME'],
    parse: text,
    defaultDoc: USERNAME,
    doc: 'User at `databaseHost`.',
  },
  databasePassword: {
    env: ['DATABASE_PASSWORD'],
    parse: password,
    secret: true,
    reread: true,
    doc: 'Password at `databaseHost`. For each new connection, the server reads DATABASE_PASSWORD_FILE again, or calls the function.',
  },
  databaseSchema: {
    env: ['DATABASE_SCHEMA'],
    parse: schemaName,
    defaultDoc: 'the first of the search_path: usually public',
    doc: 'Schema of the tables; created if missing.',
  },
  ...DATABASE_TLS_OPTIONS,
  databasePoolSize: {
    env: ['DATABASE_POOL_MAX'],
    parse: integer(1, 1000),
    defaultDoc: String(CONNECTIONS),
    unit: 'connections',
    doc: 'Maximum number of connections per server to PostgreSQL, plus one that listens for changes. Below 4, reads and writes wait for each other.',
  },
  databasePoolMin: {
    env: ['DATABASE_POOL_MIN'],
    parse: integer(0, 1000),
    defaultDoc: '0',
    unit: 'connections',
    doc: 'Minimum number of idle read connections that stay open; the write connection always does.',
  },
  databasePoolIdleTimeoutMs: {
    env: ['DATABASE_POOL_IDLE_TIMEOUT_MS'],
    parse: integer(1, MAX_IDLE_MS),
    defaultDoc: '60000',
    unit: 'ms',
    doc: 'Time after which further idle connections close.',
  },
  databaseApplicationName: {
    env: ['DATABASE_APPLICATION_NAME'],
    parse: text,
    defaultDoc: 'burgee',
    doc: 'Name of the connections in PostgreSQL (application_name).',
  },
} as const satisfies OptionTable

/** Options that control a start with PostgreSQL but do not select the database. */
export const DATABASE_START_OPTIONS = {
  databaseWait: {
    env: ['DATABASE_WAIT'],
    parse: integer(0, MAX_WAIT_SECONDS),
    default: 60,
    unit: 's',
    doc: 'Time that a start waits for an unreachable PostgreSQL if there is no snapshot to serve SDKs from.',
  },
} as const satisfies OptionTable

/** Returns true if at least one PostgreSQL option is set. */
export function selectsPostgres(options: Parsed<typeof DATABASE_OPTIONS>): boolean {
  return Object.keys(DATABASE_OPTIONS).some((name) => options[name as keyof typeof DATABASE_OPTIONS] !== undefined)
}

type ConnectionOptions = Parsed<typeof DATABASE_OPTIONS> & EncryptionRule

/**
 * Returns the PostgreSQL configuration, or undefined if no PostgreSQL option is set. A single PostgreSQL option is
 * enough to select PostgreSQL, with localhost as the default host, so that a configuration with only a user or a
 * password does not silently use the embedded database. Throws OptionsError if two options contradict each other, and
 * if encryption is required but not configured.
 */
export function toPostgresConfig(options: ConnectionOptions): PostgresConfig | undefined {
  if (!selectsPostgres(options)) return undefined
  const { databaseSchema: schema, databasePoolSize: poolSize = CONNECTIONS } = options
  const url = getCurrent(options.databaseUrl)
  if (url !== undefined) rejectOverriddenOptions(options, url)
  const connection = readConnectionSettings(options)
  return {
    connection,
    currentConnection: () => readConnectionSettings(options, connection),
    poolSize,
    ...(schema === undefined ? {} : { schema }),
    ...(options.databasePoolMin === undefined ? {} : { poolMin: options.databasePoolMin }),
    ...(options.databasePoolIdleTimeoutMs === undefined ? {} : { idleTimeoutMs: options.databasePoolIdleTimeoutMs }),
  }
}

/** Determines the settings for a new connection. Values that come from files are read again for each connection. */
function readConnectionSettings(
  options: ConnectionOptions,
  first?: PostgresConfig['connection'],
): PostgresConfig['connection'] {
  const connection = toConnectionSettings(options)
  if (options.requireEncryption === true) requireEncryptedDatabase(connection, first)
  return connection
}

function toConnectionSettings(options: ConnectionOptions): PostgresConfig['connection'] {
  const ssl = readTlsSettings(options)
  const common = {
    ...(ssl === undefined ? {} : { ssl }),
    ...(options.databaseApplicationName === undefined ? {} : { application_name: options.databaseApplicationName }),
  }
  const connectionString = getCurrent(options.databaseUrl)
  if (connectionString !== undefined) return { connectionString, ...common }
  return {
    host: options.databaseHost ?? LOCALHOST,
    port: options.databasePort ?? PORT,
    database: options.databaseName ?? NAME,
    user: options.databaseUsername ?? USERNAME,
    password: getCurrent(options.databasePassword),
    ...common,
  }
}

/** URL parameters that override separate settings in the driver, each with the options that it would override. */
const URL_OVERRIDES: readonly {
  readonly parameter: RegExp
  readonly options: readonly (keyof typeof DATABASE_OPTIONS)[]
}[] = [
  {
    parameter: /[?&](ssl|sslmode|sslrootcert|sslcert|sslkey)=/i,
    options: ['databaseSslCa', 'databaseSslCert', 'databaseSslKey', 'databaseSslRejectUnauthorized'],
  },
  { parameter: /[?&]options=/i, options: ['databaseSchema'] },
  { parameter: /[?&]application_name=/i, options: ['databaseApplicationName'] },
]

/** Throws OptionsError if the URL would silently override another database option. */
function rejectOverriddenOptions(options: Parsed<typeof DATABASE_OPTIONS>, url: string): void {
  const problems = URL_OVERRIDES.flatMap(({ parameter, options: names }) => {
    const [found] = parameter.exec(url) ?? []
    const given = names.filter((name) => options[name] !== undefined)
    if (found === undefined || given.length === 0) return []
    const variables = given.map((name) => DATABASE_OPTIONS[name].env[0]).join(', ')
    return [`DATABASE_URL contains ${found.slice(1, -1)}, which would override ${variables}: set it in one place`]
  })
  if (problems.length > 0) throw new OptionsError(problems)
}
