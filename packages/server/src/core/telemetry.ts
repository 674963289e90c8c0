import type { SeenReply } from '@burgee/kit/http/app'
import { CacheSeries } from '@burgee/kit/series/cache-series'
import { registerProcessSeries } from '@burgee/kit/series/process-series'
import { type Counter, type Labels, SeriesRegistry } from '@burgee/kit/series/series'
import type { EventStreams } from '@burgee/kit/streams/event-streams'
import { registerStreamSeries } from '@burgee/kit/streams/stream-series'
import { Problem } from '@burgee/protocol/problem'
import { registerImpactRefusals } from '@burgee/serving/impact/impact-series'
import type { Deltas } from '@burgee/serving/sdk/deltas'
import type { Downloads } from '@burgee/serving/sdk/downloads'
import type { FlagStreams } from '@burgee/serving/sdk/flag-streams'
import type { Database, QueryOutcome } from '@burgee/storage/database'
import { classifyDbError, DB_ERROR_KINDS } from '@burgee/storage/errors'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { watchQueuedDeliveries } from '../admin/integrations/delivery-series.ts'
import { createFigures, type FigureDeps } from '../admin/projects/figures.ts'
import type { Retention } from '../admin/retention/retention.ts'
import type { Documents } from '../delivery/documents/documents.ts'
import type { DatabaseContact } from '../delivery/events/database-contact.ts'
import type { OpenBroadcast } from '../delivery/events/shared-broadcast.ts'
import type { FleetBook } from '../delivery/fleet/fleet-book.ts'
import { registerFleetSeries } from '../delivery/fleet/fleet-series.ts'
import type { ImpactReports } from '../delivery/impact/impact-reports.ts'
import type { SnapshotWriterStatus } from '../delivery/snapshots/snapshot-writer.ts'
import type { Usage } from '../delivery/usage/usage-buffer.ts'
import type { Sessions } from './access/logins/sessions.ts'
import type { Administration } from './administration.ts'
import { addUnleashSeries, type FlagSeriesBounds, type UnleashSeries } from './unleash-compat-series.ts'
import { VERSION } from './version.ts'

/**
 * Prometheus metrics of the server. Label values come from bounded sets (route patterns, environments of tokens, event
 * types), never from names in requests.
 */
export interface Telemetry {
  readonly registry: SeriesRegistry
  /** Metrics of caches; every new cache must be added here. */
  readonly caches: CacheSeries
  /** Returns all metrics as text, without names of private projects. */
  text(): Promise<string>
  /** Counter of flags evaluated for front ends, by `environment`. */
  readonly evaluations: Counter
  /** Counter of downloads by SDKs, by `environment` and `result`: sent, not-modified. */
  readonly downloads: Counter
  /** Counter of errors reported by user interfaces. */
  readonly uiErrors: Counter
  /** Adds usage counts to the metrics. Called after the counts were written to the database. */
  readonly recordUsage: UnleashSeries['recordUsage']
  /**
   * Records the time from the commit of a change until the update has been written to the sockets of all streams of its
   * environment.
   */
  readonly recordPropagation: (durationMs: number) => void
  /** Records the time from the commit of a change until it was sent to a connection that now has it. */
  readonly recordDelivery: (durationMs: number) => void
  /** Called after each response. */
  readonly recordReply: (seen: SeenReply) => void
  /** Called after each query. */
  readonly recordQuery: (outcome: QueryOutcome) => void
  /** Wraps sessions so that logins are counted by `result`: success, failure. */
  wrapSessions(sessions: Sessions): Sessions
  /**
   * Wraps a broadcast so that the events that this server writes and publishes are counted. `lastEvent` is the id of
   * the last event at the start.
   */
  wrapBroadcast(broadcast: OpenBroadcast, lastEvent: number): OpenBroadcast
  /** Adds metrics that are read from `parts` at each Prometheus scrape, and the resource usage of the process. */
  watch(parts: Watched): void
  /** Adds the size of the database, as of the last measurement. */
  watchSizes(sizes: Retention['sizes']): void
  /** Adds metrics about the snapshot on disk; `read` returns undefined if snapshots are disabled. */
  watchSnapshots(read: () => SnapshotWriterStatus | undefined): void
  /** Stops measuring. */
  close(): void
}

/** Parts of the server from which metrics are read at each Prometheus scrape. */
export interface Watched extends FigureDeps, CachedParts {
  readonly documents: Documents
  readonly contact: () => DatabaseContact
  readonly usage: Usage
  readonly impactReports: ImpactReports
  readonly fleet: FleetBook
  readonly streams: EventStreams
}

/** Services whose caches are limited by their size in bytes. */
interface CachedParts extends Pick<Administration, 'pageCache'> {
  readonly downloads: Downloads
  readonly deltas: Pick<Deltas, 'getCacheSize'>
  readonly flagStreams: Pick<FlagStreams<never>, 'getCacheSize'>
}

const MS_PER_SECOND = 1000
const REPLY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const PROPAGATION_SECONDS = [0.025, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5]
const DELIVERY_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 120, 300]
const QUERY_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** Creates the metrics of one server. */
export function createTelemetry(flagSeries: FlagSeriesBounds): Telemetry {
  const registry = new SeriesRegistry()
  const caches = new CacheSeries(registry)
  const established = addUnleashSeries(registry, flagSeries)
  let process: { close(): void } | undefined
  return {
    registry,
    caches,
    async text() {
      await established.refresh()
      return registry.text()
    },
    evaluations: registry.counter(
      'burgee_frontend_evaluations_total',
      'Flags evaluated for front ends, by environment.',
    ),
    downloads: registry.counter('burgee_client_downloads_total', 'Downloads of SDKs by environment and result.'),
    uiErrors: registry.counter('burgee_ui_errors_total', 'Failures that user interfaces tell of.'),
    recordPropagation: countPropagation(registry),
    recordDelivery: countDeliveries(registry),
    recordReply: createReplyRecorder(registry),
    recordQuery: countQueries(registry),
    wrapSessions: countLogins(registry),
    recordUsage: established.recordUsage,
    wrapBroadcast: countEvents(registry, established.recordChanges),
    watchSizes: (sizes) => watchSizes(registry, sizes),
    watchSnapshots: (read) => watchSnapshots(registry, read),
    watch(parts) {
      watchUsage(registry, parts)
      watchImpact(registry, parts.impactReports)
      watchCaches(caches, parts)
      registerFleetSeries(registry, parts.fleet)
      registerStreamSeries(registry, parts.streams)
      watchDocuments(registry, parts)
      watchDatabase(registry, parts.db)
      watchServer(registry, parts)
      const figures = createFigures(parts)
      established.watch(parts.db, figures)
      watchQueuedDeliveries(registry, () => figures()?.waitingDeliveries)
      process = registerProcessSeries(registry, { name: 'burgee_build_info', version: VERSION })
    },
    close: () => process?.close(),
  }
}

function watchCaches(caches: CacheSeries, { downloads, deltas, flagStreams, pageCache }: CachedParts): void {
  caches.watch('downloads', () => downloads.getCacheStats())
  caches.watch('deltas', () => deltas.getCacheSize())
  caches.watch('stream-messages', () => flagStreams.getCacheSize())
  caches.watch('flag-pages', () => pageCache.flags.getSize())
  caches.watch('project-pages', () => pageCache.projects.getSize())
}

function countPropagation(registry: SeriesRegistry): Telemetry['recordPropagation'] {
  const seconds = registry.histogram(
    'burgee_propagation_seconds',
    'Time from the commit of a change, on whichever node, to the sockets of all streams that are told of it here.',
    PROPAGATION_SECONDS,
  )
  return (durationMs) => seconds.observe(durationMs / MS_PER_SECOND)
}

function countDeliveries(registry: SeriesRegistry): Telemetry['recordDelivery'] {
  const seconds = registry.histogram(
    'burgee_delivery_seconds',
    'Time from the commit of a change until it was sent to a connection that has it.',
    DELIVERY_SECONDS,
  )
  return (durationMs) => seconds.observe(durationMs / MS_PER_SECOND)
}

function createReplyRecorder(registry: SeriesRegistry): Telemetry['recordReply'] {
  const replies = registry.counter('burgee_http_requests_total', 'Replies by route, method and status.')
  const seconds = registry.histogram(
    'burgee_http_request_duration_seconds',
    'Time from a request to the end of its reply, by route and method.',
    REPLY_SECONDS,
  )
  const durations = registry.histogram(
    'http_request_duration_milliseconds',
    'The same as sum and count, by path, method and status.',
    [],
  )
  const known = new Map<string, RouteLabels>()
  return ({ route, method, status, durationMs }) => {
    const id = `${method} ${route}`
    const labels: RouteLabels = known.get(id) ?? { ofTime: { route, method }, byStatus: new Map() }
    known.set(id, labels)
    const ofReply = labels.byStatus.get(status) ?? toReplyLabels(route, method, status)
    labels.byStatus.set(status, ofReply)
    replies.add(1, ofReply.ours)
    seconds.observe(durationMs / MS_PER_SECOND, labels.ofTime)
    durations.observe(durationMs, ofReply.unleash)
  }
}

/** Labels for one route: those of its duration, and those of its replies by status. */
interface RouteLabels {
  readonly ofTime: Labels
  readonly byStatus: Map<number, ReplyLabels>
}

/** Labels for one kind of response, both in this server's own metrics and in the Unleash-compatible ones. */
interface ReplyLabels {
  readonly ours: Labels
  readonly unleash: Labels
}

function toReplyLabels(route: string, method: string, code: number): ReplyLabels {
  const status = String(code)
  return { ours: { route, method, status }, unleash: { path: route, method, status } }
}

function countQueries(registry: SeriesRegistry): Telemetry['recordQuery'] {
  const queries = registry.histogram(
    'burgee_database_query_duration_seconds',
    'Time of database queries.',
    QUERY_SECONDS,
  )
  registry.alias('db_query_duration_seconds', 'Time of database queries.', 'burgee_database_query_duration_seconds')
  const failures = registry.counterFromZero(
    'burgee_database_query_errors_total',
    'Failed database queries by kind.',
    DB_ERROR_KINDS.map((kind) => ({ kind })),
  )
  return ({ durationMs, error }) => {
    queries.observe(durationMs / MS_PER_SECOND)
    if (error !== undefined) failures.add(1, { kind: classifyDbError(error) })
  }
}

function countLogins(registry: SeriesRegistry): Telemetry['wrapSessions'] {
  const logins = registry.counterFromZero(
    'burgee_logins_total',
    'Logins with a password by result: success, failure.',
    [{ result: 'success' }, { result: 'failure' }],
  )
  return (sessions) => ({
    ...sessions,
    async login(login, from) {
      try {
        const opened = await sessions.login(login, from)
        logins.add(1, { result: 'success' })
        return opened
      } catch (error) {
        if (error instanceof Problem) logins.add(1, { result: 'failure' })
        throw error
      }
    },
  })
}

function countEvents(registry: SeriesRegistry, changed: UnleashSeries['recordChanges']): Telemetry['wrapBroadcast'] {
  const events = registry.counter('burgee_events_total', 'Events that this server wrote, by type.')
  let revision: number | undefined
  registry.gauge('burgee_revision', 'Id of the last event that this server has read.', () => revision)
  return (broadcast, lastEvent) => {
    revision = lastEvent
    broadcast.subscribe(
      (heard) => {
        revision = Math.max(revision ?? 0, heard.at(-1)?.id ?? 0)
      },
      (now) => {
        revision = now.id
      },
    )
    const publish = (written: readonly StoredEvent[]) => {
      for (const { type } of written) events.add(1, { type })
      changed(written)
      return broadcast.publish(written)
    }
    return { ...broadcast, publish }
  }
}

function watchUsage(registry: SeriesRegistry, { usage, downloads }: Watched): void {
  const { tally } = usage
  registry.observableCounter(
    'burgee_usage_reports_total',
    'Reports of usage that were accepted.',
    () => tally().reports,
  )
  registry.observableCounter(
    'burgee_usage_dropped_total',
    'Names in reports of usage that were dropped: they cannot be stored, or too many were waiting.',
    () => tally().dropped,
  )
  registry.gauge('burgee_usage_waiting', 'Names in reports of usage that wait to be written.', () => tally().waiting)
  registry.observableCounter(
    'burgee_client_snapshots_total',
    'Assembled downloads.',
    () => downloads.getCacheStats().made,
  )
  registry.gauge(
    'burgee_client_snapshot_bytes',
    'Memory of downloads that are kept.',
    () => downloads.getCacheStats().bytes,
  )
}

function watchImpact(registry: SeriesRegistry, { tally, refusals }: ImpactReports): void {
  registerImpactRefusals(registry, refusals)
  registry.observableCounter(
    'burgee_impact_reports_total',
    'Reports with impact metrics that were accepted.',
    () => tally().reports,
  )
  registry.gauge('burgee_impact_waiting', 'Series of impact metrics that wait to be written.', () => tally().waiting)
}

function watchDocuments(registry: SeriesRegistry, { documents, contact, clock }: Watched): void {
  registry.gauges('burgee_document_revision', 'Last event that the flags in memory hold, by environment.', () =>
    [...documents.statuses()].flatMap(([environment, { revision }]) =>
      revision === undefined ? [] : [[{ environment }, revision.id] as const],
    ),
  )
  registry.gauges(
    'burgee_document_age_seconds',
    'Since when the flags in memory may be behind the database, by environment; 0 while they are not.',
    () => {
      const now = clock()
      return [...documents.statuses()].map(([environment, { behindSinceMs }]) => {
        const sinceMs = Math.min(now, behindSinceMs ?? now, contact().lostSinceMs ?? now)
        return [{ environment }, (now - sinceMs) / MS_PER_SECOND] as const
      })
    },
  )
  registry.gauges(
    'burgee_document_kept',
    'Whether the flags in memory are those that were kept on disk, by environment: 1 until the database was read.',
    () =>
      [...documents.statuses()].map(
        ([environment, { snapshotAsOfMs }]) => [{ environment }, Number(snapshotAsOfMs !== undefined)] as const,
      ),
  )
}

function watchSnapshots(registry: SeriesRegistry, read: () => SnapshotWriterStatus | undefined): void {
  registry.gauge('burgee_kept_timestamp_seconds', 'When what SDKs are served from was written to disk last.', () => {
    const writtenAtMs = read()?.writtenAtMs
    return writtenAtMs === undefined ? undefined : writtenAtMs / MS_PER_SECOND
  })
  registry.gauge('burgee_kept_bytes', 'Size of what is kept on disk for SDKs.', () => read()?.bytes)
  registry.observableCounter('burgee_kept_failures_total', 'Failed writes.', () => read()?.failures ?? 0)
}

function watchSizes(registry: SeriesRegistry, sizes: Retention['sizes']): void {
  registry.gauges('burgee_rows', 'Rows of tables that grow with use, as of the last look, once an hour.', () =>
    [...(sizes()?.rows ?? [])].map(([table, count]) => [{ table }, count] as const),
  )
  registry.gauge('burgee_database_bytes', 'Size of the database, as of the last look.', () => sizes()?.bytes)
}

/** Adds metrics about the PostgreSQL server in use: whether it answers as primary and accepts writes. */
function watchServer(registry: SeriesRegistry, { db, contact }: Watched): void {
  if (db.server === undefined) return
  const server = db.server.bind(db)
  registry.gauges('burgee_database_server_info', 'PostgreSQL primary in use, by cluster and timeline.', () => {
    const { cluster = '', timeline } = server().primary ?? {}
    return [[{ cluster, timeline: String(timeline ?? '') }, 1] as const]
  })
  registry.gauge(
    'burgee_database_silent_seconds',
    'Seconds since the primary last answered the poll for events, which comes twice a second.',
    () => contact().silentMs / MS_PER_SECOND,
  )
  registry.gauge(
    'burgee_database_listening',
    'Whether notifications of changes of other servers arrive: 0 while polling alone finds those changes.',
    () => Number(contact().notificationFailure === undefined),
  )
  registry.gauge('burgee_database_writable', 'Whether changes can be written: 0 while they are refused.', () =>
    Number(server().refusal === undefined && contact().lostSinceMs === undefined),
  )
}

function watchDatabase(registry: SeriesRegistry, { pools }: Database): void {
  if (pools === undefined) return
  registry.gauges('burgee_database_connections', 'Connections by pool and state: busy, idle.', () =>
    pools().flatMap(({ pool, busy, idle }) => [
      [{ pool, state: 'busy' }, busy] as const,
      [{ pool, state: 'idle' }, idle] as const,
    ]),
  )
  registry.gauges('burgee_database_waiting', 'Callers that wait for a connection, by pool.', () =>
    pools().map(({ pool, waiting }) => [{ pool }, waiting] as const),
  )
}
