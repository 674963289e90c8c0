import { listenOn } from '@burgee/kit/http/listening'
import type { OptionSources } from '@burgee/kit/options/options'
import { addProcessSeries } from '@burgee/kit/series/process-series'
import { shutdownTimes } from '@burgee/kit/shutdown-times'
import { GroupCoordinator } from '@burgee/kit/workers/group-coordinator'
import { createWorkerGroup, type WorkerSupply } from '@burgee/kit/workers/worker-group'
import { warnOfDescriptors } from '@burgee/serving/sdk/bounded-streams'
import { BUILD, listenAt } from '../edge.ts'
import { refuseOtherTokens, type StartedEdge } from '../edge-process.ts'
import { isJsonLog, readEdgeSetup } from '../edge-setup.ts'
import { loadEdgeOptions } from '../options.ts'
import { openNewsDesk } from './edge-news.ts'
import type { EdgeNews, EdgeQuestion } from './messages.ts'
import { tokenFailureOf } from './mirrored-tokens.ts'

/** Number of workers, and how to start one. */
export type EdgeWorkerSupply = WorkerSupply<EdgeNews, EdgeQuestion>

/**
 * Runs the primary process of a node with workers. It alone accepts connections, calls the upstream, stores the state
 * and delivers reports. Rejects with OptionsError for a bad option, and with ListenError.
 */
export async function startEdgePrimary(supply: EdgeWorkerSupply, sources: OptionSources): Promise<StartedEdge> {
  const { options, registry, parts, logger, monotonic } = readEdgeSetup(sources)
  const process = addProcessSeries(registry, BUILD)
  const { tokens, environments, profile, usage, isReady } = parts
  warnOfDescriptors({ maxStreams: options.maxStreams, variable: 'FLAG_MAX_STREAMS', logger })
  const coordinator: GroupCoordinator<EdgeNews, EdgeQuestion> = new GroupCoordinator({
    workers: supply.count,
    registry,
    failureOf: tokenFailureOf,
    onReady: () => {},
    news: () => desk.news(),
    answer: (question) => desk.answer(question),
  })
  const { fetching } = tokens
  const desk = openNewsDesk({ tokens, environments, profile, fetching, usage, isReady }, (news) =>
    coordinator.tell(news),
  )
  const { graceMs, freeMs } = shutdownTimes(options.shutdownDelay)
  const workers = createWorkerGroup({
    supply,
    coordinator,
    registry,
    seriesPrefix: 'burgee_edge',
    logger,
    monotonic,
    stopLimitMs: graceMs + freeMs,
    listen: (listener) => listenOn(listener, listenAt(options)),
  })
  const close = async () => {
    workers.shut()
    await workers.close()
    desk.close()
    process.close()
    await parts.close()
  }
  let closing: Promise<void> | undefined
  const closeOnce = () => {
    closing ??= close()
    return closing
  }
  try {
    parts.start()
    const port = await workers.start()
    return {
      url: `http://localhost:${port}`,
      port,
      isReady,
      logger,
      isJsonLog: isJsonLog(options),
      shutdownDelay: options.shutdownDelay,
      reloadSecrets: () => {
        const next = loadEdgeOptions(sources).options
        coordinator.reload()
        environments.refresh()
        logger.warn('Client keys were read again')
        refuseOtherTokens(options, next)
      },
      drain: () => workers.drain(),
      close: closeOnce,
    }
  } catch (error) {
    await closeOnce()
    throw error
  }
}
