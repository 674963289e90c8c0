import { runInSlices } from '@burgee/kit/slices'
import {
  type Fleet,
  type FleetApplication,
  type FleetEdge,
  type FleetNode,
  type Holding,
  MAX_LISTED_CONNECTIONS,
} from '@burgee/protocol/administration/delivery-receipt'
import type { Connection } from '@burgee/serving/connections/connection-book'
import type { FlagScope } from '@burgee/serving/sdk/flag-query'
import type { ServerWorld } from '../../core/server-world.ts'
import type { EdgeReport } from '../../delivery/fleet/edge-reports.ts'
import type { FleetBook } from '../../delivery/fleet/fleet-book.ts'
import type { NodeReport } from '../../delivery/fleet/node-exchange.ts'
import { isEdgeConnection, isLate } from '../../delivery/fleet/node-rows.ts'
import { isIncomplete } from './delivery-view.ts'
import { isSilentEdge, toEdgeName, toTime } from './fleet-parts.ts'
import { collectConnections, countConnections, type NodeConnection } from './node-connections.ts'

type ViewWorld = Pick<ServerWorld, 'clock' | 'documents' | 'fleet'>
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Name under which this server is listed. */
const THIS_NODE = 'server'

/** Returns the fleet. Leaves out applications whose tokens only cover hidden projects. */
export async function readFleet({ clock, documents, fleet }: ViewWorld, hidden: readonly string[]): Promise<Fleet> {
  const view = new FleetView(fleet, clock(), hidden)
  const reports = fleet.edges.list()
  const nodes = fleet.nodes.list()
  await runInSlices(view.addAll(reports, nodes))
  return {
    ...view.toView(),
    environments: [...documents.states()].map(([environment, { revision }]) => ({
      environment,
      revision: revision.id,
    })),
    isIncomplete: isIncomplete(fleet, nodes),
  }
}

/** Groups connections by application, scope, SDK and revision. */
class FleetView {
  readonly #fleet: FleetBook
  readonly #now: number
  readonly #hidden: readonly string[]
  readonly #applications = new Map<string, Mutable<FleetApplication>>()
  readonly #edges = new Map<string, Mutable<FleetEdge>>()
  readonly #node: Mutable<FleetNode>
  readonly #nodes: FleetNode[] = []

  constructor(fleet: FleetBook, now: number, hidden: readonly string[]) {
    this.#fleet = fleet
    this.#now = now
    this.#hidden = hidden
    this.#node = { name: THIS_NODE, isThis: true, connections: 0, streams: 0, lastSeen: toTime(now) }
  }

  /** Generator that adds all connections and reports, one per iteration. */
  *addAll(reports: readonly EdgeReport[], nodes: readonly NodeReport[]): Generator<void, void> {
    const others = yield* collectConnections(nodes, ({ projects }) => this.#listVisible(projects).length > 0)
    for (const connection of this.#fleet.connections.list()) {
      this.#addConnection(connection, reports, others)
      yield
    }
    for (const [{ row, node, isLate }, connections] of countConnections(others.values())) {
      this.#addRows([{ ...row, connections }], { via: formatNode(node), isSilent: isLate })
    }
    for (const node of nodes) this.#addNode(node)
    for (const report of reports) {
      this.#addReport(report)
      yield
    }
  }

  #addConnection(connection: Connection, reports: readonly EdgeReport[], others: Map<number, NodeConnection>): void {
    const { scope, sdk, kind, appName, lastSeenMs, hash } = connection
    const projects = this.#listVisible(scope.projects)
    const streams = Number(kind === 'stream')
    this.#node.connections += 1
    this.#node.streams += streams
    if (projects.length === 0) return
    if (isEdgeConnection(connection)) {
      this.#addEdge(connection, reports)
      return
    }
    const other = others.get(hash)
    others.delete(hash)
    const held = Math.max(this.#fleet.getHeld(connection), other?.row.revision ?? 0)
    this.#addApplication({
      appName,
      environment: scope.environment,
      projects,
      sdk: sdk || null,
      via: null,
      connections: 1,
      streams,
      silent: Number(other?.isLate !== false && isLate(connection, this.#now)),
      holds: held === 0 ? null : held,
      isBehind: this.#fleet.isBehind({ scope, held }),
      lastSeen: toTime(lastSeenMs),
    })
  }

  #addReport(report: EdgeReport): void {
    const isSilent = isSilentEdge(report, this.#now)
    const edge = this.#getEdge(report.id, report)
    edge.isSilent ||= isSilent
    const rows = [...report.holdings.values()].flat()
    edge.connections += this.#addRows(rows, { via: edge.name, isSilent })
  }

  /** Adds the rows of an edge's or a node's processes. Returns the number of visible processes. */
  #addRows(
    rows: readonly Holding[],
    { via, isSilent }: Pick<FleetEdge, 'isSilent'> & { readonly via: string },
  ): number {
    let added = 0
    for (const { kind, appName, environment, projects, revision, connections, oldest } of rows) {
      const visible = this.#listVisible(projects)
      if (kind === 'pages' || visible.length === 0) continue
      added += connections
      this.#addApplication({
        appName,
        environment,
        projects: visible,
        sdk: null,
        via,
        connections,
        streams: 0,
        silent: isSilent ? connections : 0,
        holds: revision === 0 ? null : revision,
        isBehind: this.#fleet.isBehind({ scope: { environment, projects }, held: revision }),
        lastSeen: toTime(oldest),
      })
    }
    return added
  }

  /** Adds the connection counts of another server node. */
  #addNode(node: NodeReport): void {
    const { connections, reportedAtMs } = node
    this.#nodes.push({ name: formatNode(node), isThis: false, connections, streams: 0, lastSeen: toTime(reportedAtMs) })
  }

  toView(): Pick<Fleet, 'nodes' | 'edges' | 'applications'> {
    const applications = [...this.#applications.values()].sort(
      (a, b) => Number(b.silent > 0 || b.isBehind) - Number(a.silent > 0 || a.isBehind) || compareNames(a, b),
    )
    return {
      nodes: [this.#node, ...this.#nodes],
      edges: [...this.#edges.values()],
      applications: applications.slice(0, MAX_LISTED_CONNECTIONS),
    }
  }

  #listVisible(projects: FlagScope['projects']): string[] {
    return projects.filter((project) => !this.#hidden.includes(project))
  }

  #addApplication(row: FleetApplication): void {
    const { appName, environment, projects, sdk, via, holds } = row
    const key = JSON.stringify([appName, environment, projects, sdk, via, holds])
    const known = this.#applications.get(key)
    if (known === undefined) {
      this.#applications.set(key, { ...row })
      return
    }
    known.connections += row.connections
    known.streams += row.streams
    known.silent += row.silent
    if (row.lastSeen > known.lastSeen) known.lastSeen = row.lastSeen
  }

  #addEdge(connection: Connection, reports: readonly EdgeReport[]): void {
    const { id, appName, sdk, scope, lastSeenMs } = connection
    const held = this.#fleet.getHeld(connection)
    const isBehind = this.#fleet.isBehind({ scope, held })
    const report = reports.find((one) => one.id === id)
    const edge = this.#getEdge(id, { name: report?.name ?? appName, version: report?.version ?? (sdk || null) })
    const lastSeen = toTime(lastSeenMs)
    if (lastSeen > edge.lastSeen) edge.lastSeen = lastSeen
    edge.isSilent ||= isLate(connection, this.#now)
    const others = edge.environments.filter(({ environment }) => environment !== scope.environment)
    const own = edge.environments.find(({ environment }) => environment === scope.environment)
    const holds = Math.min(own?.holds ?? held, held) || null
    const row = { environment: scope.environment, holds, isBehind: isBehind || own?.isBehind === true }
    edge.environments = [...others, row]
  }

  #getEdge(id: string, report: Pick<EdgeReport, 'name' | 'version'> & Partial<EdgeReport>): Mutable<FleetEdge> {
    const known = this.#edges.get(id)
    if (known !== undefined) return known
    const fresh: Mutable<FleetEdge> = {
      name: toEdgeName(report.name),
      version: report.version,
      environments: [],
      connections: 0,
      streams: report.streams ?? 0,
      lastSeen: toTime(report.reportedAtMs ?? 0),
      isSilent: false,
      upstreamP99Ms: report.upstreamP99Ms ?? null,
    }
    this.#edges.set(id, fresh)
    return fresh
  }
}

/**
 * Returns the display name of another node; a suffix distinguishes nodes on the same machine, which have the same host
 * name.
 */
function formatNode({ id, name }: NodeReport): string {
  return `${name} (${id.slice(0, 4)})`
}

function compareNames(a: FleetApplication, b: FleetApplication): number {
  return a.appName < b.appName ? -1 : Number(a.appName > b.appName)
}
