import type { OptionTable } from '@burgee/kit/options/options'
import { flag, integer, list, oneOf, type Parser, text } from '@burgee/kit/options/parsers'

const MAX_PORT = 65_535
const MAX_TIMEOUT_MS = 3_600_000
const URL_FORM = /^rediss?:\/\/\S+$/i

/** Parses the URL of a single Redis server, or the URLs of several nodes of a cluster. */
const redisUrls: Parser<readonly string[]> = {
  expects: 'a redis:// or rediss:// URL, or several separated by commas',
  parse: (value) => {
    const urls = list.parse(value)
    if (!urls.every((url) => URL_FORM.test(url) && URL.canParse(url))) throw new Error('not a Redis URL')
    return urls
  },
}

/** Options for storing the state for a node's next start. Source: wire protocol "Edge", options. */
export const STORAGE_OPTIONS = {
  backupFolder: {
    env: ['BACKUP_FOLDER', 'FLAG_BACKUP_FOLDER'],
    parse: text,
    letter: 'b',
    doc: 'Folder that stores tokens and flags. After a start while the upstream is down, the edge serves them. Cannot be combined with Redis.',
  },
  redisUrl: {
    env: ['REDIS_URL'],
    parse: redisUrls,
    secret: true,
    isRepeatable: true,
    doc: 'Redis in which tokens and flags are stored; for a cluster, any of its nodes.',
  },
  redisMode: {
    env: ['REDIS_MODE'],
    parse: oneOf(['single', 'cluster']),
    default: 'single',
    doc: 'Kind of Redis deployment.',
  },
  redisHost: { env: ['REDIS_HOST'], parse: text, doc: 'Host of Redis, instead of redisUrl.' },
  redisPort: { env: ['REDIS_PORT'], parse: integer(1, MAX_PORT), default: 6379, doc: 'Port of Redis at redisHost.' },
  redisUsername: { env: ['REDIS_USERNAME'], parse: text, doc: 'User at Redis.' },
  redisPassword: { env: ['REDIS_PASSWORD'], parse: text, secret: true, doc: 'Password at Redis.' },
  redisSecure: { env: ['REDIS_SECURE'], parse: flag, default: false, doc: 'Connect to Redis with TLS.' },
  redisScheme: {
    env: ['REDIS_SCHEME'],
    parse: oneOf(['tcp', 'tls', 'redis', 'rediss']),
    default: 'redis',
    doc: 'tls or rediss connects with TLS.',
  },
  redisReadConnectionTimeoutMilliseconds: {
    env: ['REDIS_READ_CONNECTION_TIMEOUT_MILLISECONDS'],
    parse: integer(1, MAX_TIMEOUT_MS),
    default: 2000,
    unit: 'ms',
    doc: 'Timeout for reading from Redis.',
  },
  redisWriteConnectionTimeoutMilliseconds: {
    env: ['REDIS_WRITE_CONNECTION_TIMEOUT_MILLISECONDS'],
    parse: integer(1, MAX_TIMEOUT_MS),
    default: 2000,
    unit: 'ms',
    doc: 'Timeout for writing to Redis.',
  },
} as const satisfies OptionTable
