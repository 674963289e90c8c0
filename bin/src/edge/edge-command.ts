import cluster from 'node:cluster'
import { readMode } from '@burgee/edge/command-line'
import { type StartedEdge, startEdge, startOfflineEdge } from '@burgee/edge/edge-process'
import { loadEdgeOptions } from '@burgee/edge/options'
import { startEdgePrimary } from '@burgee/edge/workers/edge-primary'
import { startEdgeWorker } from '@burgee/edge/workers/edge-worker'
import type { Logger } from '@burgee/kit/log/logger'
import type { OptionSources } from '@burgee/kit/options/options'
import { getShutdownTimes } from '@burgee/kit/shutdown-times'
import { announce } from '../announce.ts'
import type { CommandOutput, RunningService } from '../running.ts'
import { channelToPrimary, forkWorker, killWorkersAtExit } from '../worker-process.ts'
import { runProbe } from './edge-probe.ts'

/** Runs `burgee edge [mode] [options]`: starts a node in front of an upstream or a file, or probes a running node. */
export async function runEdge(args: readonly string[]): Promise<RunningService | CommandOutput> {
  const { mode, argv } = readMode(args)
  if (mode === 'health' || mode === 'ready') return runProbe(mode, argv)
  const sources = { env: process.env, argv }
  if (cluster.isWorker) return runWorker(sources)
  const starting = mode === 'offline' ? startOfflineEdge(sources) : startOnline(sources)
  process.on('SIGHUP', () => void starting.then(reload, () => {}))
  const edge = await starting
  announce(`Burgee edge is listening on port ${edge.port}`, edge.isJsonLog)
  return {
    times: getShutdownTimes(edge.shutdownDelay),
    drain: edge.drain,
    close: edge.close,
    announce: (text) => announce(text, edge.isJsonLog),
  }
}

/** Starts one process. Starts several processes if several are configured and TLS is off. */
async function startOnline(sources: OptionSources): Promise<StartedEdge> {
  const { workers, tlsEnable } = loadEdgeOptions(sources).options
  if (workers === 1 || tlsEnable) return startEdge(sources)
  killWorkersAtExit()
  return startEdgePrimary({ count: workers, fork: forkWorker }, sources)
}

/**
 * Runs a worker. A worker that cannot start disconnects from the primary process, because an open link would keep the
 * worker alive.
 */
async function runWorker(sources: OptionSources): Promise<RunningService> {
  try {
    const { shutdownDelay, ...worker } = await startEdgeWorker(channelToPrimary(), sources)
    return { ...worker, times: getShutdownTimes(shutdownDelay), announce: () => {} }
  } catch (error) {
    process.disconnect()
    throw error
  }
}

function reload(edge: StartedEdge & { readonly logger: Logger }): void {
  try {
    edge.reloadSecrets()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    edge.logger.error(`Reloading secrets failed; keeping the current values: ${reason}`)
  }
}
