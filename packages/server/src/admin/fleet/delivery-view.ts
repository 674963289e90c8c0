import { runInSlices } from '@burgee/kit/slices'
import type { Delivery, DeliveryEdge, WaitingConnection } from '@burgee/protocol/administration/delivery-receipt'
import { MAX_LISTED_CONNECTIONS } from '@burgee/protocol/administration/delivery-receipt'
import { getClientKind } from '@burgee/protocol/sdk/client-kind'
import type { Connection, ConnectionBook } from '@burgee/serving/connections/connection-book'
import { findFlagChange } from '@burgee/storage/queries/events/flag-changes'
import type { ServerWorld } from '../../core/server-world.ts'
import type { EdgeReport } from '../../delivery/fleet/edge-reports.ts'
import type { NodeReport } from '../../delivery/fleet/node-exchange.ts'
import { isInProjects } from '../../delivery/fleet/recent-changes.ts'
import { type FeatureEnvironmentRef, readFeatureEnvironment } from '../flags/feature-ref.ts'
import { isSilentEdge, listRows, toEdgeName, toTime } from './fleet-parts.ts'

type ViewWorld = Pick<ServerWorld, 'db' | 'clock' | 'documents' | 'fleet'>

/** Change whose receipt is built. */
interface Target {
  readonly ref: FeatureEnvironmentRef
  readonly epoch: string
  /** Id of the event; 0 if the flag was never changed in the environment. */
  readonly id: number
}

type State = 'held' | WaitingConnection['state']

/** Returns the receipt of a change of a flag. Returns undefined if the given event did not change the flag there. */
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
    isIncomplete: fleet.connections.isIncomplete,
  }
}

/** Adds up the connections that receive the flag. */
class Receipt {
  readonly pages = { seen: 0, held: 0 }
  readonly #target: Target
  readonly #now: number
  readonly #counts = { known: 0, held: 0, offered: 0 }
  readonly #streams = { open: 0, sent: 0 }
  readonly #waiting: WaitingConnection[] = []
  readonly #edges = new Map<string, DeliveryEdge>()

  constructor(target: Target, now: number) {
    this.#target = target
    this.#now = now
  }

  /** Adds all connections, one per step. */
  *addAll(
    connections: ConnectionBook,
    reports: readonly EdgeReport[],
    nodes: readonly NodeReport[],
  ): Generator<void, void> {
    for (const connection of connections.list()) {
      this.#addConnection(connection, reports)
      yield
    }
    for (const report of [...reports, ...nodes]) {
      this.#addHoldings(report)
      yield
    }
  }

  #addConnection(connection: Connection, reports: readonly EdgeReport[]): void {
    const { scope, sdk, kind, epoch, held, offered } = connection
    const { ref } = this.#target
    const receives =
      scope.environment === ref.environment &&
      isInProjects(ref.project, scope.projects) &&
      ref.feature.startsWith(scope.namePrefix ?? '')
    if (!receives) return
    const state = epoch === this.#target.epoch ? this.#getState(held, offered) : 'waiting'
    const clientKind = getClientKind(sdk, false)
    if (clientKind === 'edge' || clientKind === 'proxy') {
      this.#addEdge(connection, state, reports)
      return
    }
    this.#count(state, 1)
    if (kind === 'stream') {
      this.#streams.open += 1
      if (state === 'held') this.#streams.sent += 1
    }
    if (state !== 'held') this.#addWaiting(this.#toWaiting(connection, state))
  }

  /** Adds the processes and pages that an edge or another node has reported. */
  #addHoldings(report: NodeReport): void {
    const { ref } = this.#target
    const name = toEdgeName(report.name)
    const isSilent = isSilentEdge(report, this.#now)
    const rows = listRows(report, ref.environment).filter((row) => isInProjects(ref.project, row.projects))
    for (const { kind, appName, revision, connections, oldest } of rows) {
      const state = this.#getState(revision, revision)
      if (kind === 'pages') {
        this.pages.seen += connections
        if (state === 'held') this.pages.held += connections
        continue
      }
      this.#count(state, connections)
      if (state === 'held') continue
      this.#addWaiting({
        appName,
        connectionId: null,
        isAbout: false,
        sdk: null,
        via: name,
        connections,
        state,
        holds: revision === 0 ? null : revision,
        lastSeen: toTime(oldest),
        expectedBy: null,
        isSilent,
      })
    }
  }

  toView(): Pick<Delivery, 'processes' | 'streams' | 'edges'> {
    // silent processes first: they are the ones to look at
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

  #addWaiting(waiting: WaitingConnection): void {
    this.#waiting.push(waiting)
  }

  #toWaiting(connection: Connection, state: WaitingConnection['state']): WaitingConnection {
    const { id, isAbout, appName, sdk, kind, intervalMs, lastSeenMs, held } = connection
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
      isSilent: isLate(connection, this.#now),
    }
  }

  #addEdge(connection: Connection, state: State, reports: readonly EdgeReport[]): void {
    const { id, appName, sdk, held, lastSeenMs } = connection
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

/** Returns true if a connection has missed a poll. */
export function isLate({ kind, lastSeenMs, intervalMs }: Connection, now: number): boolean {
  return kind === 'poll' && now - lastSeenMs > intervalMs * LATE_INTERVALS
}

/** SDKs add some jitter to their intervals, and a poll takes time. */
const LATE_INTERVALS = 1.5
