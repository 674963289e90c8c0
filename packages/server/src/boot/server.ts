import type { AddressInfo } from 'node:net'
import { EventLoopBudget } from '@burgee/kit/event-loop-budget'
import { registerBodySeries } from '@burgee/kit/http/body-budget'
import { toListenError } from '@burgee/kit/http/listening'
import { ReconnectingDatabase } from '@burgee/storage/reconnecting-database'
import { createChangeSchedule } from '../admin/change-requests/request-schedule.ts'
import { loadFiles } from '../admin/config/load-files.ts'
import { warnOfEnabledWithoutStrategy } from '../admin/flags/last-enabled-strategy.ts'
import { createPotentiallyStaleCheck } from '../admin/flags/potentially-stale.ts'
import { createSelfTargetSchedule } from '../admin/flags/self-targets.ts'
import { createDeliveryWatch } from '../admin/fleet/delivery-events.ts'
import { createSearchIndexer } from '../admin/history/search-indexer.ts'
import { createReleaseSchedule } from '../admin/releases/release-schedule.ts'
import { advanceSafeguards, createSafeguardSchedule } from '../admin/releases/safeguard-schedule.ts'
import { createRetention } from '../admin/retention/retention.ts'
import { createTokenSharing } from '../core/access/tokens/token-sharing.ts'
import type { DueSchedule } from '../core/due-schedule.ts'
import { execute } from '../core/execute.ts'
import type { ServerOptions } from '../core/options/options.ts'
import type { ServerWorld } from '../core/server-world.ts'
import { SYSTEM } from '../core/world.ts'
import type { OpenBroadcast } from '../delivery/events/shared-broadcast.ts'
import { SnapshotWriter } from '../delivery/snapshots/snapshot-writer.ts'
import {
  type Boot,
  type BootStorage,
  connectDatabase,
  createStartSteps,
  loadWorld,
  NOT_STARTED,
  openEvents,
  prepareBoot,
  startLate,
} from './boot-steps.ts'
import type { BurgeeServer } from './burgee-server.ts'
import { createAuditExporter, createDeliverer } from './composition.ts'
import { createServerApp } from './server-app.ts'
import type { ServerDeps } from './server-deps.ts'
import { closeAll, type ShutdownParts } from './shutdown.ts'
import { startWhenReachable } from './snapshot-start.ts'
import { seedDemo } from './start/demo.ts'
import type { Start } from './start/first-start.ts'

export type { BurgeeServer } from './burgee-server.ts'
export type { ServerDeps } from './server-deps.ts'

/**
 * Opens the database (and locks its directory if it is embedded), creates the initial content on the first start, and
 * builds the HTTP app. Throws DirectoryInUse, FirstStartError, or errors of the file system or the database; before
 * throwing, closes everything again.
 */
export async function createServer(deps: ServerDeps): Promise<BurgeeServer> {
  const boot = await prepareBoot(deps)
  const database = await connectDatabase(boot)
  let broadcast: OpenBroadcast | undefined
  try {
    broadcast = await openEvents(boot, database)
    return await bootServer(boot, { ...database, broadcast })
  } catch (error) {
    await broadcast?.close()
    await database.db.close().catch((reason: unknown) => deps.logger.error('Cannot close the database', reason))
    throw error
  }
}

/** Runs the start steps, now or once the database can be reached, and builds the server. */
async function bootServer(boot: Boot, storage: BootStorage): Promise<BurgeeServer> {
  const { db, broadcast } = storage
  const { deps, snapshot, runStage, telemetry } = boot
  const { options, deliveries } = deps
  const runStartSteps = createStartSteps(boot, storage)
  const isReachable = !(db instanceof ReconnectingDatabase)
  const start = isReachable ? await runStartSteps() : NOT_STARTED
  const world = await loadWorld(boot, storage)
  const snapshotWriter =
    snapshot.file === undefined ? undefined : new SnapshotWriter({ ...world, broadcast }, snapshot.file)
  const { openTelemetry } = boot
  const parts = {
    options,
    broadcast,
    snapshotWriter,
    openTelemetry,
    deliverer: createDeliverer(world, deliveries),
    auditExporter: createAuditExporter(world, deps),
    pageHosts: deps.pageHosts,
  }
  telemetry.watchSnapshots(() => snapshotWriter?.status)
  if (isReachable) {
    await runStage(() => warnOfEnabledWithoutStrategy(world))
    return toBurgeeServer(world, parts, start)
  }
  const later = startWhenReachable(db, () => broadcast.poll().then(() => startLate(world, runStartSteps)), deps)
  return toBurgeeServer(world, { ...parts, later }, start)
}

/**
 * Returns the address on which a server with the given options would listen. Needs no server, so that the address can
 * be checked before the server exists.
 */
export function getListenAddress({
  port,
  host,
  listenBacklog,
}: Pick<ServerOptions, 'port' | 'host' | 'listenBacklog'>) {
  return { port, host, backlog: listenBacklog, portNames: 'PORT, --port', hostNames: 'HTTP_HOST, --host' }
}

/** Components of a server that are not part of its `World`. */
interface ServerParts
  extends Pick<
    ShutdownParts,
    'options' | 'broadcast' | 'snapshotWriter' | 'openTelemetry' | 'deliverer' | 'auditExporter'
  > {
  /** Start steps that run once the database can be reached; undefined if the start is complete. */
  readonly later?: Promise<Start | undefined>
  readonly pageHosts: ServerDeps['pageHosts']
}

/**
 * Checks the safeguards that use the reported metrics at once. Never rejects: a failed check stays due at its usual
 * time.
 */
async function advanceChecks(
  world: ServerWorld,
  safeguards: DueSchedule,
  written: Parameters<typeof advanceSafeguards>[1],
): Promise<void> {
  try {
    if (await advanceSafeguards(world, written)) safeguards.wake()
  } catch (error) {
    world.logger.warn('Cannot check the safeguards of reported metrics at once', error)
  }
}

/** Jobs that run next to the requests, from `listen` until the server closes. */
function createJobs(world: ServerWorld, parts: ServerParts) {
  const { options, deliverer, auditExporter, snapshotWriter, openTelemetry } = parts
  const retention = createRetention(world, options)
  const searchIndexer = createSearchIndexer(world)
  const staleJob = createPotentiallyStaleCheck(world, world.changeCounters.invalidate)
  const deliveryWatch = createDeliveryWatch(world, options.deliveryOverdueMinutes)
  const releases = createReleaseSchedule(world)
  const safeguards = createSafeguardSchedule(world, () => releases.run())
  const schedules = [createChangeSchedule(world), safeguards, releases, createSelfTargetSchedule(world)]
  const tokenSharing = createTokenSharing(world)
  world.impactReports.onWritten((written) => advanceChecks(world, safeguards, written))
  world.telemetry.watchSizes(retention.sizes)
  return {
    retention,
    searchIndexer,
    staleJob,
    deliveryWatch,
    schedules,
    tokenSharing,
    start() {
      staleJob.start()
      deliveryWatch.start()
      retention.start()
      searchIndexer.start()
      tokenSharing.start()
      for (const schedule of schedules) schedule.start()
      deliverer.start()
      auditExporter?.start()
      snapshotWriter?.start()
      openTelemetry?.start()
    },
  }
}

function toBurgeeServer(world: ServerWorld, parts: ServerParts, { isNew, login: firstLogin }: Start): BurgeeServer {
  const { options, later = Promise.resolve(undefined) } = parts
  let isDraining = false
  const { start: startJobs, ...jobs } = createJobs(world, parts)
  const { sizes } = jobs.retention
  const { app, routes } = createServerApp(world, options, {
    isDraining: () => isDraining,
    sizes,
    tracer: parts.openTelemetry?.tracing,
    pageHosts: parts.pageHosts,
  })
  registerBodySeries(world.telemetry.registry, app.bodies)
  let closing: Promise<void> | undefined
  return {
    app,
    routes,
    firstLogin,
    isNew,
    lateLogin: later.then((begun) => begun?.login),
    async listen() {
      const at = getListenAddress(options)
      if (parts.later === undefined) await world.documents.readInUse()
      await app.listen(at).catch((error: unknown) => {
        throw toListenError(error, at)
      })
      void later.then(() => {
        if (closing === undefined) startJobs()
      })
      const { port } = app.server.address() as AddressInfo
      return { url: `http://localhost:${port}${options.baseUriPath}`, port }
    },
    drain() {
      isDraining = true
      app.drain()
      world.streams.drain(options.shutdownDelay * 1000)
    },
    close() {
      isDraining = true
      closing ??= closeAll(app, { ...parts, ...jobs, world })
      return closing
    },
    ...createInProcessUse(world),
    markOverdue: () => jobs.staleJob.run(),
    watchDelivery: () => jobs.deliveryWatch.run(),
    removeOld: () => jobs.retention.run(),
    applyDue: async () => {
      for (const schedule of jobs.schedules) await schedule.run()
    },
    flush: async () => {
      await Promise.all([world.usage.flush(), world.impactReports.flush()])
    },
    seedDemo: () => seedDemo(world),
    loadFiles: (order) => execute(world, SYSTEM, loadFiles, { ...order, budget: new EventLoopBudget() }),
  }
}

/** Functions for a proxy in the same process, which needs no HTTP. */
function createInProcessUse(
  world: ServerWorld,
): Pick<BurgeeServer, 'features' | 'recordImpact' | 'onChange' | 'recordMetrics' | 'seen'> {
  return {
    async features(wanted) {
      const { revision, features, segments } = await world.downloads.get(wanted, false)
      return { revision, document: { version: 2, features: [...features()], segments: [...segments] } }
    },
    async recordImpact(scope, rows) {
      world.impactReports.addRows(scope, rows)
    },
    onChange: (listener) => world.documents.subscribe(() => listener()),
    async recordMetrics({ environment, projects }, appName, bucket) {
      const key = `in process ${environment} ${projects.join()}`
      const reporter = { key, environment, projects, isPublic: true }
      world.usage.count(reporter, appName, bucket)
    },
    seen: (scope) => world.traffic.listener(scope),
  }
}
