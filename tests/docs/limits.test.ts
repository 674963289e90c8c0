import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'
import { HTTP_OPTIONS } from '@burgee/serving/http-options'
import { expect, test } from 'vitest'
import { readConstant, readSource } from './source-constants.ts'

/** The page about queues and quotas must match the sources. */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const PAGE = readFileSync(join(ROOT, 'docs', 'limits.md'), 'utf8')
const MEBIBYTE = 1024 * 1024
const KIBIBYTE = 1024

/** Pattern of constants that limit queues. */
const QUEUE_CONSTANT = /^(?:export )?const ((?:MOST|MAX)_(?:WAITING\w*|MAILS|QUEUED|PENDING\w*|TOLD)) = /gm

interface Row {
  readonly name: string
  readonly file: string
  readonly constant: string
  /** Formats the value as in the table, by default as a plain number. */
  readonly text?: (value: number) => string
}

const plain = (value: number) => value.toLocaleString('en-US')
const mebibytes = (value: number) => `${value / MEBIBYTE} MiB`
const less = (value: number) => `less ${value}`

const ROWS: readonly Row[] = [
  { name: 'event streams of a kind', file: 'kit/src/fair-share.ts', constant: 'SHARE_FACTOR' },
  { name: 'file descriptors for streams', file: 'kit/src/descriptors.ts', constant: 'MIN_RESERVE', text: less },
  { name: 'file descriptors for streams', file: 'kit/src/descriptors.ts', constant: 'MAX_RESERVE' },
  { name: 'connections', file: 'kit/src/descriptors.ts', constant: 'CONNECTION_RESERVE', text: less },
  { name: 'TLS handshakes', file: 'kit/src/descriptors.ts', constant: 'MAX_PENDING_HANDSHAKES' },
  {
    name: 'memory for request bodies',
    file: 'kit/src/http/body-budget.ts',
    constant: 'DEFAULT_BODY_MEMORY_BYTES',
    text: mebibytes,
  },
  {
    name: 'unread bytes of a stream',
    file: 'kit/src/streams/event-streams.ts',
    constant: 'MAX_UNSENT_BYTES',
    text: (value) => `${value / KIBIBYTE} KiB`,
  },
  {
    name: 'bytes of long responses in a turn of the event loop',
    file: 'kit/src/streams/long-body.ts',
    constant: 'TURN_BYTES',
    text: (value) => `${value / KIBIBYTE} KiB`,
  },
  { name: 'requests that wait on a connection', file: 'kit/src/http/connections.ts', constant: 'MAX_QUEUED_REQUESTS' },
  {
    name: 'connections on their way to a worker',
    file: 'kit/src/workers/connection-dispatcher.ts',
    constant: 'MAX_WAITING_CONNECTIONS',
  },
  {
    name: 'passwords that wait for their check',
    file: 'server/src/core/access/passwords/passwords.ts',
    constant: 'MAX_WAITING_PASSWORDS',
  },
  {
    name: 'plans and applies of flag files, running or waiting',
    file: 'server/src/admin/config/plan-queue.ts',
    constant: 'MAX_WAITING_PLANS',
  },
  {
    name: 'plans and applies of flag files, running or waiting',
    file: 'server/src/admin/config/plan-queue.ts',
    constant: 'MAX_WAITING_PLANS_OF_USER',
  },
  {
    name: 'callers that wait for a database connection',
    file: 'storage/src/leases.ts',
    constant: 'MAX_WAITING_CALLERS',
  },
  {
    name: 'callers that wait for a database connection',
    file: 'server/src/core/http/pending-quota.ts',
    constant: 'MAX_PENDING_OF_HOLDER',
  },
  {
    name: 'callers that wait for a database connection',
    file: 'server/src/core/http/pending-quota.ts',
    constant: 'MAX_PENDING_OF_NETWORK',
  },
  {
    name: 'checks of credentials that wait for the database',
    file: 'server/src/core/http/pending-quota.ts',
    constant: 'MAX_PENDING_CHECKS',
  },
  {
    name: 'checks of credentials that wait for the database',
    file: 'server/src/core/http/pending-quota.ts',
    constant: 'MAX_PENDING_CHECKS_OF_CREDENTIALS',
  },
  { name: 'mails that wait', file: 'server/src/admin/mail/mail-queue.ts', constant: 'MAX_MAILS' },
  { name: 'mails that wait', file: 'server/src/core/http/route-rate-limits.ts', constant: 'MAILS_PER_HOUR' },
  {
    name: 'entries of the login history that wait for the database',
    file: 'server/src/core/access/logins/login-history.ts',
    constant: 'MAX_BUFFERED',
  },
  {
    name: 'deliveries of an integration',
    file: 'storage/src/queries/integrations/deliveries.ts',
    constant: 'MAX_PENDING_DELIVERIES',
  },
  {
    name: 'connections in delivery receipts',
    file: 'serving/src/connections/connection-book.ts',
    constant: 'MAX_CONNECTIONS',
  },
  {
    name: 'reports of edges in delivery receipts',
    file: 'server/src/delivery/fleet/edge-reports.ts',
    constant: 'MAX_EDGES',
  },
  {
    name: 'reports of edges in delivery receipts',
    file: 'kit/src/fair-share.ts',
    constant: 'SHARE_FACTOR',
  },
  {
    name: 'reports of edges in delivery receipts',
    file: 'server/src/delivery/fleet/edge-reports.ts',
    constant: 'MAX_ROWS',
  },
  {
    name: 'reports of edges behind an edge',
    file: 'edge/src/usage/downstream-holdings.ts',
    constant: 'MAX_ROWS',
  },
  {
    name: 'reports of edges behind an edge',
    file: 'kit/src/fair-share.ts',
    constant: 'SHARE_FACTOR',
  },
  {
    name: 'events on their way to the admin UI',
    file: 'server/src/admin/events/admin-event-stream.ts',
    constant: 'MAX_EVENTS_PER_MESSAGE',
  },
  {
    name: 'names in usage reports that wait',
    file: 'server/src/delivery/usage/buffered-counts.ts',
    constant: 'MAX_NAMES',
  },
  {
    name: 'rows of impact metrics that wait',
    file: 'server/src/delivery/impact/impact-lane.ts',
    constant: 'MAX_WAITING_MINUTES',
  },
  {
    name: 'rows of impact metrics that wait',
    file: 'server/src/delivery/impact/impact-lane.ts',
    constant: 'MAX_WAITING_ROWS',
  },
  {
    name: 'names in usage reports that wait',
    file: 'kit/src/fair-share.ts',
    constant: 'SHARE_FACTOR',
  },
  {
    name: 'waiting queries to Prometheus',
    file: 'server/src/admin/impact-metrics/prometheus-reads.ts',
    constant: 'MAX_WAITING',
  },
  {
    name: 'unknown tokens that wait for the upstream',
    file: 'edge/src/tokens/token-validator.ts',
    constant: 'MAX_PENDING',
  },
  {
    name: 'labels and bounds of impact metrics that wait, by environment and projects',
    file: 'serving/src/impact/impact-bounds.ts',
    constant: 'MAX_CHARACTERS',
    text: mebibytes,
  },
  {
    name: 'unknown tokens that wait for the upstream',
    file: 'edge/src/tokens/token-validator.ts',
    constant: 'MAX_PENDING_PER_NETWORK',
  },
  {
    name: 'commands of an edge that wait for Redis',
    file: 'edge/src/storage/redis-connection.ts',
    constant: 'MAX_QUEUED',
  },
  {
    name: 'names in usage reports of a proxy that wait',
    file: 'proxy/src/usage/metrics-bucket.ts',
    constant: 'MAX_NAMES',
  },
]

const lineOf = (name: string) => PAGE.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? ''
const numbered = (text: string) => new RegExp(`(?<![\\d,])${text}(?![\\d,]*\\d)`)

test.each(ROWS)('"$name" has the number of $constant in $file', ({ name, file, constant, text = plain }) => {
  expect(lineOf(name)).toMatch(numbered(text(readConstant(file, constant))))
})

test.each([
  ['event streams of a kind', 'MAX_STREAMS', SERVER_OPTIONS.maxStreams.default],
  ['event streams of a kind', 'FLAG_MAX_STREAMS', HTTP_OPTIONS.maxStreams.default],
  ['event streams of a kind', 'MAX_STREAMS_PER_USER', SERVER_OPTIONS.maxStreamsPerUser.default],
  ['mails that wait', 'PASSWORD_RESET_LIMIT_PER_MINUTE', SERVER_OPTIONS.passwordResetLimitPerMinute.default],
  [
    'what users without the right to change flags store',
    'READER_STORAGE_LIMIT_PER_HOUR',
    SERVER_OPTIONS.readerStorageLimitPerHour.default,
  ],
])('"%s" names %s and its default', (name, variable, value) => {
  expect(lineOf(name)).toContain(`\`${variable}\``)
  expect(lineOf(name)).toMatch(numbered(plain(value)))
})

test('every queue of the sources is on the page', () => {
  const found = globSync('{kit,serving,storage,server,edge,proxy}/src/**/*.ts', { cwd: join(ROOT, 'packages') })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readSource(file).matchAll(QUEUE_CONSTANT)].map(([, constant = '']) => ({ file, constant })))
  const isListed = ({ file, constant }: { file: string; constant: string }) =>
    ROWS.some((row) => row.file === file.replaceAll('\\', '/') && row.constant === constant)
  expect(found.length).toBeGreaterThan(8)
  expect(found.filter((one) => !isListed(one))).toEqual([])
})
