import { readdirSync, readFileSync } from 'node:fs'
import { type MonotonicClock, PROCESS_CLOCK } from './monotonic-clock.ts'

/** Reads the file descriptors of a process. */
export interface DescriptorReader {
  /** Returns the maximum number of descriptors; undefined where the platform has none or does not report it. */
  limit(): number | undefined
  /** Returns the number of open descriptors; undefined where the platform does not report it. */
  open(): number | undefined
}

const LIMIT = /^Max open files\s+(\d+)/m

/** Descriptors of this process. */
export const OWN_DESCRIPTORS: DescriptorReader = {
  limit: () => {
    const limits = attempt(() => readFileSync('/proc/self/limits', 'utf8'))
    if (limits !== undefined) return Number(LIMIT.exec(limits)?.[1]) || undefined
    const report = process.report?.getReport() as { userLimits?: { open_files?: { soft?: unknown } } } | undefined
    const soft = report?.userLimits?.open_files?.soft
    return typeof soft === 'number' ? soft : undefined
  },
  open: () => (attempt(() => readdirSync('/proc/self/fd')) ?? attempt(() => readdirSync('/dev/fd')))?.length,
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const RESERVED_PART = 128
const MIN_RESERVE = 128
const MAX_RESERVE = 1000

/** Descriptors that are kept free for requests, databases and files: 1/128 of the limit, from 128 to 1,000. */
export function reservedDescriptors(limit: number): number {
  return Math.min(MAX_RESERVE, Math.max(MIN_RESERVE, Math.ceil(limit / RESERVED_PART)))
}

/** Returns how many descriptors streams may use; undefined without a limit. */
function maxStreamDescriptors(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : Math.max(0, limit - reservedDescriptors(limit))
}

const COUNT_INTERVAL_MS = 1000

/**
 * Decides whether another stream may open: not if that would use descriptors of the reserve. Counting open descriptors
 * costs milliseconds when there are many, so it happens once a second, and again when half of the free ones are used.
 */
export class DescriptorBudget {
  readonly #reader: DescriptorReader
  readonly #monotonic: MonotonicClock
  readonly #max: number | undefined
  #spare = 0
  #countedAtMs = Number.NEGATIVE_INFINITY
  #wasEmpty = false

  /** @param monotonic measures how old a count is */
  constructor(reader: DescriptorReader = OWN_DESCRIPTORS, monotonic: MonotonicClock = PROCESS_CLOCK) {
    this.#reader = reader
    this.#monotonic = monotonic
    this.#max = maxStreamDescriptors(reader.limit())
  }

  /** Returns whether there is room for another stream. */
  hasRoom(): boolean {
    if (this.#max === undefined) return true
    const isOld = this.#monotonic() - this.#countedAtMs >= COUNT_INTERVAL_MS
    if (isOld || (this.#spare <= 0 && !this.#wasEmpty)) this.#count(this.#max)
    return this.#spare > 0
  }

  /** Counts a stream that was opened. */
  take(): void {
    this.#spare -= 1
  }

  #count(max: number): void {
    const free = max - (this.#reader.open() ?? 0)
    this.#spare = free > 0 ? Math.ceil(free / 2) : 0
    this.#wasEmpty = free <= 0
    this.#countedAtMs = this.#monotonic()
  }
}

/** Returns a sentence for operators if a maximum of streams exceeds the descriptors; undefined if it fits. */
export function describeDescriptorShortage(
  variable: string,
  maxStreams: number,
  reader: DescriptorReader = OWN_DESCRIPTORS,
): string | undefined {
  const limit = reader.limit()
  const max = maxStreamDescriptors(limit)
  if (max === undefined || maxStreams <= max) return undefined
  return `${variable} (${maxStreams}) does not fit: this process may open ${limit} files and connections (ulimit -n), so streams stop at ${max}. Raise that limit or lower ${variable}`
}

/** Descriptors that connections leave to databases, files and calls elsewhere. */
const OWN_RESERVE = 64

/** Maximum number of connections of a server, streams included: the descriptors of the process less 64. */
export function maxOpenConnections(limit = OWN_DESCRIPTORS.limit()): number {
  return limit === undefined ? Number.POSITIVE_INFINITY : Math.max(1, limit - OWN_RESERVE)
}

const MAX_PENDING_HANDSHAKES = 4096
const HANDSHAKE_PART = 4

/** Maximum number of connections without a finished TLS handshake: 4,096, and at most a quarter of the descriptors. */
export function maxPendingHandshakes(limit = OWN_DESCRIPTORS.limit()): number {
  return limit === undefined
    ? MAX_PENDING_HANDSHAKES
    : Math.min(MAX_PENDING_HANDSHAKES, Math.max(1, Math.floor(limit / HANDSHAKE_PART)))
}
