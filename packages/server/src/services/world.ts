import type { Debug, Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import type { Database } from '../store/database.ts'
import type { Author } from '../store/events/events.ts'
import type { SecurityLog } from './access/security/security-entry.ts'
import type { Broadcast } from './broadcast.ts'
import type { FlagsAfter } from './documents/flags-after.ts'
import type { ChosenLimits } from './resource-limits.ts'
import type { ReadableSecrets } from './secrets/readable-secrets.ts'
import type { Secrets } from './secrets/secrets.ts'
import type { StorageBudget } from './storage-budget.ts'

/** What the server is made of, handed to whoever needs it; nothing reaches for the clock or the dice by itself. */
export interface World {
  readonly db: Database
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  /** Unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  readonly logger: Logger
  readonly broadcast: Broadcast
  /** How flags are after changes that are being told; without it they are read from the database. */
  readonly flagsAfter?: FlagsAfter | undefined
  /** Most of what people may put into one thing; the usual where it is left out. */
  readonly resourceLimits?: ChosenLimits | undefined
  /** Bounds what people store who may not change flags; unbounded where it is left out. */
  readonly storage?: StorageBudget | undefined
  /** How flags are decided where SDKs differ; `node` if left out. */
  readonly profile?: EvaluationProfile | undefined
  /** Keeps what must be read again. */
  readonly secrets: Secrets
  /** Present where lists show secrets of API tokens. */
  readonly readableSecrets?: ReadableSecrets | undefined
  /** Hears of what concerns access; undefined where nobody wants to. */
  readonly security?: SecurityLog | undefined
  /** Says what is done step by step; undefined where nobody wants to know. */
  readonly debug?: Debug | undefined
}

/** The server itself as author: first start, demo data. */
export const SYSTEM: Author = { name: 'system', userId: -1337, address: null }

/** A random UUID (version 4) from the world's dice. */
export function newUuid(random: World['random']): string {
  const bytes = Buffer.from(random(16))
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x40, 6)
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** A number from 0 on, below 1, from the world's dice. */
export function chanceOf(random: World['random']): () => number {
  return () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32
}
