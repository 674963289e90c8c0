import {
  type GaugeMinute,
  listOtherReports,
  type OtherReports,
  putGaugeReports,
} from '@burgee/storage/queries/impact/gauge-reports'
import { record } from '../../core/execute.ts'
import { newUuid, type World } from '../../core/world.ts'
import type { ImpactLane, SealedMinute } from './impact-lane.ts'

/**
 * Time after the end of a minute at which all nodes have stored their reports of the minute. Nodes write every ten
 * seconds.
 */
const SETTLED_MS = 15_000

/**
 * Collects gauges with other nodes. A connection may report to several nodes, for example behind a load balancer. For
 * each minute it counts only at the node that got its last report before the end of the minute. To find this node,
 * each node first stores the times of its reports, and then reads those of the other nodes.
 */
export class SharedGauges {
  /** Id of this node. */
  readonly node: string
  readonly #world: World
  /** Sealed minutes whose report times this node has stored. */
  readonly #published = new WeakSet<SealedMinute>()

  constructor(world: World) {
    this.#world = world
    this.node = newUuid(world.random)
  }

  /**
   * Adds the gauges of the minute that has ended to the waiting values of a lane, as soon as all nodes have stored
   * their reports; at once if this is the last write of this node. Rejects on database errors.
   */
  async collect(lane: ImpactLane, { now, isLast }: { readonly now: number; readonly isLast: boolean }): Promise<void> {
    lane.sealGauges(now)
    // an embedded database has one node
    if (this.#world.db.kind === 'sqlite') return lane.addSealedGauges()
    const settled = lane.sealed
    if (settled === undefined) return
    // repeated after a failed write, because other nodes would count the same connections otherwise
    if (!this.#published.has(settled)) await this.#publish(lane, settled)
    this.#published.add(settled)
    if (!isLast && now < settled.end + SETTLED_MS) return
    const minute = this.#describe(lane, settled)
    const others = await this.#world.db.view((reader) => listOtherReports(reader, minute))
    const owners = findOwners(others)
    lane.addSealedGauges(({ key, at }) => {
      const owner = owners.get(key)
      return owner === undefined || owner.at < at || (owner.at === at && owner.node > this.node)
    })
  }

  async #publish(lane: ImpactLane, sealed: SealedMinute): Promise<void> {
    const times = sealed.gauges.flatMap(({ connections }) => connections.map(({ key, at }) => [key, at] as const))
    const minute = this.#describe(lane, sealed)
    await record(this.#world, (tx) => putGaugeReports(tx, minute, times))
  }

  #describe({ scope }: ImpactLane, { minute }: SealedMinute): GaugeMinute {
    return { ...scope, minute, node: this.node }
  }
}

/** Node that got the last report of a connection. */
interface Owner {
  readonly node: string
  readonly at: number
}

/** Returns the node with the last report of each connection; of nodes with equal times, the one with the lower id. */
function findOwners(others: readonly OtherReports[]): ReadonlyMap<string, Owner> {
  const owners = new Map<string, Owner>()
  for (const { node, times } of others.toSorted((a, b) => (a.node < b.node ? -1 : 1))) {
    for (const [key, at] of times)
      if ((owners.get(key)?.at ?? Number.NEGATIVE_INFINITY) < at) owners.set(key, { node, at })
  }
  return owners
}
