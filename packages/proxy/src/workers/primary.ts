import { listenOn } from '@burgee/kit/http/listening'
import type { Logger } from '@burgee/kit/log/logger'
import { SeriesRegistry } from '@burgee/kit/series/series'
import { getShutdownTimes } from '@burgee/kit/shutdown-times'
import { GroupCoordinator } from '@burgee/kit/workers/group-coordinator'
import { createWorkerGroup, type WorkerSupply } from '@burgee/kit/workers/worker-group'
import { DocumentFilter } from '@burgee/serving/document/document-filter'
import { getImpactLimits } from '@burgee/serving/impact/impact-options'
import { registerImpactRefusals } from '@burgee/serving/impact/impact-series'
import { warnAboutDescriptors } from '@burgee/serving/sdk/bounded-streams'
import { getListenAddress } from '../listen-settings.ts'
import { type ProxyEnvironment, type ProxySetup, readSetupWithWarnings } from '../proxy-setup.ts'
import { openProxyTelemetry } from '../proxy-telemetry.ts'
import { connectHttp, UPSTREAM_TIMEOUT_MS } from '../upstream/connection.ts'
import { StartupConfiguration } from '../upstream/startup-configuration.ts'
import { deliverLast } from '../usage/last-delivery.ts'
import { MetricsBucket } from '../usage/metrics-bucket.ts'
import { Reporter } from '../usage/reporter.ts'
import {
  createUpstreamFailureCounter,
  registerDeliverySeries,
  registerDropSeries,
  registerFollowingSeries,
} from '../usage/usage-series.ts'
import { ConfigurationPublisher } from './configuration-publisher.ts'
import type { ProxyQuestion, WorkerUpdate } from './proxy-messages.ts'

/** A listening proxy with several processes. */
export interface StartedPrimary {
  readonly port: number
  readonly logger: Logger
  /** Configured time between `drain` and `close`, in seconds. */
  readonly shutdownDelay: number
  /**
   * Reloads secrets in every process. Throws OptionsError if a secret is invalid; in that case, the current secrets
   * stay in use.
   */
  reloadSecrets(): void
  /** Makes every process report not ready and send `Connection: close`. Listening continues. */
  drain(): void
  close(): Promise<void>
}

/** Number of workers, and the function that forks a worker. */
export type ProxyWorkerSupply = WorkerSupply<WorkerUpdate, ProxyQuestion>

/**
 * Starts the primary process of several workers. Only this process accepts connections, talks to the upstream, stores
 * the backup and delivers the counts of all workers. Rejects with OptionsError for an invalid option, or with an error
 * if the port is taken.
 */
export async function startPrimary(supply: ProxyWorkerSupply, environment: ProxyEnvironment): Promise<StartedPrimary> {
  const setup = await readSetupWithWarnings({}, environment)
  const { shutdownDelay } = setup.options
  const telemetry = await openProxyTelemetry({ ...setup, getSeries: () => parts.registry })
  const parts = buildParts(setup, supply)
  const { configuration, workers, connection, reporter, startup, failures } = parts
  void startup.load()
  connection.source.start({
    accept: (document) => {
      const taken = configuration.replace(document, 'upstream')
      if (taken !== undefined) startup.save(taken)
    },
    confirm: () => configuration.confirm(),
    fail: (error) => {
      failures.add(1, { kind: 'features' })
      configuration.fail(error)
    },
  })
  const close = async () => {
    workers.shut()
    await connection.source.stop()
    await workers.close()
    await deliverLast(reporter, startup, getShutdownTimes(shutdownDelay).flushMs)
    await connection.close()
    await telemetry.close()
  }
  let closing: Promise<void> | undefined
  const closeOnce = () => {
    closing ??= close()
    return closing
  }
  try {
    const port = await workers.start()
    telemetry.start()
    const { logger } = setup
    const reloadSecrets = () => reload(setup, parts)
    return { port, logger, shutdownDelay, drain: () => workers.drain(), reloadSecrets, close: closeOnce }
  } catch (error) {
    await closeOnce()
    throw error
  }
}

function reload({ readSecrets, logger }: ProxySetup, { coordinator, connection }: ReturnType<typeof buildParts>): void {
  readSecrets()
  coordinator.reload()
  connection.source.refresh?.()
  logger.warn('Reloaded client keys and tokens')
}

function buildParts(setup: ProxySetup, supply: ProxyWorkerSupply) {
  const { plugins, readSecrets: _reload, ...common } = setup
  const { options, logger, clock, monotonic, random } = common
  const connection = connectHttp({ ...common, strategyNames: plugins.strategies.map(({ name }) => name) })
  const registry = new SeriesRegistry()
  warnAboutDescriptors({ maxStreams: options.maxStreams, variable: 'FLAG_MAX_STREAMS', logger })
  const bucket = new MetricsBucket(clock, {
    isOff: options.metricsInterval === 0,
    impactLimits: getImpactLimits(options),
  })
  const failures = createUpstreamFailureCounter(registry)
  const reporter: Reporter = new Reporter({
    bucket,
    sink: connection.sink,
    random,
    clock,
    monotonic,
    logger,
    intervalMs: options.metricsInterval,
    jitterMs: options.metricsJitter,
    onFailure: (kind) => failures.add(1, { kind }),
  })
  const coordinator: GroupCoordinator<WorkerUpdate, ProxyQuestion> = new GroupCoordinator({
    workers: supply.count,
    registry,
    initialUpdates: () => configuration.initialUpdates,
    answer: (question) => {
      if (question.kind === 'impact') bucket.addImpactRows(question.rows)
      else bucket.restore(question.payload, question.owners)
    },
    onReady: () => reporter.start(),
  })
  const intake = new DocumentFilter({ logger, projectName: options.projectName })
  const configuration = new ConfigurationPublisher(intake, connection.profile, (news) => coordinator.broadcast(news))
  const { dispatcher, profile, sourceHash } = connection
  const startup = new StartupConfiguration({
    options,
    repository: configuration,
    profile,
    dispatcher,
    sourceHash,
    logger,
    timeoutMs: UPSTREAM_TIMEOUT_MS,
  })
  const { graceMs, freeMs } = getShutdownTimes(options.shutdownDelay)
  const workers = createWorkerGroup({
    supply,
    coordinator,
    registry,
    seriesPrefix: 'burgee_proxy',
    logger,
    monotonic,
    stopLimitMs: graceMs + freeMs,
    listen: (listener) => listenOn(listener, getListenAddress(options)),
  })
  registerDeliverySeries(registry, () => reporter.deliveredAtMs)
  registerDropSeries(registry, bucket)
  registerImpactRefusals(registry, bucket.refusals)
  registerFollowingSeries(registry, connection.source)
  return { coordinator, configuration, workers, connection, reporter, startup, failures, registry }
}
