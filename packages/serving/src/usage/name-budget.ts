import { BoundedCache } from '@burgee/kit/bounded-cache'
import { isWithinShare } from '@burgee/kit/fair-share'
import { GroupTotals } from '@burgee/kit/group-totals'
import type { Network } from '@burgee/kit/http/client-network'

/**
 * Caller whose report introduced a name, and whose budget the name is charged to. All fields are plain strings, so that
 * the object can be sent to another process.
 */
export interface NameOwner {
  readonly network: string
  readonly token: string
  /** The network and the token, combined into one string. */
  readonly pair: string
}

/** Returns the budget owner for names that a caller reports. */
export function createNameOwner(network: Network, token: string): NameOwner {
  return { network: `network ${network}`, token: `token ${token}`, pair: `${network} ${token}` }
}

/**
 * Returns the budget owner for flag names that callers of a token request but that do not exist. Requested names have a
 * separate budget, so that invented names do not displace names that SDKs report.
 */
export function createRequestedNamesOwner(token: string): NameOwner {
  return { network: 'network of asked names', token: `token ${token}`, pair: `asked ${token}` }
}

/** Names charged to one budget owner. */
export interface OwnedNames {
  readonly owner: NameOwner
  readonly names: readonly string[]
}

/** Limits on names that are buffered. */
export interface NameBounds {
  readonly names: number
  readonly length: number
  /** Maximum total length of the names; unlimited by default. */
  readonly characters?: number
}

/**
 * Maximum number of budget owners for which a shared object is cached. All names of a budget owner refer to the same
 * object.
 */
const MAX_SHARED_OWNERS = 1000

/** Amount that all budget owners share. Each pair of token and network may use at most as much as is still free. */
class SharedAmount {
  readonly #max: number
  readonly #totals = new GroupTotals()
  #used = 0

  constructor(max: number) {
    this.#max = max
  }

  get used(): number {
    return this.#used
  }

  fits(amount: number, owner: NameOwner | undefined): boolean {
    const free = this.#max - this.#used
    if (amount > free) return false
    if (owner === undefined) return true
    const { pair, token, network } = owner
    const isWithin = (group: string) => isWithinShare(this.#totals.get(group) + amount, free)
    return this.#totals.get(pair) + amount <= free && isWithin(token) && isWithin(network)
  }

  add(amount: number, owner: NameOwner | undefined): void {
    this.#used += amount
    if (owner === undefined) return
    for (const group of [owner.pair, owner.token, owner.network]) this.#totals.add(group, amount)
  }
}

/**
 * Budget for the names under which counts are stored: the names of flags, variants and applications. The budget is
 * limited, because callers can invent names. Each token and each network may use only a limited part of the budget.
 * Names of existing flags belong to no budget owner and are not limited. Names that are dropped are counted.
 */
export class NameBudget {
  readonly #bounds: NameBounds
  readonly #names: SharedAmount
  readonly #characters: SharedAmount
  /**
   * Shared owner objects, by pair of network and token. Each request creates a new owner object, which takes more
   * memory than a name; sharing the objects avoids this.
   */
  readonly #owners = new BoundedCache<NameOwner>({ entries: MAX_SHARED_OWNERS })
  /**
   * Budget owners of names that were released recently. Released names return if their counts could not be delivered.
   */
  #recalled = new Map<string, NameOwner>()
  /** Previous generation of `#recalled`. Dropping a whole generation at once makes eviction cheap. */
  #recalledBefore = new Map<string, NameOwner>()
  #dropped = 0

  constructor(bounds: NameBounds) {
    this.#bounds = bounds
    this.#names = new SharedAmount(bounds.names)
    this.#characters = new SharedAmount(bounds.characters ?? Number.POSITIVE_INFINITY)
  }

  /** Number of names dropped so far, together with their counts. */
  get dropped(): number {
    return this.#dropped
  }

  /** Number of names that are buffered. */
  get names(): number {
    return this.#names.used
  }

  /** Returns the stored object for an equal budget owner, if any, so that all names of an owner share one object. */
  shareOwner(owner: NameOwner): NameOwner {
    const known = this.#owners.peek(owner.pair)
    if (known !== undefined) return known
    this.#owners.set(owner.pair, owner)
    return owner
  }

  /** Returns the budget owner of a name that was released recently, or undefined if it had none. */
  findOwner(name: string): NameOwner | undefined {
    return this.#recalled.get(name) ?? this.#recalledBefore.get(name)
  }

  /** Returns those of the given names that were released recently, grouped by budget owner. */
  listOwners(names: readonly string[]): OwnedNames[] {
    const owned = new Map<NameOwner, string[]>()
    for (const name of names) {
      const owner = this.findOwner(name)
      if (owner === undefined) continue
      const list = owned.get(owner) ?? []
      owned.set(owner, list)
      list.push(name)
    }
    return [...owned].map(([owner, list]) => ({ owner, names: list }))
  }

  /** Stores the budget owners of names that another process has released and that are about to arrive here. */
  recall(owned: readonly OwnedNames[]): void {
    for (const { owner, names } of owned) {
      const shared = this.shareOwner(owner)
      for (const name of names) this.#recall(name, shared)
    }
  }

  /** Adds to the number of dropped names. */
  drop(names: number): void {
    this.#dropped += names
  }

  /** Reserves room for one name. If there is no room left, counts the name as dropped and returns false. */
  reserve(name: string, owner: NameOwner | undefined): boolean {
    const isTaken =
      name.length <= this.#bounds.length && this.#names.fits(1, owner) && this.#characters.fits(name.length, owner)
    if (isTaken) this.#add(1, name.length, owner)
    else this.#dropped += 1
    return isTaken
  }

  /** Frees the room that a name uses. */
  release(name: string, owner: NameOwner | undefined): void {
    this.#add(-1, -name.length, owner)
    if (owner !== undefined) this.#recall(name, owner)
  }

  #add(names: number, characters: number, owner: NameOwner | undefined): void {
    this.#names.add(names, owner)
    this.#characters.add(characters, owner)
  }

  #recall(name: string, owner: NameOwner): void {
    this.#recalled.set(name, owner)
    if (this.#recalled.size < this.#bounds.names) return
    this.#recalledBefore = this.#recalled
    this.#recalled = new Map()
  }
}

/** Names that are reserved individually and released all at once. */
export class ReservedNames {
  readonly #budget: NameBudget
  #reserved: { readonly name: string; readonly owner: NameOwner | undefined }[] = []

  constructor(room: NameBudget) {
    this.#budget = room
  }

  /**
   * Reserves a name, unless it is reserved already. Returns false if there is no room left.
   *
   * @param owner caller that reported the name; a name that returns is charged to its first owner
   */
  reserve(name: string, owner: NameOwner | undefined): boolean {
    const payer = owner === undefined ? this.#budget.findOwner(name) : this.#budget.shareOwner(owner)
    if (!this.#budget.reserve(name, payer)) return false
    this.#reserved.push({ name, owner: payer })
    return true
  }

  /** Releases all names. */
  release(): void {
    for (const { name, owner } of this.#reserved) this.#budget.release(name, owner)
    this.#reserved = []
  }
}
