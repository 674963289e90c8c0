import { hostname } from 'node:os'
import { HOLDING_LIMITS, type Holding } from '@burgee/protocol/administration/delivery-receipt'
import { getClientKind } from '@burgee/protocol/sdk/client-kind'
import type { ConnectionBook } from '@burgee/serving/connections/connection-book'
import { listHoldings } from '@burgee/serving/connections/holdings'
import { sendNodeMessage } from '@burgee/storage/queries/fleet/node-messages'
import { newUuid, type World } from '../../core/world.ts'
import type { Documents } from '../documents/documents.ts'
import { type NodeMessage, type NodeRow, parseNodeMessage } from './node-message.ts'

/** Counts of connections that another server node has reported. */
export interface NodeReport {
  readonly id: string
  readonly name: string
  /** Rows by groups; the keys differ between nodes and edges. */
  readonly holdings: ReadonlyMap<string, readonly Holding[]>
  readonly reportedAtMs: number
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
const MAX_MISSED_REPORTS = 3
/** PostgreSQL accepts notifications below 8,000 bytes. */
const MAX_MESSAGE_BYTES = 7500
const MAX_NODES = 200

/** Exchanges counts of connections, without connection ids, with the other nodes of the database. In memory only. */
export class NodeExchange {
  readonly #deps: NodeExchangeDeps
  readonly #id: string
  readonly #name = hostname()
  readonly #reports = new Map<string, NodeReport & { readonly report: number }>()
  readonly #unsubscribe: (() => void) | undefined
  readonly #timer: NodeJS.Timeout | undefined
  #report = 0

  constructor(deps: NodeExchangeDeps) {
    this.#deps = deps
    this.#id = newUuid(deps.random)
    this.#unsubscribe = deps.subscribe?.((message) => this.#receive(message))
    if (deps.subscribe !== undefined) this.#timer = setInterval(() => void this.#send(), SEND_INTERVAL_MS).unref()
  }

  /** Returns the reports of other nodes that have not missed three reports. */
  list(): readonly NodeReport[] {
    const now = this.#deps.clock()
    for (const [id, { reportedAtMs }] of this.#reports) {
      if (now - reportedAtMs > SEND_INTERVAL_MS * (MAX_MISSED_REPORTS + 1)) this.#reports.delete(id)
    }
    return [...this.#reports.values()]
  }

  close(): void {
    clearInterval(this.#timer)
    this.#unsubscribe?.()
  }

  /** Sends the counts of this node. A lost report is replaced by the next one. Never rejects. */
  async #send(): Promise<void> {
    const { db, debug } = this.#deps
    this.#report += 1
    try {
      for (const message of this.#listMessages()) await db.count((tx) => sendNodeMessage(tx, message))
    } catch (error) {
      debug?.(`Cannot report connections to other nodes: ${error}`)
    }
  }

  #listMessages(): string[] {
    const { connections, documents } = this.#deps
    const rows = listHoldings(connections, ({ sdk }) => {
      const kind = getClientKind(sdk, false)
      return kind !== 'edge' && kind !== 'proxy'
    }).map(({ environment, projects, appName, revision, connections: count, oldest }): NodeRow => {
      const isCurrentEpoch = documents.peek(environment)?.revision.epoch === revision.epoch
      const held = isCurrentEpoch ? revision.id : 0
      return [environment, projects, appName.slice(0, HOLDING_LIMITS.text), held, count, oldest]
    })
    const parts: (typeof rows)[] = [[]]
    let bytes = 0
    for (const row of rows) {
      const size = Buffer.byteLength(JSON.stringify(row)) + 1
      if (bytes + size > MAX_MESSAGE_BYTES - 200) {
        parts.push([])
        bytes = 0
      }
      bytes += size
      parts.at(-1)?.push(row)
    }
    const head = { node: this.#id, name: this.#name, report: this.#report }
    return parts.map((own) => JSON.stringify({ ...head, rows: own } satisfies NodeMessage))
  }

  #receive(text: string): void {
    const message = parseNodeMessage(text)
    if (message === undefined || message.node === this.#id) return
    const { node, name, report, rows } = message
    const now = this.#deps.clock()
    const known = this.#reports.get(node)
    if (known === undefined && this.#reports.size >= MAX_NODES) return
    const holdings = new Map(known?.report === report ? known.holdings : [])
    for (const [environment, projects, appName, revision, connections, oldest] of rows) {
      const row: Holding = {
        environment,
        projects: [...projects],
        kind: 'processes',
        appName,
        revision,
        connections,
        oldest: Math.min(oldest, now),
      }
      holdings.set(environment, [...(holdings.get(environment) ?? []), row])
    }
    this.#reports.set(node, { id: node, name, report, holdings, reportedAtMs: now })
    this.#deps.changed()
  }
}
