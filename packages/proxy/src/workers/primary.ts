import { freePort } from '@burgee/kit/free-port'
import type { Logger } from '@burgee/kit/log/logger'
import { SeriesRegistry } from '@burgee/kit/series/series'
import { Intake } from '@burgee/serving/document/intake'
import { type ProxyEnvironment, readSetting, type Setting } from '../proxy-setup.ts'
import { connectHttp, UPSTREAM_TIMEOUT_MS } from '../upstream/connection.ts'
import { Bridge } from '../upstream/startup-configuration.ts'
import { MetricsBucket } from '../usage/metrics-bucket.ts'
import { Reporter } from '../usage/reporter.ts'
import { handOver, seriesOfDelivery, seriesOfDropped, upstreamFailuresOf } from '../usage/usage-series.ts'
import { Hub } from './worker-coordinator.ts'
import { Crew, type WorkerProcess } from './worker-pool.ts'

/** A proxy of several processes that listens. */
export interface StartedPrimary {
  readonly port: number
  readonly logger: Logger
  /** Every process reads its secrets again. Throws OptionsError; then those before stay in use. */
  reloadSecrets(): void
  close(): Promise<void>
}

/** How many workers, and how to get one. */
export interface WorkerSupply {
  readonly count: number
  readonly fork: () => WorkerProcess
}

/** How much of what a killed worker has counted of itself may be missing in the series. */
const SERIES_INTERVAL_MS = 5000

/**
 * Runs the process that keeps several workers: it alone talks to the upstream, keeps the backup and delivers the counts
 * of all. Rejects with OptionsError for a bad option, and when the port is taken.
 */
export async function startPrimary(supply: WorkerSupply, environment: ProxyEnvironment): Promise<StartedPrimary> {
  const setting = await readSetting({}, environment)
  const { port, host } = setting.options
  // all workers must listen on the same port, one that comes later too
  const parts = buildParts(setting, supply, port === 0 ? await freePort(host) : port)
  const { hub, crew, connection, reporter, bridge, failures } = parts
  void bridge.load()
  connection.source.start({
    accept: (document) => {
      const taken = hub.replace(document, 'upstream')
      if (taken !== undefined) bridge.save(taken)
    },
    confirm: () => hub.confirm(),
    fail: (error) => {
      failures.add(1, { kind: 'features' })
      hub.fail(error)
    },
  })
  const reading = setInterval(() => void hub.readSeries(), SERIES_INTERVAL_MS)
  const close = async () => {
    clearInterval(reading)
    await connection.source.stop()
    await crew.close()
    await handOver(reporter, bridge)
    await connection.close()
  }
  let closing: Promise<void> | undefined
  const closeOnce = () => {
    closing ??= close()
    return closing
  }
  try {
    return {
      port: await crew.start(),
      logger: setting.logger,
      reloadSecrets: () => reload(setting, parts),
      close: closeOnce,
    }
  } catch (error) {
    await closeOnce()
    throw error
  }
}

function reload({ readSecrets, logger }: Setting, { hub, connection }: ReturnType<typeof buildParts>): void {
  readSecrets()
  hub.reload()
  connection.source.refresh?.()
  logger.warn('Client keys and tokens were read again')
}

function buildParts(setting: Setting, { count, fork }: WorkerSupply, port: number) {
  const { plugins, readSecrets: _reload, ...common } = setting
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
  const hub: Hub = new Hub({ workers: count, port, intake, bucket, registry, onReady: () => reporter.start() })
  const bridgeDeps = { options, repository: hub, dispatcher: connection.dispatcher, logger }
  const bridge = new Bridge({ ...bridgeDeps, timeoutMs: UPSTREAM_TIMEOUT_MS })
  const crew: Crew = new Crew({ count, fork, join: (channel) => hub.join(channel), logger, clock })
  addSeries(registry, { crew, reporter, bucket })
  return { hub, crew, connection, reporter, bridge, failures }
}

function addSeries(
  registry: SeriesRegistry,
  { crew, reporter, bucket }: { readonly crew: Crew; readonly reporter: Reporter; readonly bucket: MetricsBucket },
): void {
  registry.gauge('burgee_proxy_workers', 'Worker processes that are alive.', () => crew.size)
  registry.counterOf(
    'burgee_proxy_worker_replacements_total',
    'Workers that took the place of one that had ended.',
    () => crew.replacements,
  )
  seriesOfDelivery(registry, () => reporter.deliveredAtMs)
  seriesOfDropped(registry, bucket)
}
