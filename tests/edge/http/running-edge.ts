import { type StartedEdge, startEdge } from '@burgee/edge/edge-process'
import { until } from '../../support/wait.ts'

/**
 * Starts a real edge on a free port with exactly the given environment variables. Waits until it is ready unless
 * `ready` is false.
 */
export async function runEdge(
  env: Readonly<Record<string, string>>,
  { ready = true }: { readonly ready?: boolean } = {},
): Promise<StartedEdge> {
  const given = { PORT: '0', INTERFACE: '127.0.0.1', LOG_LEVEL: 'fatal', SHUTDOWN_DELAY: '0', ...env }
  const edge = await startEdge({ env: given })
  if (ready) await until(() => edge.isReady())
  return edge
}
