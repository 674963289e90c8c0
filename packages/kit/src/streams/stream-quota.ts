import type { DescriptorBudget } from '../descriptors.ts'
import { isWithinShare } from '../fair-share.ts'
import { GroupTotals } from '../group-totals.ts'
import type { Network } from '../http/client-network.ts'

/** Caller that opens a stream. The token, the network and the user of a stream have separate quotas. */
export interface StreamCaller {
  readonly network: Network
  /** Id of the API token or client key; undefined for users. */
  readonly token?: string | undefined
  /** Id of the user who has logged in or uses a personal token. */
  readonly user?: string | undefined
}

/**
 * Reason why a stream cannot start. `full`: the maximum for its kind is reached. `token`, `network`, `user`: the quota
 * of that token, network or user is exhausted. `descriptors`: the remaining file descriptors are reserved for other
 * requests.
 */
export type QuotaRefusal = 'full' | 'token' | 'network' | 'user' | 'descriptors'

/** Limits on the streams of a process. */
export interface StreamQuotaOptions {
  /** Maximum number of streams of each kind. */
  readonly maxPerKind: number
  /** Maximum number of streams per user, counted across all kinds; unlimited by default. */
  readonly maxPerUser?: number | undefined
  /** Budget of file descriptors for the process; unlimited by default. */
  readonly descriptors?: DescriptorBudget | undefined
}

/** Counts open streams by kind, token, network and user. Decides whether one more stream may open. */
export class StreamQuota {
  readonly #options: StreamQuotaOptions
  readonly #kinds = new Map<string, number>()
  readonly #groups = new GroupTotals()

  constructor(options: StreamQuotaOptions) {
    this.#options = options
  }

  /** Number of open streams by kind, for each kind that was ever opened. */
  get counts(): ReadonlyMap<string, number> {
    return this.#kinds
  }

  /** Returns true if a token cannot open a stream, whatever the network. */
  isFull(kind: string, token: string | undefined): boolean {
    const free = this.#free(kind)
    return free <= 0 || (token !== undefined && this.#isOverShare(buildTokenKey(kind, token), free))
  }

  /** Returns the reason why a stream cannot start; undefined if it can start. */
  refusal(kind: string, { network, token, user }: StreamCaller): QuotaRefusal | undefined {
    const { maxPerUser = Number.POSITIVE_INFINITY, descriptors } = this.#options
    const free = this.#free(kind)
    if (free <= 0) return 'full'
    if (user !== undefined && this.#groups.get(buildUserKey(user)) >= maxPerUser) return 'user'
    if (token !== undefined && this.#isOverShare(buildTokenKey(kind, token), free)) return 'token'
    if (this.#isOverShare(buildNetworkKey(kind, network), free)) return 'network'
    return descriptors === undefined || descriptors.hasRoom() ? undefined : 'descriptors'
  }

  /** Counts a new stream. Returns a function that ends the counting of this stream. */
  take(kind: string, { network, token, user }: StreamCaller): () => void {
    const groups = [buildNetworkKey(kind, network)]
    if (token !== undefined) groups.push(buildTokenKey(kind, token))
    if (user !== undefined) groups.push(buildUserKey(user))
    this.#options.descriptors?.take()
    this.#count(kind, groups, 1)
    return () => this.#count(kind, groups, -1)
  }

  #free(kind: string): number {
    return this.#options.maxPerKind - (this.#kinds.get(kind) ?? 0)
  }

  /** Returns true if one more stream of a token or network would exceed its share of the streams. */
  #isOverShare(group: string, free: number): boolean {
    return !isWithinShare(this.#groups.get(group) + 1, free)
  }

  #count(kind: string, groups: readonly string[], by: number): void {
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + by)
    for (const group of groups) this.#groups.add(group, by)
  }
}

function buildNetworkKey(kind: string, network: Network): string {
  return `network ${kind} ${network}`
}

function buildTokenKey(kind: string, token: string): string {
  return `token ${kind} ${token}`
}

function buildUserKey(user: string): string {
  return `user ${user}`
}
