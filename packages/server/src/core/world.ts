import type { DebugLog, Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import type { Database } from '@burgee/storage/database'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import type { Broadcast } from '../delivery/events/broadcast.ts'
import type { SystemActor } from './access/rights/rights.ts'
import type { SecurityLog } from './access/security/security-entry.ts'
import type { FlagOrigins } from './managed-objects.ts'
import type { ConfiguredLimits } from './resource-limits.ts'
import type { ReadableSecrets } from './secrets/readable-secrets.ts'
import type { Secrets } from './secrets/secrets.ts'
import type { StorageBudget } from './storage-budget.ts'

/** Dependencies shared by all services; no service accesses the system clock or random source directly. */
export interface World {
  readonly db: Database
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  /** Unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  readonly logger: Logger
  readonly broadcast: Broadcast
  /** Limits on the size of resources; the defaults apply if it is omitted. */
  readonly resourceLimits?: ConfiguredLimits | undefined
  /** Storage budget for users without permission to change flags; no limit if it is omitted. */
  readonly storage?: StorageBudget | undefined
  /** Evaluation profile: the rules for cases in which SDK families differ; `node` if omitted. */
  readonly profile?: EvaluationProfile | undefined
  /** Encryption of secrets that the server must be able to decrypt. */
  readonly secrets: Secrets
  /** Store of readable API token secrets; undefined if token lists show no secrets. */
  readonly readableSecrets?: ReadableSecrets | undefined
  /** Security log; undefined if it is disabled. */
  readonly security?: SecurityLog | undefined
  /** Called with the events of each change, in its async context; for tests and simulations. */
  readonly onEvents?: ((events: readonly StoredEvent[]) => void) | undefined
  /** Called after each check of a safeguard, for simulations. */
  readonly onSafeguardCheck?: ((check: SafeguardCheck) => void) | undefined
  /** Files that manage objects; if omitted, changes by hand are not recorded. */
  readonly flagOrigins?: FlagOrigins | undefined
  /** Debug log; undefined if it is disabled. */
  readonly debug?: DebugLog | undefined
}

/** Result of checking a safeguard. */
export interface SafeguardCheck {
  readonly id: string
  /** Observed value; undefined if there were too few values. */
  readonly value: number | undefined
}

/** Author of changes that the server itself makes: first start, demo data. */
export const SYSTEM: SystemActor = { isSystem: true, name: 'system', userId: -1337, address: null }

/** Creates a random UUID (version 4) from the given random source. */
export function newUuid(random: World['random']): string {
  const bytes = Buffer.from(random(16))
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x40, 6)
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Returns a generator of numbers in [0, 1) from the given random source. */
export function createRandomFractions(random: World['random']): () => number {
  return () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32
}
