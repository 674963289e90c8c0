import type { SeenReply } from '@burgee/kit/http/app'
import { CacheSeries } from '@burgee/kit/series/cache-series'
import { registerProcessSeries } from '@burgee/kit/series/process-series'
import { type Counter, SeriesRegistry, type SeriesSnapshot } from '@burgee/kit/series/series'
import type { EventStreams } from '@burgee/kit/streams/event-streams'
import { registerStreamSeries } from '@burgee/kit/streams/stream-series'
import type { Deltas } from '@burgee/serving/sdk/deltas'
import type { Downloads } from '@burgee/serving/sdk/downloads'
import type { FlagStreams } from '@burgee/serving/sdk/flag-streams'
import type { QueryOutcome } from '@burgee/storage/database'
import { watchQueuedDeliveries } from '../admin/integrations/delivery-series.ts'
import { createFigures, type FigureDeps } from '../admin/projects/figures.ts'
import type { Retention } from '../admin/retention/retention.ts'
import { watchDocuments } from '../delivery/documents/document-series.ts'
import type { Documents } from '../delivery/documents/documents.ts'
import type { DatabaseContact } from '../delivery/events/database-contact.ts'
import { countDeliveries, countEvents, countPropagation } from '../delivery/events/event-series.ts'
import type { OpenBroadcast } from '../delivery/events/shared-broadcast.ts'
import type { FleetBook } from '../delivery/fleet/fleet-book.ts'
import { registerFleetSeries } from '../delivery/fleet/fleet-series.ts'
import type { ImpactReports } from '../delivery/impact/impact-reports.ts'
import { watchSnapshots } from '../delivery/snapshots/snapshot-series.ts'
import type { SnapshotWriterStatus } from '../delivery/snapshots/snapshot-writer.ts'
import type { Usage } from '../delivery/usage/usage-buffer.ts'
import { watchImpact, watchUsage } from '../delivery/usage/usage-series.ts'
import { countLogins } from './access/logins/login-series.ts'
import type { Sessions } from './access/logins/sessions.ts'
import type { Administration } from './administration.ts'
import { countQueries, watchDatabase, watchServer } from './database-series.ts'
import { createReplyRecorder } from './http/reply-series.ts'
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
  /** Returns the current values of all metrics, as `text` does. */
  snapshot(): Promise<readonly SeriesSnapshot[]>
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
    async snapshot() {
      await established.refresh()
      return registry.snapshot()
    },
    evaluations: registry.counter(
      'burgee_frontend_evaluations_total',
      'Flags evaluated for front ends, by environment.',
    ),
    downloads: registry.counter('burgee_client_downloads_total', 'Downloads of SDKs by environment and result.'),
    uiErrors: registry.counter('burgee_ui_errors_total', 'Errors reported by user interfaces.'),
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
      watchServer(registry, parts.db, parts.contact)
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

function watchSizes(registry: SeriesRegistry, sizes: Retention['sizes']): void {
  registry.gauges('burgee_rows', 'Rows of tables that grow with use, as of the last hourly measurement.', () =>
    [...(sizes()?.rows ?? [])].map(([table, count]) => [{ table }, count] as const),
  )
  registry.gauge(
    'burgee_database_bytes',
    'Size of the database, as of the last hourly measurement.',
    () => sizes()?.bytes,
  )
}
