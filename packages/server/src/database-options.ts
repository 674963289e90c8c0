import type { OptionTable, Parsed } from '@burgee/kit/options/options'
import { integer, type Parser, text } from '@burgee/kit/options/parsers'
import type { PostgresConfig } from './store/postgres/postgres.ts'

/** An address of PostgreSQL. */
const postgresUrl: Parser<string> = {
  expects: 'an address like postgres://user:password@host:5432/database',
  parse: (value) => {
    const url = text.parse(value)
    if (!/^postgres(ql)?:\/\/\S+$/i.test(url)) throw new TypeError()
    return url
  },
}

type Tls = NonNullable<PostgresConfig['connection']['ssl']>

/** On, off, or what TLS of Node takes: `{"rejectUnauthorized": false}`, `{"ca": "…"}`. */
const tls: Parser<Tls> = {
  expects: 'true, false or a JSON object',
  parse: (value) => {
    const given: unknown = typeof value === 'string' ? JSON.parse(value) : value
    if (typeof given === 'boolean') return given
    if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new TypeError()
    return given
  },
}

const LOCALHOST = 'localhost'
const PORT = 5432
const NAME = 'unleash'
const USERNAME = 'unleash_user'
const CONNECTIONS = 10
const MOST_WAIT_SECONDS = 86_400

/** Where PostgreSQL is; with none of these options, the embedded database is used. */
export const DATABASE_OPTIONS = {
  databaseUrl: {
    env: ['DATABASE_URL'],
    parse: postgresUrl,
    secret: true,
    doc: 'PostgreSQL (14 or newer) instead of the embedded database; any number of servers may share one.',
  },
  databaseHost: {
    env: ['DATABASE_HOST'],
    parse: text,
    defaultDoc: `${LOCALHOST}, where another DATABASE_ option is given`,
    doc: 'Host of PostgreSQL, where no address is given.',
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
    doc: 'Database at `databaseHost`.',
  },
  databaseUsername: {
    env: ['DATABASE_USERNAME'],
    parse: text,
    defaultDoc: USERNAME,
    doc: 'User at `databaseHost`.',
  },
  databasePassword: {
    env: ['DATABASE_PASSWORD'],
    parse: text,
    secret: true,
    doc: 'Password at `databaseHost`.',
  },
  databaseSsl: {
    env: ['DATABASE_SSL'],
    parse: tls,
    secret: true,
    doc: 'TLS to PostgreSQL; a parameter `sslmode` of the address wins.',
  },
  databasePoolSize: {
    env: ['DATABASE_POOL_MAX'],
    parse: integer(1, 1000),
    defaultDoc: String(CONNECTIONS),
    unit: 'connections',
    doc: 'Most connections of one server to PostgreSQL; one more listens for changes. Below 4, readers and writers wait for each other.',
  },
} as const satisfies OptionTable

/** How a start deals with PostgreSQL; says nothing about which database it is. */
export const DATABASE_START_OPTIONS = {
  databaseWait: {
    env: ['DATABASE_WAIT'],
    parse: integer(0, MOST_WAIT_SECONDS),
    default: 60,
    unit: 's',
    doc: 'How long a start waits for a PostgreSQL that cannot be reached yet, where nothing is kept that SDKs can be served from meanwhile.',
  },
} as const satisfies OptionTable

/**
 * The PostgreSQL that the options name; undefined when none of them is given. Any of them asks for PostgreSQL, at
 * localhost where nothing says where: who names a user or a password never gets the embedded database instead.
 */
export function postgresConfigOf(options: Parsed<typeof DATABASE_OPTIONS>): PostgresConfig | undefined {
  if (Object.keys(DATABASE_OPTIONS).every((name) => options[name as keyof typeof DATABASE_OPTIONS] === undefined)) {
    return undefined
  }
  const { databaseUrl, databaseSsl, databasePoolSize: poolSize = CONNECTIONS } = options
  const ssl = databaseSsl === undefined ? {} : { ssl: databaseSsl }
  if (databaseUrl !== undefined) return { connection: { connectionString: databaseUrl, ...ssl }, poolSize }
  const connection = {
    host: options.databaseHost ?? LOCALHOST,
    port: options.databasePort ?? PORT,
    database: options.databaseName ?? NAME,
    user: options.databaseUsername ?? USERNAME,
    password: options.databasePassword,
    ...ssl,
  }
  return { connection, poolSize }
}
