import { ConnectionBook, type ConnectionBookSettings } from '@burgee/serving/connections/connection-book'
import { listHoldings, listPageHoldings } from '@burgee/serving/connections/holdings'
import { PageBook } from '@burgee/serving/connections/page-book'
import type { DownstreamHoldings } from '../usage/downstream-holdings.ts'
import type { WorkerRequest } from './edge-messages.ts'

/** Dependencies of `startForwardedHoldings`. */
export interface ForwardedHoldingsDeps {
  /** Sends a request to the primary process. */
  readonly ask: (question: WorkerRequest) => Promise<unknown>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly getNetwork?: ConnectionBookSettings['getNetwork']
}

/** Connections and pages of a worker, whose revisions are reported to the primary process. */
export interface ForwardedHoldings {
  readonly connections: ConnectionBook
  readonly pages: PageBook
  /** Passes reports of edges behind this edge on to the primary process. */
  readonly downstream: Pick<DownstreamHoldings, 'accept'>
  /** Stops reporting. */
  close(): void
}

const FORWARD_INTERVAL_MS = 3000

/**
 * Records the connections and pages of a worker, and periodically hands their revisions over to the primary process.
 */
export function startForwardedHoldings({ ask, clock, getNetwork }: ForwardedHoldingsDeps): ForwardedHoldings {
  const connections = new ConnectionBook({ clock, getNetwork })
  const pages = new PageBook(clock)
  const worker = crypto.randomUUID()
  const timer = setInterval(() => {
    connections.sweep()
    // a failed message needs no retry, because the next one replaces it
    const rows = [...listHoldings(connections), ...listPageHoldings(pages, clock())]
    ask({ kind: 'holdings', worker, rows }).catch(() => {})
  }, FORWARD_INTERVAL_MS).unref()
  const downstream: ForwardedHoldings['downstream'] = {
    accept: (report) => void ask({ kind: 'downstream', report }).catch(() => {}),
  }
  return { connections, pages, downstream, close: () => clearInterval(timer) }
}
