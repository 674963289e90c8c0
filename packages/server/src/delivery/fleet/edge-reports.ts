import { isWithinShare } from '@burgee/kit/fair-share'
import type { Network } from '@burgee/kit/http/client-network'
import type { Caller } from '@burgee/kit/http/route'
import { isObject } from '@burgee/kit/input/is-object'
import { type EdgeStatusReport, HOLDING_LIMITS, type Holding } from '@burgee/protocol/administration/delivery-receipt'
import { limitToScope } from '@burgee/serving/connections/holdings'
import type { FlagScope } from '@burgee/serving/sdk/flag-query'

/** Report of an edge or proxy. */
export interface EdgeReport {
  /** Id that the edge sends with its requests to identify its connection. */
  readonly id: string
  readonly name: string
  readonly version: string | null
  /** Reported rows, keyed by the environment and projects of the reporting token. */
  readonly holdings: ReadonlyMap<string, readonly Holding[]>
  readonly streams: number
  /** 99th percentile of the edge's requests to this server, in milliseconds; undefined if not reported. */
  readonly upstreamP99Ms: number | undefined
  readonly reportedAtMs: number
}

type MutableReport = { -readonly [Key in keyof EdgeReport]: EdgeReport[Key] } & {
  holdings: Map<string, Holding[]>
  /** Network of all reports. */
  readonly network: Network
  /** Scope of the token that sent the last status, and the time of that status. */
  statusScope: string | undefined
  statusAtMs: number
  /** Time of the last report for each key of `holdings`. */
  readonly reportedAt: Map<string, number>
}

const MAX_EDGES = 500
const MAX_ROWS = 20_000
/** Time for which the reports count as incomplete after a report did not fit. */
const INCOMPLETE_MS = 60_000
/** Maximum number of different token scopes per edge. */
const MAX_SCOPES = 1000
/** Time after which the rows of a scope are dropped if the edge has reported with other tokens since. */
const SCOPE_TTL_MS = 30_000
/** Time for which a status report from another vendor's edge remains valid. */
const STATUS_TTL_MS = 180_000
/** Time for which the rows of a silent edge remain valid: its processes probably continue with old flags. */
const HOLDINGS_TTL_MS = 900_000

/** Edge or proxy that has sent a report. Behind a trusted proxy, the connection has another network. */
export interface ReportSender {
  readonly caller: Caller
  readonly network: Network
}

/**
 * Latest reports of edges and proxies, in memory and bounded in size. An id identifies an edge only within its network,
 * so that a caller elsewhere who knows the id cannot change the report.
 */
export class EdgeReports {
  readonly #clock: () => number
  readonly #reports = new Map<string, MutableReport>()
  #droppedAtMs = Number.NEGATIVE_INFINITY

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** True if a report did not fit within the last minute, so that an edge or its connections are missing. */
  get isIncomplete(): boolean {
    return this.#clock() - this.#droppedAtMs < INCOMPLETE_MS
  }

  /**
   * Replaces the rows that were reported earlier with a token of the same scope. Ignores rows outside that scope. Drops
   * rows that were reported with tokens that the edge no longer uses.
   */
  addHoldings(scope: FlagScope, sender: ReportSender, rows: readonly Holding[]): void {
    const report = this.#get(getHeader(sender.caller, 'unleash-connection-id'), sender)
    if (report === undefined) return
    const now = this.#clock()
    const own = limitToScope(rows, { environment: scope.environment, projects: [...scope.projects] }, now)
    const key = formatScope(scope)
    report.holdings.delete(key)
    report.reportedAt.delete(key)
    for (const [other, atMs] of report.reportedAt) {
      if (now - atMs <= SCOPE_TTL_MS) continue
      report.holdings.delete(other)
      report.reportedAt.delete(other)
    }
    if (report.holdings.size < MAX_SCOPES && this.#hasRoom(report.network, MAX_ROWS, countRows, own.length)) {
      report.holdings.set(key, own)
      report.reportedAt.set(key, now)
    } else this.#droppedAtMs = now
    report.reportedAtMs = now
  }

  /**
   * Records a status report from another vendor's edge. Ignores a report without an identifier, and a report with a
   * token of another scope while the report of the first scope is valid.
   */
  addStatus(scope: FlagScope, sender: ReportSender, body: EdgeStatusReport): void {
    const id = getText(body.identifier)
    const report = this.#get(id, sender)
    if (report === undefined) return
    const statusScope = formatScope(scope)
    const now = this.#clock()
    if ((report.statusScope ?? statusScope) !== statusScope && now - report.statusAtMs <= STATUS_TTL_MS) return
    report.statusScope = statusScope
    report.statusAtMs = now
    report.name = id
    report.version = getText(body.edgeVersion) || report.version
    report.streams = getCount(body.connectedStreamingClients)
    report.upstreamP99Ms = readLatency(body.latencyUpstream)
    report.reportedAtMs = now
  }

  /** Forgets all rows. The edges will send their reports again. */
  clearHoldings(): void {
    for (const { holdings, reportedAt } of this.#reports.values()) {
      holdings.clear()
      reportedAt.clear()
    }
  }

  /** Returns the reports that have not expired. */
  list(): readonly EdgeReport[] {
    const now = this.#clock()
    for (const [key, { holdings, reportedAtMs }] of this.#reports) {
      if (now - reportedAtMs > (holdings.size > 0 ? HOLDINGS_TTL_MS : STATUS_TTL_MS)) this.#reports.delete(key)
    }
    return [...this.#reports.values()]
  }

  /**
   * Returns true if a network may add a number of entries to a table with a maximum size. One network can never use the
   * whole table.
   */
  #hasRoom(network: Network, max: number, count: (report: MutableReport) => number, added: number): boolean {
    let total = added
    let own = added
    for (const report of this.#reports.values()) {
      const entries = count(report)
      total += entries
      if (report.network === network) own += entries
    }
    return isWithinShare(own, max - total)
  }

  #get(id: string, { caller, network }: ReportSender): MutableReport | undefined {
    if (id === '') return undefined
    const key = `${network} ${id}`
    const known = this.#reports.get(key)
    if (known !== undefined) return known
    const hasRoom = () => this.#hasRoom(network, MAX_EDGES, () => 1, 1)
    if (!hasRoom()) this.list()
    if (!hasRoom()) {
      this.#droppedAtMs = this.#clock()
      return undefined
    }
    const fresh: MutableReport = {
      id,
      network,
      statusScope: undefined,
      statusAtMs: 0,
      name: getHeader(caller, 'unleash-instanceid') || getHeader(caller, 'unleash-appname') || id,
      version: getHeader(caller, 'unleash-sdk') || null,
      holdings: new Map(),
      reportedAt: new Map(),
      streams: 0,
      upstreamP99Ms: undefined,
      reportedAtMs: this.#clock(),
    }
    this.#reports.set(key, fresh)
    return fresh
  }
}

function formatScope({ environment, projects }: FlagScope): string {
  return JSON.stringify([environment, ...[...projects].sort()])
}

function countRows({ holdings }: MutableReport): number {
  let rows = 0
  for (const own of holdings.values()) rows += own.length
  return rows
}

function readLatency(latency: unknown): number | undefined {
  if (!isObject(latency) || !isObject(latency.features)) return undefined
  const { p99 } = latency.features
  return typeof p99 === 'number' && Number.isFinite(p99) && p99 >= 0 ? p99 : undefined
}

function getCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}

function getHeader({ headers }: Caller, name: string): string {
  return getText(headers[name])
}

function getText(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, HOLDING_LIMITS.text)
    .toWellFormed()
}
