import { runInSlices } from '@burgee/kit/slices'
import type {
  Delivery,
  DeliveryEdge,
  Holding,
  PendingConnection,
} from '@burgee/protocol/administration/delivery-receipt'
import { MAX_LISTED_CONNECTIONS } from '@burgee/protocol/administration/delivery-receipt'
import type { Connection, ConnectionBook } from '@burgee/serving/connections/connection-book'
import { findFlagChange } from '@burgee/storage/queries/events/flag-changes'
import type { ServerWorld } from '../../core/server-world.ts'
import type { EdgeReport } from '../../delivery/fleet/edge-reports.ts'
import type { FleetBook } from '../../delivery/fleet/fleet-book.ts'
import type { NodeReport } from '../../delivery/fleet/node-exchange.ts'
import { isEdgeConnection, isLate } from '../../delivery/fleet/node-rows.ts'
import { isInProjects } from '../../delivery/fleet/recent-changes.ts'
import { type FeatureEnvironmentRef, readFeatureEnvironment } from '../flags/feature-ref.ts'
import { isSilentEdge, listRows, toEdgeName, toTime } from './fleet-parts.ts'
import { collectConnections, countConnections, type NodeConnection } from './node-connections.ts'

type ViewWorld = Pick<ServerWorld, 'db' | 'clock' | 'documents' | 'fleet'>

/** Change for which a receipt is built. */
interface Target {
  readonly ref: FeatureEnvironmentRef
  readonly epoch: string
  /** Id of the event of the change; 0 if the flag was never changed in the environment. */
  readonly id: number
}

type State = 'held' | PendingConnection['state']

/**
 * Returns the delivery receipt for a change to a flag: how many connections have already received the change. Returns
 * undefined if the given event did not change the flag in that environment.
 */
export async function readDelivery(
  world: ViewWorld,
  ref: FeatureEnvironmentRef,
  event: number | undefined,
): Promise<Delivery | undefined> {
  const change = await world.db.view(async (reader) => {
    await readFeatureEnvironment(reader, ref)
    return findFlagChange(reader, ref, event)
  })
  if (event !== undefined && change === undefined) return undefined
  const { fleet, documents } = world
  const state = documents.peek(ref.environment)
  const target: Target = { ref, epoch: state?.revision.epoch ?? '', id: change?.id ?? 0 }
  const receipt = new Receipt(target, world.clock())
  const reports = fleet.edges.list()
  const nodes = fleet.nodes.list()
  await runInSlices(receipt.addAll(fleet.connections, reports, nodes))
  const latencies = fleet.changes.find(target.id)?.latencies
  const pages = fleet.pages.count(
    ({ environment, projects }) => environment === ref.environment && isInProjects(ref.project, projects),
    { epoch: target.epoch, id: target.id },
  )
  return {
    event: change?.id ?? null,
    revision: state?.revision.id ?? null,
    committedAt: change === undefined ? null : toTime(change.atMs),
    ...receipt.toView(),
    pages: { seen: pages.seen + receipt.pages.seen, held: Math.min(pages.held, pages.seen) + receipt.pages.held },
    nodes: nodes.length,
    p50Ms: latencies?.percentile(0.5) ?? null,
    p99Ms: latencies?.percentile(0.99) ?? null,
    isIncomplete: isIncomplete(fleet, nodes),
  }
}

/** Counts the connections that receive the flag. */
class Receipt {
  readonly pages = { seen: 0, held: 0 }
  readonly #target: Target
  readonly #now: number
  readonly #counts = { known: 0, held: 0, offered: 0 }
  readonly #streams = { open: 0, sent: 0 }
  readonly #waiting: PendingConnection[] = []
  readonly #edges = new Map<string, DeliveryEdge>()

  constructor(target: Target, now: number) {
    this.#target = target
    this.#now = now
  }

  /** Generator that adds all connections, one per iteration. */
  *addAll(
    connections: ConnectionBook,
    reports: readonly EdgeReport[],
    nodes: readonly NodeReport[],
  ): Generator<void, void> {
    const { ref } = this.#target
    const others = yield* collectConnections(
      nodes,
      ({ environment, projects }) => environment === ref.environment && isInProjects(ref.project, projects),
    )
    for (const connection of connections.list()) {
      this.#addConnection(connection, reports, others)
      yield
    }
    this.#addNodeConnections(others)
    for (const report of reports) {
      this.#addHoldings(report)
      yield
    }
  }

  #addConnection(connection: Connection, reports: readonly EdgeReport[], others: Map<number, NodeConnection>): void {
    const { scope, kind, epoch, offered, hash } = connection
    const { ref } = this.#target
    const receives =
      scope.environment === ref.environment &&
      isInProjects(ref.project, scope.projects) &&
      ref.feature.startsWith(scope.namePrefix ?? '')
    if (!receives) return
    const isCurrent = epoch === this.#target.epoch
    if (isEdgeConnection(connection)) {
      this.#addEdge(connection, isCurrent ? this.#getState(connection.held, offered) : 'waiting', reports)
      return
    }
    const other = others.get(hash)
    others.delete(hash)
    const held = Math.max(isCurrent ? connection.held : 0, other?.row.revision ?? 0)
    const state = this.#getState(held, isCurrent ? offered : 0)
    this.#count(state, 1)
    if (kind === 'stream') {
      this.#streams.open += 1
      if (state === 'held') this.#streams.sent += 1
    }
    if (state !== 'held')
      this.#addWaiting(this.#toWaiting(connection, state, { held, isSeenByOther: other?.isLate === false }))
  }

  /** Adds the connections that only other nodes have reported. */
  #addNodeConnections(others: ReadonlyMap<number, NodeConnection>): void {
    for (const [{ row, node, isLate }, connections] of countConnections(others.values())) {
      this.#addGroup({ ...row, connections }, node.name, isLate)
    }
  }

  /** Adds the processes and pages that an edge has reported. */
  #addHoldings(report: EdgeReport): void {
    const { ref } = this.#target
    const name = toEdgeName(report.name)
    const isSilent = isSilentEdge(report, this.#now)
    const rows = listRows(report, ref.environment).filter((row) => isInProjects(ref.project, row.projects))
    for (const row of rows) {
      if (row.kind === 'processes') {
        this.#addGroup(row, name, isSilent)
        continue
      }
      this.pages.seen += row.connections
      if (this.#getState(row.revision, row.revision) === 'held') this.pages.held += row.connections
    }
  }

  #addGroup({ appName, revision, connections, oldest }: Holding, via: string, isSilent: boolean): void {
    const state = this.#getState(revision, revision)
    this.#count(state, connections)
    if (state === 'held') return
    this.#addWaiting({
      appName,
      connectionId: null,
      isAbout: false,
      sdk: null,
      via,
      connections,
      state,
      holds: revision === 0 ? null : revision,
      lastSeen: toTime(oldest),
      expectedBy: null,
      isSilent,
    })
  }

  toView(): Pick<Delivery, 'processes' | 'streams' | 'edges'> {
    // silent processes come first, because they need attention
    const waiting = this.#waiting.sort((a, b) => Number(b.isSilent) - Number(a.isSilent))
    return {
      processes: { ...this.#counts, waiting: waiting.slice(0, MAX_LISTED_CONNECTIONS) },
      streams: this.#streams,
      edges: [...this.#edges.values()].slice(0, MAX_LISTED_CONNECTIONS),
    }
  }

  #getState(held: number, offered: number): State {
    if (held >= this.#target.id) return 'held'
    return offered >= this.#target.id ? 'offered' : 'waiting'
  }

  #count(state: State, connections: number): void {
    this.#counts.known += connections
    if (state === 'held') this.#counts.held += connections
    else if (state === 'offered') this.#counts.offered += connections
  }

  #addWaiting(waiting: PendingConnection): void {
    this.#waiting.push(waiting)
  }

  #toWaiting(
    connection: Connection,
    state: PendingConnection['state'],
    { held, isSeenByOther }: { readonly held: number; readonly isSeenByOther: boolean },
  ): PendingConnection {
    const { id, isAbout, appName, sdk, kind, intervalMs, lastSeenMs } = connection
    const expectedByMs = lastSeenMs + intervalMs
    return {
      appName,
      connectionId: id,
      isAbout,
      sdk: sdk || null,
      via: null,
      connections: 1,
      state,
      holds: held === 0 ? null : held,
      lastSeen: toTime(lastSeenMs),
      expectedBy: kind === 'stream' ? null : toTime(expectedByMs),
      isSilent: !isSeenByOther && isLate(connection, this.#now),
    }
  }

  #addEdge(connection: Connection, state: State, reports: readonly EdgeReport[]): void {
    const { id, appName, sdk, epoch, lastSeenMs } = connection
    const held = epoch === this.#target.epoch ? connection.held : 0
    const report = reports.find((one) => one.id === id)
    const rows = report === undefined ? [] : listRows(report, this.#target.ref.environment)
    const known = this.#edges.get(id)
    this.#edges.set(id, {
      name: toEdgeName(report?.name ?? appName),
      version: report?.version ?? (sdk || null),
      // an edge can fetch one environment with several tokens
      holds: Math.min(known?.holds ?? held, held) || null,
      isHeld: (known?.isHeld ?? true) && state === 'held',
      lastSeen: toTime(Math.max(lastSeenMs, known === undefined ? 0 : Date.parse(known.lastSeen))),
      isSilent: isLate(connection, this.#now),
      connections: rows.reduce((sum, row) => sum + (row.kind === 'processes' ? row.connections : 0), 0),
    })
  }
}

/** Returns true if connections or edges may be missing from the view, because each edge reports to one node only. */
export function isIncomplete(
  { connections, edges }: Pick<FleetBook, 'connections' | 'edges'>,
  nodes: readonly NodeReport[],
): boolean {
  return connections.isIncomplete || edges.isIncomplete || nodes.some(({ isPartial, edges }) => isPartial || edges > 0)
}
