import { isWithinShare } from '@burgee/kit/fair-share'
import type { Network } from '@burgee/kit/http/client-network'
import { HOLDING_LIMITS, type Holding } from '@burgee/protocol/administration/delivery-receipt'
import { type LocalHolding, limitToScope } from '@burgee/serving/connections/holdings'
import type { Environments } from '../environments/environments.ts'
import type { EdgeToken } from '../tokens/edge-token.ts'

/** Edge that uses this edge as its upstream and has sent a report. */
export interface DownstreamEdge {
  /** Id of its connection; empty if it sent none. */
  readonly id: string
  readonly network: Network
}

/** Rows that an edge has reported with a token. All fields are plain, so that workers can pass them on. */
export interface DownstreamReport {
  readonly token: Pick<EdgeToken, 'id' | 'environment' | 'projects'>
  readonly edge: DownstreamEdge
  readonly rows: readonly Holding[]
}

/** Dependencies of `DownstreamHoldings`. */
export interface DownstreamHoldingsDeps {
  readonly environments: Pick<Environments, 'peek'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

interface Report {
  readonly network: Network
  readonly rows: readonly LocalHolding[]
  readonly atMs: number
}

const MAX_ROWS = 10_000
/** Time after which a report is dropped: an edge reports every ten seconds. */
const REPORT_TTL_MS = 30_000

/**
 * Latest reports of edges that use this edge as their upstream, in memory and bounded in size. Connections of a
 * downstream edge count as connections of this edge.
 */
export class DownstreamHoldings {
  readonly #deps: DownstreamHoldingsDeps
  /** Reports by edge and token. */
  readonly #reports = new Map<string, Report>()

  constructor(deps: DownstreamHoldingsDeps) {
    this.#deps = deps
  }

  /**
   * Replaces the rows that an edge has reported with a token. Ignores rows beyond the scope of the token, and reports
   * of edges without a connection id.
   */
  accept({ token, edge, rows }: DownstreamReport): void {
    if (edge.id === '') return
    const now = this.#deps.clock()
    this.#dropOld(now)
    const key = JSON.stringify([token.id, edge.id.slice(0, HOLDING_LIMITS.text)])
    this.#reports.delete(key)
    const scope = { environment: token.environment, projects: [...token.projects] }
    const own = limitToScope(rows, scope, now)
    if (own.length === 0 || !this.#hasRoom(edge.network, own.length)) return
    // the downstream edge names revisions by the numbers that this edge has sent to it
    const epoch = this.#deps.environments.peek(token.environment)?.revision.epoch ?? ''
    const local = own.map(({ revision, ...row }) => ({ ...row, revision: { epoch, id: revision } }))
    this.#reports.set(key, { network: edge.network, rows: local, atMs: now })
  }

  /** Returns the rows of all edges that still report. */
  list(): LocalHolding[] {
    this.#dropOld(this.#deps.clock())
    return [...this.#reports.values()].flatMap(({ rows }) => rows)
  }

  #dropOld(now: number): void {
    for (const [key, { atMs }] of this.#reports) if (now - atMs > REPORT_TTL_MS) this.#reports.delete(key)
  }

  #hasRoom(network: Network, added: number): boolean {
    let total = added
    let own = added
    for (const report of this.#reports.values()) {
      total += report.rows.length
      if (report.network === network) own += report.rows.length
    }
    return isWithinShare(own, MAX_ROWS - total)
  }
}
