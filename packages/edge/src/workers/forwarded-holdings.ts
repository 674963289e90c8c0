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

/** Connections of a worker, which are reported to the primary process. */
export interface ForwardedHoldings {
  readonly connections: ConnectionBook
  /** Stops reporting. */
  close(): void
}

const FORWARD_INTERVAL_MS = 3000

/** Records the connections of a worker, and hands over their revisions periodically. */
export function startForwardedHoldings({ ask, clock }: ForwardedHoldingsDeps): ForwardedHoldings {
  const connections = new ConnectionBook({ clock })
  const worker = crypto.randomUUID()
  const timer = setInterval(() => {
    connections.sweep()
    // a lost message is replaced by the next one
    ask({ kind: 'holdings', worker, rows: listHoldings(connections) }).catch(() => {})
  }, FORWARD_INTERVAL_MS).unref()
  return { connections, close: () => clearInterval(timer) }
}
