import { type AddressInfo, createServer } from 'node:net'
import { Listener } from '@burgee/kit/http/listener'
import type { Logger } from '@burgee/kit/log/logger'
import { SeriesRegistry } from '@burgee/kit/series/series'
import { shutdownTimes } from '@burgee/kit/shutdown-times'
import { Intake } from '@burgee/serving/document/intake'
import { listenOn } from '../listening.ts'
import { type ProxyEnvironment, type ProxySetup, readProxySetup } from '../proxy-setup.ts'
import { connectHttp, UPSTREAM_TIMEOUT_MS } from '../upstream/connection.ts'
import { StartupConfiguration } from '../upstream/startup-configuration.ts'
import { deliverLast } from '../usage/last-delivery.ts'
import { MetricsBucket } from '../usage/metrics-bucket.ts'
import { Reporter } from '../usage/reporter.ts'
import { seriesOfDelivery, seriesOfDropped, seriesOfFollowing, upstreamFailuresOf } from '../usage/usage-series.ts'
import { ConnectionDispatcher } from './connection-dispatcher.ts'
import { WorkerCoordinator } from './worker-coordinator.ts'
import { WorkerPool, type WorkerPoolDeps, type WorkerProcess } from './worker-pool.ts'

/** A proxy of several processes that listens. */
export interface StartedPrimary {
  readonly port: number
  readonly logger: Logger
  /** Seconds between `drain` and `close` that the options ask for. */
  readonly shutdownDelay: number
  /** Every process reads its secrets again. Throws OptionsError; then those before stay in use. */
  reloadSecrets(): void
  /** No process is ready any more, and each reply is the last of its connection; listening goes on. */
  drain(): void
  close(): Promise<void>
}

/** How many workers, and how to get one. */
export interface WorkerSupply {
  readonly count: number
  readonly fork: () => WorkerProcess
}

/** How often the series of workers are read: what a killed worker counted since then is missing in the series. */
const SERIES_INTERVAL_MS = 5000

/**
 * Runs the process that keeps several workers: it alone accepts connections, talks to the upstream, keeps the backup and delivers the counts
 * of all. Rejects with OptionsError for a bad option, and when the port is taken.
 */
export async function startPrimary(supply: WorkerSupply, environment: ProxyEnvironment): Promise<StartedPrimary> {
  const setup = await readProxySetup({}, environment)
  const { shutdownDelay } = setup.options
  const parts = buildParts(setup, supply)
  const { coordinator, dispatcher, pool, connection, reporter, startup, failures } = parts
  const server = createServer({ pauseOnConnect: true }, (socket) => dispatcher.take(socket))
  const listener = new Listener(server)
  void startup.load()
  connection.source.start({
    accept: (document) => {
      const taken = coordinator.replace(document, 'upstream')
      if (taken !== undefined) startup.save(taken)
    },
    confirm: () => coordinator.confirm(),
    fail: (error) => {
      failures.add(1, { kind: 'features' })
      coordinator.fail(error)
    },
  })
  const reading = setInterval(() => void coordinator.readSeries(), SERIES_INTERVAL_MS)
  const close = async () => {
    clearInterval(reading)
    // the copies of connections that this process has do not matter
    void listener.close()
    await connection.source.stop()
    await pool.close()
    dispatcher.close()
    await deliverLast(reporter, startup, shutdownTimes(shutdownDelay).flushMs)
    await connection.close()
  }
  let closing: Promise<void> | undefined
  const closeOnce = () => {
    closing ??= close()
    return closing
  }
  try {
    await listenOn(listener, setup.options)
    const port = (server.address() as AddressInfo).port
    await pool.start()
    return {
      port,
      logger: setup.logger,
      shutdownDelay,
      drain: () => {
        pool.drain()
        coordinator.drain()
      },
      reloadSecrets: () => reload(setup, parts),
      close: closeOnce,
    }
  } catch (error) {
    await closeOnce()
    throw error
  }
}

function reload({ readSecrets, logger }: ProxySetup, { coordinator, connection }: ReturnType<typeof buildParts>): void {
  readSecrets()
  coordinator.reload()
  connection.source.refresh?.()
  logger.warn('Client keys and tokens were read again')
}

function buildParts(setup: ProxySetup, { count, fork }: WorkerSupply) {
  const { plugins, readSecrets: _reload, ...common } = setup
  const { options, logger, clock, random } = common
  const connection = connectHttp({ ...common, strategyNames: plugins.strategies.map(({ name }) => name) })
  const registry = new SeriesRegistry()
  const bucket = new MetricsBucket(clock, options.metricsInterval === 0)
  const failures = upstreamFailuresOf(registry)
  const reporter: Reporter = new Reporter({
    ...{ bucket, sink: connection.sink, random, clock, logger },
    intervalMs: options.metricsInterval,
    jitterMs: options.metricsJitter,
    onFailure: (kind) => failures.add(1, { kind }),
  })
  const intake = new Intake({ logger, projectName: options.projectName })
  const coordinator: WorkerCoordinator = new WorkerCoordinator({
    workers: count,
    intake,
    bucket,
    registry,
    onReady: () => reporter.start(),
  })
  const startupDeps = { options, repository: coordinator, dispatcher: connection.dispatcher, logger }
  const startup = new StartupConfiguration({ ...startupDeps, timeoutMs: UPSTREAM_TIMEOUT_MS })
  const { graceMs, freeMs } = shutdownTimes(options.shutdownDelay)
  const dispatcher = new ConnectionDispatcher()
  const join: WorkerPoolDeps['join'] = (channel) => {
    const leaves = [coordinator.join(channel), dispatcher.join(channel)]
    return () => {
      for (const leave of leaves) leave()
    }
  }
  const pool: WorkerPool = new WorkerPool({ count, fork, join, logger, clock, stopLimitMs: graceMs + freeMs })
  addSeries(registry, { pool, reporter, bucket })
  seriesOfFollowing(registry, connection.source)
  return { coordinator, dispatcher, pool, connection, reporter, startup, failures }
}

function addSeries(
  registry: SeriesRegistry,
  {
    pool,
    reporter,
    bucket,
  }: { readonly pool: WorkerPool; readonly reporter: Reporter; readonly bucket: MetricsBucket },
): void {
  registry.gauge('burgee_proxy_workers', 'Worker processes that are alive.', () => pool.size)
  registry.counterOf(
    'burgee_proxy_worker_replacements_total',
    'Workers that took the place of one that had ended.',
    () => pool.replacements,
  )
  seriesOfDelivery(registry, () => reporter.deliveredAtMs)
  seriesOfDropped(registry, bucket)
}
