import { listenOn } from '@burgee/kit/http/listening'
import type { OptionSources } from '@burgee/kit/options/options'
import { registerProcessSeries } from '@burgee/kit/series/process-series'
import { getShutdownTimes } from '@burgee/kit/shutdown-times'
import { GroupCoordinator } from '@burgee/kit/workers/group-coordinator'
import { createWorkerGroup, type WorkerSupply } from '@burgee/kit/workers/worker-group'
import { warnAboutDescriptors } from '@burgee/serving/sdk/bounded-streams'
import { BUILD, getListenAddress } from '../edge.ts'
import { rejectChangedTokens, type StartedEdge } from '../edge-process.ts'
import { type EdgeSetup, isJsonLog, openEdgeTelemetry, readEdgeSetup } from '../edge-setup.ts'
import { loadEdgeOptions } from '../options.ts'
import type { WorkerRequest, WorkerUpdate } from './edge-messages.ts'
import { toTokenFailure } from './mirrored-tokens.ts'
import { startUpdatePublisher } from './update-publisher.ts'

/** Number of workers, and the function that starts one. */
export type EdgeWorkerSupply = WorkerSupply<WorkerUpdate, WorkerRequest>

/**
 * Runs the primary process of a node with workers. Only the primary process accepts connections, calls the upstream,
 * stores the state and delivers reports. Rejects with OptionsError for an invalid option, and with ListenError if the
 * port is unavailable.
 */
export async function startEdgePrimary(supply: EdgeWorkerSupply, sources: OptionSources): Promise<StartedEdge> {
  const setup = readEdgeSetup(sources)
  const { options, identity, registry, parts, logger, clock, monotonic } = setup
  const openTelemetry = await openEdgeTelemetry({ options, identity, registry, logger, clock })
  const process = registerProcessSeries(registry, BUILD)
  const { tokens, environments, profile, usage, holdings, isReady } = parts
  warnAboutDescriptors({ maxStreams: options.maxStreams, variable: 'FLAG_MAX_STREAMS', logger })
  const coordinator: GroupCoordinator<WorkerUpdate, WorkerRequest> = new GroupCoordinator({
    workers: supply.count,
    registry,
    toFailure: toTokenFailure,
    onReady: () => {},
    initialUpdates: () => desk.listInitialUpdates(),
    answer: (question) => desk.handleRequest(question),
  })
  const { fetching } = tokens
  const desk = startUpdatePublisher({ tokens, environments, profile, fetching, usage, holdings, isReady }, (news) =>
    coordinator.broadcast(news),
  )
  const { graceMs, freeMs } = getShutdownTimes(options.shutdownDelay)
  const workers = createWorkerGroup({
    supply,
    coordinator,
    registry,
    seriesPrefix: 'burgee_edge',
    logger,
    monotonic,
    stopLimitMs: graceMs + freeMs,
    listen: (listener) => listenOn(listener, getListenAddress(options)),
  })
  const closeOnce = once(async () => {
    workers.shut()
    await workers.close()
    desk.close()
    process.close()
    await parts.close()
    await openTelemetry?.close()
  })
  try {
    parts.start()
    const port = await workers.start()
    openTelemetry?.start()
    return {
      url: `http://localhost:${port}`,
      port,
      isReady,
      logger,
      isJsonLog: isJsonLog(options),
      shutdownDelay: options.shutdownDelay,
      reloadSecrets: () => reloadSecrets(setup, sources, coordinator),
      drain: () => workers.drain(),
      close: closeOnce,
    }
  } catch (error) {
    await closeOnce()
    throw error
  }
}

/** Reads the client keys again, in all workers. Throws OptionsError if another option has changed. */
function reloadSecrets(
  { options, parts, logger }: EdgeSetup,
  sources: OptionSources,
  coordinator: Pick<GroupCoordinator<WorkerUpdate, WorkerRequest>, 'reload'>,
): void {
  const next = loadEdgeOptions(sources).options
  coordinator.reload()
  parts.environments.refresh()
  logger.warn('Reloaded client keys')
  rejectChangedTokens(options, next)
}

/** Returns a function that runs `close` at its first call, and returns the same promise at every call. */
function once(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined
  return () => {
    closing ??= close()
    return closing
  }
}
