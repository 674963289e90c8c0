import { type LeaseName, releaseLease, takeLease } from '@burgee/storage/queries/integrations/deliveries'
import { record } from '../../core/execute.ts'
import { newUuid, type World } from '../../core/world.ts'

/** Duration of a lease: longer than two calls can take. */
const LEASE_MS = 30_000
const CALL_MS = 10_000
/** Age at which the lease is renewed. */
const RENEW_MS = 5_000

/**
 * Lease that determines which node delivers to integrations, or exports events. With PostgreSQL, only one node at a
 * time holds the lease. With an embedded database, the only server always holds the lease.
 */
export class DeliveryLease {
  readonly #world: World
  readonly #name: LeaseName
  readonly #holder: string
  readonly #isShared: boolean
  /** Monotonic time at which the lease was requested. */
  #acquiredFromMs = Number.NEGATIVE_INFINITY

  constructor(world: World, name: LeaseName = 'deliveries') {
    this.#world = world
    this.#name = name
    this.#holder = newUuid(world.random)
    this.#isShared = world.db.kind === 'postgres'
  }

  /** Acquires or renews the lease. Returns true if this node holds the lease. Rejects on database errors. */
  async acquire(): Promise<boolean> {
    if (!this.#isShared) return true
    const requested = performance.now()
    if (requested - this.#acquiredFromMs < RENEW_MS) return true
    const isOurs = await record(this.#world, (tx) => takeLease(tx, this.#name, this.#holder, LEASE_MS))
    this.#acquiredFromMs = isOurs ? requested : Number.NEGATIVE_INFINITY
    return isOurs
  }

  /** Returns true if a call that starts now is certain to end before the lease expires. */
  isSafe(): boolean {
    return !this.#isShared || performance.now() - this.#acquiredFromMs < LEASE_MS - CALL_MS
  }

  /**
   * Releases the lease, so that another node can start immediately. Never rejects, because the lease also expires by
   * itself.
   */
  async release(): Promise<void> {
    if (!this.#isShared || this.#acquiredFromMs === Number.NEGATIVE_INFINITY) return
    this.#acquiredFromMs = Number.NEGATIVE_INFINITY
    await record(this.#world, (tx) => releaseLease(tx, this.#holder)).catch(() => {})
  }
}
