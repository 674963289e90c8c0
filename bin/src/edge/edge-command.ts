import { readMode } from '@burgee/edge/command-line'
import { type StartedEdge, startEdge, startOfflineEdge } from '@burgee/edge/edge-process'
import type { Logger } from '@burgee/kit/log/logger'
import { shutdownTimes } from '@burgee/kit/shutdown-times'
import { announce } from '../announce.ts'
import type { Finished, Running } from '../running.ts'
import { runProbe } from './edge-probe.ts'

/** `burgee edge [mode] [options]`: a node before an upstream or a file, or a question to one that runs. */
export async function runEdge(args: readonly string[]): Promise<Running | Finished> {
  const { mode, argv } = readMode(args)
  if (mode === 'health' || mode === 'ready') return runProbe(mode, argv)
  const start = mode === 'offline' ? startOfflineEdge : startEdge
  const starting = start({ env: process.env, argv })
  process.on('SIGHUP', () => void starting.then(reload, () => {}))
  const edge = await starting
  announce(`Burgee edge is listening on port ${edge.port}`, edge.isJsonLog)
  return {
    times: shutdownTimes(edge.shutdownDelay),
    drain: edge.drain,
    close: edge.close,
    announce: (text) => announce(text, edge.isJsonLog),
  }
}

function reload(edge: StartedEdge & { readonly logger: Logger }): void {
  try {
    edge.reloadSecrets()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    edge.logger.error(`Secrets were not read again, those before stay in use: ${reason}`)
  }
}
