import { ConnectionBook, type ConnectionBookSettings } from '@burgee/serving/connections/connection-book'
import { listHoldings, listPageHoldings } from '@burgee/serving/connections/holdings'
import { PageBook } from '@burgee/serving/connections/page-book'
import type { Environments } from '../environments/environments.ts'
import { DownstreamHoldings } from '../usage/downstream-holdings.ts'
import type { WorkerRequest } from './edge-messages.ts'

/** Dependencies of `startForwardedHoldings`. */
export interface ForwardedHoldingsDeps {
  /** Sends a request to the primary process. */
  readonly ask: (question: WorkerRequest) => Promise<unknown>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly environments: Pick<Environments, 'peek'>
  readonly getNetwork?: ConnectionBookSettings['getNetwork']
}

/** Connections and pages of a worker, whose revisions are reported to the primary process. */
export interface ForwardedHoldings {
  readonly connections: ConnectionBook
  readonly pages: PageBook
  /** Reports of edges that use this process as their upstream. */
  readonly downstream: DownstreamHoldings
  /** Stops reporting. */
  close(): void
}

const FORWARD_INTERVAL_MS = 3000

/**
 * Records the connections and pages of a worker, and periodically hands their revisions over to the primary process.
 */
export function startForwardedHoldings({
  ask,
  clock,
  environments,
  getNetwork,
}: ForwardedHoldingsDeps): ForwardedHoldings {
  const connections = new ConnectionBook({ clock, getNetwork })
  const pages = new PageBook(clock)
  const downstream = new DownstreamHoldings({ environments, clock })
  const worker = crypto.randomUUID()
  const timer = setInterval(() => {
    connections.sweep()
    // a failed message needs no retry, because the next one replaces it
    const rows = [...listHoldings(connections), ...listPageHoldings(pages, clock()), ...downstream.list()]
    ask({ kind: 'holdings', worker, rows }).catch(() => {})
  }, FORWARD_INTERVAL_MS).unref()
  return { connections, pages, downstream, close: () => clearInterval(timer) }
}
