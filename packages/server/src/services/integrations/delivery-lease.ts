import { leaveLease, takeLease } from '../../store/integrations/deliveries.ts'
import { record } from '../execute.ts'
import { newUuid, type World } from '../world.ts'

/** Longer than a call takes, twice. */
const LENGTH_MS = 30_000
const CALL_MS = 10_000
/** Asked for anew when so much of it is over. */
const RENEW_MS = 5_000

/** Which node delivers: of those of one PostgreSQL one at a time. An embedded database has one server, which does. */
export class DeliveryLease {
  readonly #world: World
  readonly #holder: string
  readonly #isShared: boolean
  /** By the clock that nobody sets back. */
  #heldFrom = Number.NEGATIVE_INFINITY

  constructor(world: World) {
    this.#world = world
    this.#holder = newUuid(world.random)
    this.#isShared = world.db.kind === 'postgres'
  }

  /** Takes it, or keeps it; whether it is ours. Throws what the database throws. */
  async hold(): Promise<boolean> {
    if (!this.#isShared) return true
    const asked = performance.now()
    if (asked - this.#heldFrom < RENEW_MS) return true
    const isOurs = await record(this.#world, (tx) => takeLease(tx, this.#holder, LENGTH_MS))
    this.#heldFrom = isOurs ? asked : Number.NEGATIVE_INFINITY
    return isOurs
  }

  /** Whether a call that begins now ends while it is ours. */
  isSafe(): boolean {
    return !this.#isShared || performance.now() - this.#heldFrom < LENGTH_MS - CALL_MS
  }

  /** Lets another node begin at once. Never rejects: it ends by itself as well. */
  async leave(): Promise<void> {
    if (!this.#isShared || this.#heldFrom === Number.NEGATIVE_INFINITY) return
    this.#heldFrom = Number.NEGATIVE_INFINITY
    await record(this.#world, (tx) => leaveLease(tx, this.#holder)).catch(() => {})
  }
}
