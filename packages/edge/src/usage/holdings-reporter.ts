import type { DebugLog } from '@burgee/kit/log/logger'
import { withTimeout } from '@burgee/kit/with-timeout'
import { HOLDING_LIMITS, type Holding } from '@burgee/protocol/administration/delivery-receipt'
import { ConnectionBook, type ConnectionBookSettings } from '@burgee/serving/connections/connection-book'
import {
  type LocalHolding,
  listHoldings,
  listPageHoldings,
  splitByProjects,
} from '@burgee/serving/connections/holdings'
import { PageBook } from '@burgee/serving/connections/page-book'
import type { Environments } from '../environments/environments.ts'
import type { FetchingToken, FetchingTokens } from '../environments/fetching-tokens.ts'
import { covers } from '../tokens/fetch-scopes.ts'
import type { EdgeUpstream } from '../upstream/upstream-interface.ts'
import { DownstreamHoldings } from './downstream-holdings.ts'

/** Dependencies of `HoldingsReporter`. */
export interface HoldingsReporterDeps {
  readonly upstream: Pick<EdgeUpstream, 'report'>
  readonly fetching: FetchingTokens
  readonly environments: Pick<Environments, 'findUpstreamNumber' | 'peek'>
  /** Returns true if the upstream accepts holdings (the revisions that connections have); other servers ignore them. */
  readonly isSupported: () => boolean
  readonly clock: () => number
  readonly getNetwork?: ConnectionBookSettings['getNetwork']
  readonly debug?: DebugLog | undefined
}

/** Interval of reports. The upstream considers an edge silent after three missed reports. */
const REPORT_INTERVAL_MS = 10_000
/** Time after which the rows of a worker that no longer reports are dropped. */
const WORKER_TTL_MS = 10_000

/**
 * Reports to the upstream which revisions the connections and pages of this edge currently have, including those of
 * edges that use this edge as their upstream. Reports that cannot be delivered are discarded.
 */
export class HoldingsReporter {
  /** Connections to this process. */
  readonly connections: ConnectionBook
  /** Pages that ask this process for flags. */
  readonly pages: PageBook
  /** Reports of edges that use this process as their upstream. */
  readonly downstream: DownstreamHoldings
  readonly #deps: HoldingsReporterDeps
  /** Rows that worker processes have handed over, by worker. */
  readonly #workers = new Map<string, { readonly rows: readonly LocalHolding[]; readonly atMs: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor(deps: HoldingsReporterDeps) {
    this.#deps = deps
    this.connections = new ConnectionBook(deps)
    this.pages = new PageBook(deps.clock)
    this.downstream = new DownstreamHoldings(deps)
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#report(this.#listRows()), REPORT_INTERVAL_MS).unref()
  }

  /** Replaces the rows that a worker process has handed over. */
  acceptWorkerRows(worker: string, rows: readonly LocalHolding[]): void {
    this.#workers.set(worker, { rows, atMs: this.#deps.clock() })
  }

  /** Stops reporting, after a last report that no connections are left. Waits at most `limitMs`. Never rejects. */
  async close(limitMs: number): Promise<void> {
    if (this.#timer === undefined) return
    clearInterval(this.#timer)
    await withTimeout(limitMs, this.#report([])).catch(() => {})
  }

  #listRows(): readonly LocalHolding[] {
    this.connections.sweep()
    const now = this.#deps.clock()
    for (const [worker, { atMs }] of this.#workers) if (now - atMs > WORKER_TTL_MS) this.#workers.delete(worker)
    const own = [...listHoldings(this.connections), ...listPageHoldings(this.pages, now), ...this.downstream.list()]
    return [...own, ...[...this.#workers.values()].flatMap(({ rows }) => rows)]
  }

  /**
   * Reports each row with the token or tokens that cover its projects. For a token that has no rows any more, reports
   * that no connections are left. Never rejects.
   */
  async #report(rows: readonly LocalHolding[]): Promise<void> {
    const { fetching, isSupported, upstream, debug } = this.#deps
    if (!isSupported()) return
    const reports = [...assignRows(fetching.current(), rows)].map(async ([{ text }, own]) => {
      const holdings = [...splitByProjects(own, HOLDING_LIMITS.projects)]
        .slice(0, HOLDING_LIMITS.rows)
        .map((row) => this.#toHolding(row))
      await upstream.report(text, { applications: [], metrics: [], holdings })
    })
    for (const result of await Promise.allSettled(reports)) {
      if (result.status === 'rejected') debug?.(`Cannot report connections to the upstream: ${result.reason}`)
    }
  }

  #toHolding({ revision, ...row }: LocalHolding): Holding {
    const number = this.#deps.environments.findUpstreamNumber(row.environment, revision)
    const appName = row.appName.slice(0, HOLDING_LIMITS.text)
    return { ...row, appName, revision: number ?? 0 }
  }
}

/**
 * Assigns each row to the token that covers its projects. If no single token covers a row, divides the row by projects,
 * because the upstream ignores projects that the reporting token does not cover.
 */
function assignRows(
  tokens: readonly FetchingToken[],
  rows: readonly LocalHolding[],
): Map<FetchingToken, LocalHolding[]> {
  const assigned = new Map(tokens.map((token): [FetchingToken, LocalHolding[]] => [token, []]))
  for (const row of rows) {
    const own = tokens.filter(({ environment }) => environment === row.environment)
    const whole = own.find((token) => covers([token], row))
    if (whole !== undefined) {
      assigned.get(whole)?.push(row)
      continue
    }
    let left = row.projects
    for (const token of own) {
      const projects = left.filter((project) => token.projects.includes(project))
      left = left.filter((project) => !projects.includes(project))
      if (projects.length > 0) assigned.get(token)?.push({ ...row, projects })
    }
  }
  return assigned
}
