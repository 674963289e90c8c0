import {
  type Connection,
  ConnectionBook,
  type ConnectionBookSettings,
  type RevisionListener,
} from '@burgee/serving/connections/connection-book'
import { PageBook } from '@burgee/serving/connections/page-book'
import type { World } from '../../core/world.ts'
import { EdgeReports } from './edge-reports.ts'
import { NodeExchange, type NodeExchangeDeps } from './node-exchange.ts'
import { type RecentChange, RecentChanges } from './recent-changes.ts'

/** Called with the changes whose delivery receipts may have changed. */
export type DeliveryListener = (changes: readonly RecentChange[]) => void

/** Settings for a fleet book. */
export interface FleetBookSettings extends Pick<NodeExchangeDeps, 'documents' | 'subscribe'> {
  /**
   * Called with the time in milliseconds from the commit of a change until it was sent to a connection that now has it.
   */
  readonly delivered: (durationMs: number) => void
  readonly getNetwork?: ConnectionBookSettings['getNetwork']
}

type FleetWorld = Pick<World, 'clock' | 'broadcast' | 'db' | 'random' | 'debug'>

const SWEEP_MS = 5000
const NOTIFY_MS = 500
/**
 * Additional time between notifications for each connection, because a receipt that covers many connections costs more.
 */
const NOTIFY_MS_PER_CONNECTION = 0.1
/** Time after a change during which open pages are notified when its delivery receipt changes. */
const LIVE_MS = 600_000
/** Maximum number of changes per notification. */
const MAX_LIVE_CHANGES = 20

/** The connections, pages and edges that this server knows, and when recent changes occurred. In memory only. */
export class FleetBook {
  readonly connections: ConnectionBook
  readonly pages: PageBook
  readonly edges: EdgeReports
  /** Connections that other server nodes have reported. */
  readonly nodes: NodeExchange
  readonly changes = new RecentChanges()
  readonly #clock: () => number
  readonly #documents: FleetBookSettings['documents']
  readonly #delivered: FleetBookSettings['delivered']
  readonly #listeners = new Set<DeliveryListener>()
  readonly #unsubscribe: () => void
  readonly #sweeping: NodeJS.Timeout
  #notifying: NodeJS.Timeout | undefined

  constructor(world: FleetWorld, { delivered, getNetwork, ...exchange }: FleetBookSettings) {
    const { clock, broadcast } = world
    this.#clock = clock
    this.#documents = exchange.documents
    this.#delivered = delivered
    this.connections = new ConnectionBook({ clock, getNetwork, onHeld: (step) => this.#recordHeld(step) })
    this.pages = new PageBook(clock)
    this.edges = new EdgeReports(clock)
    const changed = () => this.markChanged()
    this.nodes = new NodeExchange({ ...world, ...exchange, connections: this.connections, changed })
    this.#unsubscribe = broadcast.subscribe(
      (events) => this.changes.add(events),
      () => this.#forgetRevisions(),
    )
    this.#sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref()
  }

  /**
   * Returns the revision of the flags that a connection has; 0 if that revision belongs to another epoch than the
   * current flags.
   */
  getHeld({ scope, epoch, held }: Pick<Connection, 'scope' | 'epoch' | 'held'>): number {
    const current = this.#documents.peek(scope.environment)?.revision.epoch
    return current === undefined || current === epoch ? held : 0
  }

  /** Returns true if a connection has not received the latest change to its flags that this process knows of. */
  isBehind({ scope, held }: Pick<Connection, 'scope' | 'held'>): boolean {
    return held < this.changes.findLastId(scope)
  }

  /**
   * Calls the listener after delivery receipts have changed, at most twice a second. Returns a function that
   * unsubscribes.
   */
  subscribe(listener: DeliveryListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Schedules a notification, because an edge has reported. */
  markChanged(): void {
    if (this.#listeners.size === 0) return
    const delayMs = NOTIFY_MS + NOTIFY_MS_PER_CONNECTION * this.connections.size
    this.#notifying ??= setTimeout(() => this.#notify(), delayMs).unref()
  }

  close(): void {
    this.nodes.close()
    this.#unsubscribe()
    clearInterval(this.#sweeping)
    clearTimeout(this.#notifying)
  }

  /** Discards the reported revisions, because ids have a new meaning after a restore. */
  #forgetRevisions(): void {
    this.changes.reset()
    this.edges.clearHoldings()
    this.nodes.clear()
  }

  #recordHeld({ scope, from, to, atMs }: Parameters<RevisionListener>[0]): void {
    // a process that has just started had no earlier flags, so it was not waiting for a change
    if (from > 0) {
      for (const change of this.changes.listBetween(scope, from, to)) {
        const durationMs = Math.max(0, atMs - change.atMs)
        change.latencies.add(durationMs)
        this.#delivered(durationMs)
      }
    }
    this.markChanged()
  }

  #sweep(): void {
    if (this.connections.sweep() > 0) this.markChanged()
  }

  #notify(): void {
    this.#notifying = undefined
    const since = this.#clock() - LIVE_MS
    const recent = this.changes.all.filter(({ atMs }) => atMs >= since).slice(-MAX_LIVE_CHANGES)
    if (recent.length === 0) return
    for (const listener of this.#listeners) listener(recent)
  }
}
