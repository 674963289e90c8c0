import { GroupTotals } from '@burgee/kit/group-totals'
import type { Network } from '@burgee/kit/http/network'

/** Caller whose report brought a name. Plain texts, so that it can be sent to another process. */
export interface NameOwner {
  readonly network: string
  readonly token: string
  /** Both together. */
  readonly pair: string
}

/** Returns the owner of what a caller reports. */
export function nameOwner(network: Network, token: string): NameOwner {
  return { network: `network ${network}`, token: `token ${token}`, pair: `${network} ${token}` }
}

/**
 * Owner of names that were asked for with a token and are no flags. They have a share of their own, so that invented
 * names do not keep out what SDKs report.
 */
export function askedNamesOwner(token: string): NameOwner {
  return { network: 'network of asked names', token: `token ${token}`, pair: `asked ${token}` }
}

/** Names that one owner brought. */
export interface OwnedNames {
  readonly owner: NameOwner
  readonly names: readonly string[]
}

/** How many names may be kept at once, of how many characters each and together. */
export interface NameBounds {
  readonly names: number
  readonly length: number
  /** Without bound by default. */
  readonly characters?: number
}

/** A token or a network gets at most nine times as much as is still free, as with streams: others always find room. */
const SHARE_FACTOR = 9

/** Amount that owners share: of each pair of token and network at most as much as is still free. */
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
    const isWithin = (group: string) => this.#totals.get(group) + amount <= SHARE_FACTOR * free
    return this.#totals.get(pair) + amount <= free && isWithin(token) && isWithin(network)
  }

  add(amount: number, owner: NameOwner | undefined): void {
    this.#used += amount
    if (owner === undefined) return
    for (const group of [owner.pair, owner.token, owner.network]) this.#totals.add(group, amount)
  }
}

/**
 * Room for names that counts are kept by: flags, variants, applications. Callers invent names, so there is a bound, and a
 * share for each token and network. Names without an owner are those of flags that exist; they have no share. Drops are
 * counted.
 */
export class NameRoom {
  readonly #bounds: NameBounds
  readonly #names: SharedAmount
  readonly #characters: SharedAmount
  /** Owners of names that were given back, for names that return because they could not be delivered. */
  #recalled = new Map<string, NameOwner>()
  /** Those before, so that forgetting the oldest ones costs nothing. */
  #recalledBefore = new Map<string, NameOwner>()
  #dropped = 0

  constructor(bounds: NameBounds) {
    this.#bounds = bounds
    this.#names = new SharedAmount(bounds.names)
    this.#characters = new SharedAmount(bounds.characters ?? Number.POSITIVE_INFINITY)
  }

  /** How many names had their counts dropped so far. */
  get dropped(): number {
    return this.#dropped
  }

  /** How many names are kept. */
  get names(): number {
    return this.#names.used
  }

  /** Returns the owner of a name that was given back last; undefined if it had none. */
  ownerOf(name: string): NameOwner | undefined {
    return this.#recalled.get(name) ?? this.#recalledBefore.get(name)
  }

  /** Returns the owners of names that were given back last. */
  ownersOf(names: readonly string[]): OwnedNames[] {
    const owned = new Map<NameOwner, string[]>()
    for (const name of names) {
      const owner = this.ownerOf(name)
      if (owner === undefined) continue
      const list = owned.get(owner) ?? []
      owned.set(owner, list)
      list.push(name)
    }
    return [...owned].map(([owner, list]) => ({ owner, names: list }))
  }

  /** Notes owners of names that another process has given back and that follow. */
  recall(owned: readonly OwnedNames[]): void {
    for (const { owner, names } of owned) for (const name of names) this.#recall(name, owner)
  }

  /** Notes names that whoever kept them has given up. */
  drop(names: number): void {
    this.#dropped += names
  }

  /** Takes room for a name; false where there is none, and then it is counted as dropped. */
  take(name: string, owner: NameOwner | undefined): boolean {
    const isTaken =
      name.length <= this.#bounds.length && this.#names.fits(1, owner) && this.#characters.fits(name.length, owner)
    if (isTaken) this.#add(1, name.length, owner)
    else this.#dropped += 1
    return isTaken
  }

  /** Gives back room of a name. */
  give(name: string, owner: NameOwner | undefined): void {
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

/** Names that belong together: kept one by one, given back all at once. */
export class KeptNames {
  readonly #room: NameRoom
  #kept: { readonly name: string; readonly owner: NameOwner | undefined }[] = []

  constructor(room: NameRoom) {
    this.#room = room
  }

  /**
   * Keeps a name that is not kept yet; false where there is no room.
   *
   * @param owner whoever brought it; for names that return, whoever brought them first
   */
  keep(name: string, owner: NameOwner | undefined): boolean {
    const payer = owner ?? this.#room.ownerOf(name)
    if (!this.#room.take(name, payer)) return false
    this.#kept.push({ name, owner: payer })
    return true
  }

  /** Gives all of them back. */
  release(): void {
    for (const { name, owner } of this.#kept) this.#room.give(name, owner)
    this.#kept = []
  }
}
