import type { App } from '@burgee/kit/http/app'
import type { OpenTelemetry } from '@burgee/kit/otel/collector-connection'
import { getShutdownTimes } from '@burgee/kit/shutdown-times'
import { withTimeout } from '@burgee/kit/with-timeout'
import type { AuditExporter } from '../admin/audit-export/audit-exporter.ts'
import type { PotentiallyStaleCheck } from '../admin/flags/potentially-stale.ts'
import type { DeliveryWatch } from '../admin/fleet/delivery-events.ts'
import type { SearchIndexer } from '../admin/history/search-indexer.ts'
import type { Deliverer } from '../admin/integrations/deliverer.ts'
import type { Retention } from '../admin/retention/retention.ts'
import type { TokenSharing } from '../core/access/tokens/token-sharing.ts'
import type { DueSchedule } from '../core/due-schedule.ts'
import type { ServerOptions } from '../core/options/options.ts'
import type { ServerWorld } from '../core/server-world.ts'
import type { OpenBroadcast } from '../delivery/events/shared-broadcast.ts'
import type { SnapshotWriter } from '../delivery/snapshots/snapshot-writer.ts'

/** Parts of a server that `closeAll` closes. */
export interface ShutdownParts {
  readonly options: ServerOptions
  readonly world: ServerWorld
  readonly broadcast: OpenBroadcast
  /** Undefined if snapshots are disabled. */
  readonly snapshotWriter: SnapshotWriter | undefined
  /** Undefined if the options name no collector. */
  readonly openTelemetry: OpenTelemetry | undefined
  readonly staleJob: PotentiallyStaleCheck
  readonly deliveryWatch: DeliveryWatch
  readonly retention: Retention
  readonly searchIndexer: SearchIndexer
  /** Schedules of change requests and release plans. */
  readonly schedules: readonly DueSchedule[]
  readonly tokenSharing: TokenSharing
  readonly deliverer: Deliverer
  /** Undefined if the options name no receiver of events. */
  readonly auditExporter: AuditExporter | undefined
}

/**
 * Closes a server. Always finishes: the app aborts requests that exceed the time limit, and does not wait for a
 * database that does not respond.
 */
export async function closeAll(app: Pick<App, 'close'>, parts: ShutdownParts): Promise<void> {
  const { world, options, openTelemetry } = parts
  const { flushMs, freeMs } = getShutdownTimes(options.shutdownDelay)
  const { logger, telemetry } = world
  world.debug?.('Stopping: accepting no further requests')
  world.adminEvents.close()
  world.fleet.close()
  world.testRuns.close()
  world.traffic.close()
  await app.close()
  world.security?.close()
  await withTimeout(flushMs, writeLast(parts)).catch((error) =>
    logger.error('Cannot write the last usage counts', error),
  )
  await openTelemetry?.close()
  telemetry.close()
  await withTimeout(freeMs, freeDatabase(parts)).catch((error) => logger.error('Cannot close the database', error))
}

/** Stops the background work, and writes what it has left in memory. */
async function writeLast(parts: ShutdownParts): Promise<void> {
  const { world, snapshotWriter, staleJob, deliveryWatch, retention, searchIndexer } = parts
  const { schedules, tokenSharing, deliverer, auditExporter } = parts
  const { logger, usage, impactReports, failedLogins, logins } = world
  const hasStopped = Promise.all([
    retention.close(),
    searchIndexer.close(),
    tokenSharing.close(),
    ...schedules.map((schedule) => schedule.close()),
    deliverer.close(),
    auditExporter?.close(),
    world.mails?.close(),
  ])
  await Promise.all([staleJob.close(), deliveryWatch.close()])
  await Promise.all([failedLogins.settled(), logins.settled()])
  await Promise.all([usage.close(), impactReports.close(), snapshotWriter?.close()])
  const { waiting } = impactReports.tally()
  if (waiting > 0) logger.warn(`${waiting} metrics and series of impact metrics were not written`)
  await hasStopped
}

async function freeDatabase({ world, broadcast }: ShutdownParts): Promise<void> {
  world.flagStreams.close()
  world.favorites.close()
  world.flagOrigins.close()
  await Promise.all([world.documents.close(), world.catalog.close()])
  await broadcast.close().finally(() => world.db.close())
}
