import { isWithinShare } from '@burgee/kit/fair-share'
import { type Network, toNetwork } from '@burgee/kit/http/client-network'
import type { Caller } from '@burgee/kit/http/route'
import type { DocumentRevision } from '../document/environment-document.ts'
import { isRunEnvironment } from '../document/run-environment.ts'
import type { FlagQuery } from '../sdk/downloads.ts'
import {
  formatConnectionKey,
  hashConnectionKey,
  KEY_WORDS,
  readConnectionKey,
  readIntervalMs,
} from './connection-key.ts'
import { ConnectionRecords } from './connection-records.ts'
import { ConnectionScopes } from './connection-scopes.ts'
import { ConnectionShares } from './connection-shares.ts'
import { TextTable } from './text-table.ts'

/** Connection of an SDK, proxy or edge, with its revision of the flags. Times are in milliseconds since 1970. */
export interface Connection {
  /** Connection id that the SDK sent, or a hash of other data if the SDK sends no id or an id in another form. */
  readonly id: string
  /** True if the SDK sends no connection id, in which case several processes can share the entry. */
  readonly isAbout: boolean
  /** 48-bit hash of the connection id and the scope; all nodes compute the same hash for the same connection. */
  readonly hash: number
  readonly scope: FlagQuery
  readonly appName: string
  /** Name and version of the SDK; empty if unknown. */
  readonly sdk: string
  readonly kind: 'poll' | 'stream'
  /** Time between polls; 0 for an open stream. */
  readonly intervalMs: number
  readonly lastSeenMs: number
  /** Database epoch to which the revisions belong. */
  readonly epoch: string
  /** Latest revision that a poll reported or that was written to the stream; 0 before the first. */
  readonly held: number
  /** Revision of the last reply that contained flags; never lower than `held`. */
  readonly offered: number
}

/** Callback for a connection that has received a newer revision of the same epoch. */
export type RevisionListener = (step: {
  readonly scope: FlagQuery
  readonly epoch: string
  /** Previous revision of the connection; 0 if it had none. */
  readonly from: number
  readonly to: number
  /** Time at which the revision was sent. */
  readonly atMs: number
}) => void

/** Settings of a `ConnectionBook`. */
export interface ConnectionBookSettings {
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly onHeld?: RevisionListener
  /** Maximum number of connections; default 20,000. */
  readonly maxConnections?: number
  /** Returns the network of a caller; by default, the network of the address from which the connection comes. */
  readonly getNetwork?: ((caller: Caller) => Network) | undefined
}

/** Revisions that a poll involves. */
export interface PolledRevisions {
  /** Revision that the SDK already has, according to the ETag that it sent; undefined without an ETag. */
  readonly held: DocumentRevision | undefined
  /** Revision that the reply contains. */
  readonly offered: DocumentRevision
}

/** Handle for the entry of an open stream. */
export interface StreamConnection {
  /** Records that a revision was written to the socket. */
  recordSent(revision: DocumentRevision): void
  /** Records that the stream has ended. The entry expires unless the SDK reconnects. */
  close(): void
}

const MAX_CONNECTIONS = 20_000
const MAX_TEXTS = 5000
const MAX_SCOPES = 1000
const MAX_MISSED_INTERVALS = 3
/** Time for which the book counts as incomplete after a connection could not be recorded. */
const INCOMPLETE_MS = 60_000
/** Assumed delay before an SDK reconnects a stream that has ended. */
const RECONNECT_INTERVAL_MS = 15_000
const ABOUT = 1
const STREAM = 2

/**
 * Bounded record of the SDK connections to this process. Recording a poll of a known connection allocates no memory. A
 * connection expires after it has missed three polls. A network, and a scope (the environment and projects of a token),
 * may use at most 9 times as many places as are still free. Connections beyond the limits are counted, but no details
 * are recorded.
 */
export class ConnectionBook {
  readonly #clock: () => number
  readonly #onHeld: RevisionListener | undefined
  readonly #maxConnections: number
  readonly #getNetwork: (caller: Caller) => Network
  readonly #networks = new ConnectionShares()
  readonly #scopeShares = new ConnectionShares()
  readonly #scopes = new ConnectionScopes(MAX_SCOPES)
  readonly #texts = new TextTable(MAX_TEXTS)
  readonly #epochs = new TextTable(MAX_SCOPES)
  readonly #records: ConnectionRecords
  readonly #key = new Int32Array(KEY_WORDS)
  #unrecorded = 0
  #unrecordedAtMs = Number.NEGATIVE_INFINITY
  #sweptAtMs = 0

  constructor({ clock, onHeld, maxConnections = MAX_CONNECTIONS, getNetwork }: ConnectionBookSettings) {
    this.#clock = clock
    this.#getNetwork = getNetwork ?? (({ remoteAddress }) => toNetwork(remoteAddress))
    this.#onHeld = onHeld
    this.#maxConnections = maxConnections
    this.#records = new ConnectionRecords(maxConnections)
  }

  /** Number of recorded connections. */
  get size(): number {
    return this.#records.size
  }

  /** Memory used by the records and their index, in bytes. */
  get bytes(): number {
    return this.#records.bytes
  }

  /** Number of polls and streams that were not recorded, because the book or the share of the caller was full. */
  get unrecorded(): number {
    return this.#unrecorded
  }

  /** True if a connection could not be recorded within the last minute because the book was full. */
  get isIncomplete(): boolean {
    return this.#clock() - this.#unrecordedAtMs < INCOMPLETE_MS
  }

  /** Records a poll that was answered without flags, because the SDK already has the current revision. */
  recordUnchanged(scope: FlagQuery, caller: Caller, current: DocumentRevision): void {
    const at = this.#find(scope, caller)
    if (at < 0) return
    const records = this.#records
    records.lastSeenMs[at] = this.#clock()
    records.intervalMs[at] = readIntervalMs(caller)
    this.#take(at, current)
  }

  /** Records a poll whose reply contains flags. */
  recordSent(scope: FlagQuery, caller: Caller, { held, offered }: PolledRevisions): void {
    const at = this.#find(scope, caller)
    if (at < 0) return
    const records = this.#records
    const now = this.#clock()
    records.lastSeenMs[at] = now
    records.intervalMs[at] = readIntervalMs(caller)
    const epoch = this.#epochs.add(offered.epoch)
    if (held === undefined || held.epoch !== offered.epoch) this.#restart(at, epoch)
    else this.#take(at, held)
    records.offered[at] = offered.id
    records.offeredAtMs[at] = now
  }

  /** Records a new stream. Returns undefined if the book is full and the stream was not recorded. */
  openStream(scope: FlagQuery, caller: Caller): StreamConnection | undefined {
    const at = this.#find(scope, caller)
    if (at < 0) return undefined
    const records = this.#records
    records.lastSeenMs[at] = this.#clock()
    records.flags[at] = (records.flags[at] ?? 0) | STREAM
    const opened = (records.generation[at] ?? 0) + 1
    records.generation[at] = opened
    const isCurrent = () => records.generation[at] === opened
    return {
      recordSent: (revision) => {
        if (!isCurrent()) return
        records.lastSeenMs[at] = this.#clock()
        this.#take(at, revision)
      },
      close: () => {
        if (!isCurrent()) return
        records.flags[at] = (records.flags[at] ?? 0) & ~STREAM
        records.intervalMs[at] = RECONNECT_INTERVAL_MS
        records.lastSeenMs[at] = this.#clock()
      },
    }
  }

  /**
   * Removes expired connections, and strings and scopes that no remaining connection uses. Returns the number of
   * connections removed.
   */
  sweep(): number {
    const now = this.#clock()
    this.#sweptAtMs = now
    const records = this.#records
    const removed = records.removeWhere((at) => this.#isExpired(at, now))
    if (removed === 0) return 0
    const used = { scopes: new Set<number>(), texts: new Set<number>(), epochs: new Set<number>() }
    for (const at of records.slots()) {
      used.scopes.add(records.scope[at] ?? 0)
      used.texts.add(records.app[at] ?? 0).add(records.sdk[at] ?? 0)
      used.epochs.add(records.epoch[at] ?? 0)
    }
    this.#scopes.retain(used.scopes)
    this.#texts.retain(used.texts)
    this.#epochs.retain(used.epochs)
    this.#networks.recount(records.slotValues(records.network))
    this.#scopeShares.recount(records.slotValues(records.scopeShare))
    return removed
  }

  /** Iterates over the connections that have not expired. */
  *list(): Generator<Connection> {
    const now = this.#clock()
    const records = this.#records
    for (const at of records.slots()) {
      const scope = this.#scopes.get(records.scope[at] ?? -1)
      if (scope === undefined || this.#isExpired(at, now)) continue
      const scopeHash = this.#scopes.getHash(records.scope[at] ?? -1)
      const flags = records.flags[at] ?? 0
      const isStream = (flags & STREAM) !== 0
      const held = records.held[at] ?? 0
      yield {
        // entries are computed on demand, because most callers only count connections
        get id() {
          return formatConnectionKey(records.keys, at * KEY_WORDS)
        },
        isAbout: (flags & ABOUT) !== 0,
        get hash() {
          return hashConnectionKey(records.keys, at * KEY_WORDS, scopeHash)
        },
        scope,
        appName: this.#texts.get(records.app[at] ?? 0),
        sdk: this.#texts.get(records.sdk[at] ?? 0),
        kind: isStream ? 'stream' : 'poll',
        intervalMs: isStream ? 0 : (records.intervalMs[at] ?? 0),
        lastSeenMs: records.lastSeenMs[at] ?? 0,
        epoch: this.#epochs.get(records.epoch[at] ?? 0),
        held,
        offered: Math.max(held, records.offered[at] ?? 0),
      }
    }
  }

  /** Returns true if a connection has missed three polls. An open stream never expires. */
  #isExpired(at: number, now: number): boolean {
    if (((this.#records.flags[at] ?? 0) & STREAM) !== 0) return false
    const intervalMs = this.#records.intervalMs[at] ?? 0
    // the first missed poll is due after one interval
    return now - (this.#records.lastSeenMs[at] ?? 0) > intervalMs * (MAX_MISSED_INTERVALS + 1)
  }

  /**
   * Returns the slot of a connection, and allocates one for a new connection; -1 if the book or the share of the caller
   * is full, and for the connections of test runs.
   */
  #find(query: FlagQuery, caller: Caller): number {
    if (isRunEnvironment(query.environment)) return -1
    const isIdentified = readConnectionKey(caller, this.#key)
    const scope = this.#scopes.add(query)
    if (scope >= 0) {
      const known = this.#records.find(this.#key, scope)
      if (known >= 0) return known
    }
    // manual requests, such as those made with curl, do not identify a process
    if (!isIdentified && !hasName(caller)) return -1
    const network = this.#getNetwork(caller)
    if (scope < 0 || !this.#hasRoom(network, scope)) {
      // at most one sweep per second, because every connection that does not fit into the book triggers one
      if (this.#clock() - this.#sweptAtMs < 1000 || this.sweep() === 0) {
        this.#unrecorded += 1
        this.#unrecordedAtMs = this.#clock()
        return -1
      }
      return this.#find(query, caller)
    }
    const at = this.#create(scope, caller, isIdentified)
    this.#records.network[at] = this.#networks.take(network)
    this.#records.scopeShare[at] = this.#scopeShares.take(String(scope))
    return at
  }

  #hasRoom(network: Network, scope: number): boolean {
    const free = this.#maxConnections - this.#records.size
    return (
      isWithinShare(this.#networks.count(network) + 1, free) &&
      isWithinShare(this.#scopeShares.count(String(scope)) + 1, free)
    )
  }

  #create(scope: number, caller: Caller, isIdentified: boolean): number {
    const at = this.#records.add(this.#key, scope)
    const { headers } = caller
    this.#records.app[at] = this.#texts.add(getText(headers['unleash-appname'] ?? headers['x-unleash-appname']))
    this.#records.sdk[at] = this.#texts.add(getText(headers['unleash-sdk'] ?? headers['x-unleash-sdk']))
    this.#records.flags[at] = isIdentified ? 0 : ABOUT
    this.#records.intervalMs[at] = readIntervalMs(caller)
    return at
  }

  /** Clears the stored revisions of a connection that starts without flags, or whose ETag is from another epoch. */
  #restart(at: number, epoch: number): void {
    this.#records.epoch[at] = epoch
    this.#records.held[at] = 0
    this.#records.offered[at] = 0
  }

  /** Records that a connection has a revision, sent either now or with the previous reply. */
  #take(at: number, { id, epoch }: DocumentRevision): void {
    const records = this.#records
    const number = this.#epochs.add(epoch)
    if (records.held[at] === id && records.epoch[at] === number) return
    if (records.epoch[at] !== number) this.#restart(at, number)
    const from = records.held[at] ?? 0
    const sentAtMs = records.offered[at] === id ? (records.offeredAtMs[at] ?? 0) : this.#clock()
    records.held[at] = id
    if ((records.offered[at] ?? 0) < id) records.offered[at] = id
    const scope = this.#scopes.get(records.scope[at] ?? -1)
    if (scope !== undefined && id > from) this.#onHeld?.({ scope, epoch, from, to: id, atMs: sentAtMs })
  }
}

function hasName({ headers }: Caller): boolean {
  return getText(headers['unleash-appname']) !== '' || getText(headers['unleash-instanceid']) !== ''
}

function getText(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : ''
}
