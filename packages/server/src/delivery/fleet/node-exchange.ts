import { hostname } from 'node:os'
import { HOLDING_LIMITS, type Holding } from '@burgee/protocol/administration/delivery-receipt'
import type { ConnectionBook } from '@burgee/serving/connections/connection-book'
import { sendNodeMessage } from '@burgee/storage/queries/fleet/node-messages'
import { newUuid, type World } from '../../core/world.ts'
import type { Documents } from '../documents/documents.ts'
import { type NodeMessage, type NodeRow, parseHashes, parseNodeMessage } from './node-message.ts'
import { divideConnections } from './node-rows.ts'

/** Connections of another node that have the same environment, projects, application, revision and lateness. */
export interface NodeHolding extends Holding {
  /** True if the connections have missed a poll at that node. */
  readonly isLate: boolean
  /** Hashes of the connections, as defined in `Connection`. */
  readonly hashes: Float64Array
}

/** Connections that another server node has reported. */
export interface NodeReport {
  readonly id: string
  readonly name: string
  readonly holdings: readonly NodeHolding[]
  /** Number of connections, without edges and proxies. */
  readonly connections: number
  /** Number of edges and proxies that are connected to the node. */
  readonly edges: number
  /** True if the report lacks some rows. */
  readonly isPartial: boolean
  readonly intervalMs: number
  readonly reportedAtMs: number
}

/** Report of another node whose last part has not arrived yet. */
interface PendingReport {
  readonly report: number
  nextPart: number
  readonly rows: NodeRow[]
}

/** Dependencies of the exchange. */
export interface NodeExchangeDeps extends Pick<World, 'db' | 'clock' | 'random' | 'debug'> {
  readonly connections: ConnectionBook
  readonly documents: Pick<Documents, 'peek'>
  /** Subscribes to messages of other nodes; undefined if no other node can use the database. */
  readonly subscribe: ((listener: (message: string) => void) => () => void) | undefined
  /** Called after another node has reported. */
  readonly changed: () => void
}

const SEND_INTERVAL_MS = 3000
/** Number of send intervals between reports while a node knows no other node. The first report is sent at once. */
const TICKS_ALONE = 10
/** Number of connections per additional interval between reports, because larger reports are sent less often. */
const CONNECTIONS_PER_TICK = 5000
const MAX_TICKS_PER_REPORT = 5
const MAX_MISSED_REPORTS = 3
const MAX_NODES = 200

/**
 * Exchanges hashes of connections, but no connection ids, with the other nodes that use the same database. In memory
 * only.
 */
export class NodeExchange {
  readonly #deps: NodeExchangeDeps
  /** Id of this node, which is new after each start. */
  readonly id: string
  readonly #name = hostname().slice(0, HOLDING_LIMITS.text)
  readonly #reports = new Map<string, NodeReport>()
  readonly #pending = new Map<string, PendingReport>()
  readonly #unsubscribe: (() => void) | undefined
  readonly #timer: NodeJS.Timeout | undefined
  #report = 0
  #isSending = false
  /** Number of intervals since this node's last report. */
  #ticks = TICKS_ALONE

  constructor(deps: NodeExchangeDeps) {
    this.#deps = deps
    this.id = newUuid(deps.random)
    this.#unsubscribe = deps.subscribe?.((message) => this.#receive(message))
    if (deps.subscribe !== undefined) this.#timer = setInterval(() => void this.#tick(), SEND_INTERVAL_MS).unref()
  }

  /** Returns the reports of all other nodes except nodes that have missed three reports in a row. */
  list(): readonly NodeReport[] {
    const now = this.#deps.clock()
    for (const [id, { reportedAtMs, intervalMs }] of this.#reports) {
      if (now - reportedAtMs <= intervalMs * (MAX_MISSED_REPORTS + 1)) continue
      this.#reports.delete(id)
      this.#pending.delete(id)
    }
    return [...this.#reports.values()]
  }

  /** Discards all reports, because revisions have a new meaning after a restore. */
  clear(): void {
    this.#reports.clear()
    this.#pending.clear()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#unsubscribe?.()
  }

  /**
   * Sends the connections of this node if a report is due. A lost report is made up for by the next one. Never rejects.
   */
  async #tick(): Promise<void> {
    this.#ticks += 1
    const ticks = this.#getTicksPerReport()
    if (this.#isSending || this.#ticks < (this.list().length > 0 ? ticks : TICKS_ALONE)) return
    this.#isSending = true
    this.#ticks = 0
    this.#report += 1
    try {
      for (const message of this.#listMessages(ticks * SEND_INTERVAL_MS))
        await this.#sendMessage(JSON.stringify(message))
    } catch (error) {
      this.#deps.debug?.(`Cannot list connections for other nodes: ${error}`)
    } finally {
      this.#isSending = false
    }
  }

  /** Sends a message. Never rejects, so that later messages are still sent. */
  async #sendMessage(message: string): Promise<void> {
    const { db, debug } = this.#deps
    try {
      await db.count((tx) => sendNodeMessage(tx, message))
    } catch (error) {
      debug?.(`Cannot report connections to other nodes: ${error}`)
    }
  }

  #getTicksPerReport(): number {
    return Math.min(1 + Math.floor(this.#deps.connections.size / CONNECTIONS_PER_TICK), MAX_TICKS_PER_REPORT)
  }

  #listMessages(intervalMs: number): NodeMessage[] {
    const { connections, documents, clock } = this.#deps
    const getEpoch = (environment: string) => documents.peek(environment)?.revision.epoch
    const { parts, ...totals } = divideConnections(connections, clock(), getEpoch)
    const head = { node: this.id, name: this.#name, report: this.#report, parts: parts.length, intervalMs, ...totals }
    return parts.map((rows, part) => ({ ...head, part, rows: [...rows] }))
  }

  /**
   * Collects the parts of another node's report. Once the last part has arrived, the report replaces the node's
   * previous one.
   */
  #receive(text: string): void {
    const message = parseNodeMessage(text)
    if (message === undefined || message.node === this.id) return
    const { node, report, part, parts, rows } = message
    if (!this.#pending.has(node) && !this.#hasSpace()) return
    const known = this.#pending.get(node)
    const pending = part > 0 && known?.report === report ? known : { report, nextPart: 0, rows: [] }
    this.#pending.set(node, pending)
    // an earlier part was lost, so wait for the next report
    if (pending.nextPart !== part) return
    pending.nextPart += 1
    pending.rows.push(...rows)
    if (pending.nextPart < parts) return
    this.#accept(message, pending.rows.splice(0))
  }

  /**
   * Returns true if there is room for a report from another node. Drops nodes that have never sent a complete report.
   */
  #hasSpace(): boolean {
    if (this.#pending.size < MAX_NODES) return true
    for (const id of this.#pending.keys()) if (!this.#reports.has(id)) this.#pending.delete(id)
    return this.#pending.size < MAX_NODES
  }

  #accept({ node, name, connections, edges, isPartial, intervalMs }: NodeMessage, rows: readonly NodeRow[]): void {
    const now = this.#deps.clock()
    const holdings = rows.map((row) => toHolding(row, now))
    const totals = { connections, edges, isPartial, intervalMs: Math.max(intervalMs, SEND_INTERVAL_MS) }
    this.#reports.set(node, { id: node, name, holdings, ...totals, reportedAtMs: now })
    this.#deps.changed()
  }
}

function toHolding(row: NodeRow, now: number): NodeHolding {
  const [environment, projects, appName, revision, oldest, isLate, text] = row
  const hashes = parseHashes(text)
  return {
    environment,
    projects,
    kind: 'processes',
    appName,
    revision,
    connections: hashes.length,
    oldest: Math.min(oldest, now),
    isLate,
    hashes,
  }
}
