import type { OptionTable } from '@burgee/kit/options/options'
import { flag, integer, list, oneOf, type Parser, text } from '@burgee/kit/options/parsers'

const MAX_PORT = 65_535
const MAX_TIMEOUT_MS = 3_600_000
const URL_FORM = /^rediss?:\/\/\S+$/i

/** URLs of a Redis server, or of several nodes of a cluster. */
const redisUrls: Parser<readonly string[]> = {
  expects: 'a redis:// or rediss:// URL, or several with commas',
  parse: (value) => {
    const urls = list.parse(value)
    if (!urls.every((url) => URL_FORM.test(url) && URL.canParse(url))) throw new Error('no such URL')
    return urls
  },
}

/** Options of the storage for a node's next start. Source: wire protocol "Edge", options. */
export const STORAGE_OPTIONS = {
  backupFolder: {
    env: ['BACKUP_FOLDER', 'FLAG_BACKUP_FOLDER'],
    parse: text,
    letter: 'b',
    doc: 'Folder for tokens and flags, so that a start while the upstream is down answers; excludes Redis.',
  },
  redisUrl: {
    env: ['REDIS_URL'],
    parse: redisUrls,
    secret: true,
    isRepeatable: true,
    doc: 'Redis for tokens and flags; of a cluster any of its nodes.',
  },
  redisMode: { env: ['REDIS_MODE'], parse: oneOf(['single', 'cluster']), default: 'single', doc: 'Kind of the Redis.' },
  redisHost: { env: ['REDIS_HOST'], parse: text, doc: 'Host of the Redis, instead of redisUrl.' },
  redisPort: { env: ['REDIS_PORT'], parse: integer(1, MAX_PORT), default: 6379, doc: 'Its port.' },
  redisUsername: { env: ['REDIS_USERNAME'], parse: text, doc: 'User of the Redis.' },
  redisPassword: { env: ['REDIS_PASSWORD'], parse: text, secret: true, doc: 'Password of the Redis.' },
  redisSecure: { env: ['REDIS_SECURE'], parse: flag, default: false, doc: 'Connect to it with TLS.' },
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
    doc: 'How long reading from it may take.',
  },
  redisWriteConnectionTimeoutMilliseconds: {
    env: ['REDIS_WRITE_CONNECTION_TIMEOUT_MILLISECONDS'],
    parse: integer(1, MAX_TIMEOUT_MS),
    default: 2000,
    unit: 'ms',
    doc: 'How long writing to it may take.',
  },
} as const satisfies OptionTable
