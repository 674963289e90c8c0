import cluster from 'node:cluster'
import type { Logger } from '@burgee/kit/log/logger'
import { getShutdownTimes } from '@burgee/kit/shutdown-times'
import { loadOptions } from '@burgee/proxy/options'
import { startProxyProcess } from '@burgee/proxy/proxy-process'
import { startPrimary } from '@burgee/proxy/workers/primary'
import { startWorker } from '@burgee/proxy/workers/worker'
import { announce } from './announce.ts'
import type { RunningService } from './running.ts'
import { channelToPrimary, forkWorker, killWorkersAtExit } from './worker-process.ts'

/**
 * Runs `burgee proxy`: a proxy in front of the configured upstream. If several workers are configured, this process is
 * the primary process, which manages the workers. SIGHUP reloads secrets from their files. Errors that plugins throw
 * outside of requests, in timers or unhandled promises, are logged.
 */
export async function runProxy(argv: readonly string[]): Promise<RunningService> {
  if (cluster.isWorker) return runWorker(argv)
  const { workers, useJsonLogger } = loadOptions({}, process.env, argv)
  if (workers > 1) killWorkersAtExit()
  const starting =
    workers > 1 ? startPrimary({ count: workers, fork: forkWorker }, { argv }) : startProxyProcess({ argv })
  process.on('SIGHUP', () => void starting.then(reload, () => {}))
  const proxy = await starting
  announce(`Burgee proxy is listening on port ${proxy.port}`, useJsonLogger)
  logStrayErrors(proxy.logger)
  return {
    times: getShutdownTimes(proxy.shutdownDelay),
    drain: proxy.drain,
    close: proxy.close,
    announce: (text) => announce(text, useJsonLogger),
  }
}

/**
 * Runs a worker. If the process cannot start, it disconnects from its primary process, because an open link would keep
 * it alive.
 */
async function runWorker(argv: readonly string[]): Promise<RunningService> {
  try {
    const { shutdownDelay, ...worker } = await startWorker(channelToPrimary(), { argv })
    return { ...worker, times: getShutdownTimes(shutdownDelay), announce: () => {} }
  } catch (error) {
    process.disconnect()
    throw error
  }
}

function reload(proxy: { reloadSecrets(): void; readonly logger: Logger }): void {
  try {
    proxy.reloadSecrets()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    proxy.logger.error(`Reloading secrets failed; keeping the current values: ${reason}`)
  }
}

const MAX_STRAY_ERRORS = 100

/** Logs each error message once, because an error in a timer usually occurs repeatedly. */
function logStrayErrors(logger: Logger): void {
  const seen = new Set<string>()
  const log = (error: unknown) => {
    const text = error instanceof Error ? error.message : String(error)
    if (seen.has(text) || seen.size >= MAX_STRAY_ERRORS) return
    seen.add(text)
    logger.error('Uncaught error outside of a request, most likely from a custom strategy or enricher', error)
  }
  process.on('uncaughtException', log)
  process.on('unhandledRejection', log)
}
