import { ConnectionBook } from '@burgee/serving/connections/connection-book'
import { listHoldings } from '@burgee/serving/connections/holdings'
import type { WorkerRequest } from './edge-messages.ts'

/** Dependencies of `startForwardedHoldings`. */
export interface ForwardedHoldingsDeps {
  /** Sends a request to the primary process. */
  readonly ask: (question: WorkerRequest) => Promise<unknown>
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Connections to a worker, whose revisions are reported to the primary process. */
export interface ForwardedHoldings {
  readonly connections: ConnectionBook
  /** Stops reporting. */
  close(): void
}

const FORWARD_INTERVAL_MS = 3000

/** Records the connections to a worker, and periodically hands their revisions over to the primary process. */
export function startForwardedHoldings({ ask, clock }: ForwardedHoldingsDeps): ForwardedHoldings {
  const connections = new ConnectionBook({ clock })
  const worker = crypto.randomUUID()
  const timer = setInterval(() => {
    connections.sweep()
    // a failed message needs no retry, because the next one replaces it
    ask({ kind: 'holdings', worker, rows: listHoldings(connections) }).catch(() => {})
  }, FORWARD_INTERVAL_MS).unref()
  return { connections, close: () => clearInterval(timer) }
}
