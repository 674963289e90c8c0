import { readdirSync, readFileSync } from 'node:fs'
import { type MonotonicClock, PROCESS_CLOCK } from './monotonic-clock.ts'

/** Reader for the file descriptor counts of a process. */
export interface DescriptorReader {
  /** Returns the maximum number of descriptors, or undefined if the platform has no limit or does not report it. */
  limit(): number | undefined
  /** Returns the number of open descriptors, or undefined if the platform does not report it. */
  open(): number | undefined
}

const LIMIT = /^Max open files\s+(\d+)/m

/** Reader for the counts of this process. */
export const PROCESS_DESCRIPTORS: DescriptorReader = {
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

/**
 * Returns the number of descriptors reserved for requests, databases and files: 1/128 of the limit, but at least 128
 * and at most 1,000.
 */
export function getReservedDescriptors(limit: number): number {
  return Math.min(MAX_RESERVE, Math.max(MIN_RESERVE, Math.ceil(limit / RESERVED_PART)))
}

/** Returns the number of descriptors available to streams, or undefined if there is no limit. */
function getMaxStreamDescriptors(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : Math.max(0, limit - getReservedDescriptors(limit))
}

const COUNT_INTERVAL_MS = 1000

/**
 * Decides whether another stream may open without using reserved descriptors. Counting open descriptors takes
 * milliseconds if there are many. Descriptors are therefore counted only once a second, and again after half of the
 * free descriptors have been used.
 */
export class DescriptorBudget {
  readonly #reader: DescriptorReader
  readonly #monotonic: MonotonicClock
  readonly #max: number | undefined
  #spare = 0
  #countedAtMs = Number.NEGATIVE_INFINITY
  #wasEmpty = false

  /** @param monotonic clock for the age of a count */
  constructor(reader: DescriptorReader = PROCESS_DESCRIPTORS, monotonic: MonotonicClock = PROCESS_CLOCK) {
    this.#reader = reader
    this.#monotonic = monotonic
    this.#max = getMaxStreamDescriptors(reader.limit())
  }

  /** Returns true if there is room for another stream. */
  hasRoom(): boolean {
    if (this.#max === undefined) return true
    const isOld = this.#monotonic() - this.#countedAtMs >= COUNT_INTERVAL_MS
    if (isOld || (this.#spare <= 0 && !this.#wasEmpty)) this.#count(this.#max)
    return this.#spare > 0
  }

  /** Records that a stream was opened. */
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

/**
 * Returns a warning for operators if the maximum number of streams exceeds the available descriptors, otherwise
 * undefined.
 */
export function describeDescriptorShortage(
  variable: string,
  maxStreams: number,
  reader: DescriptorReader = PROCESS_DESCRIPTORS,
): string | undefined {
  const limit = reader.limit()
  const max = getMaxStreamDescriptors(limit)
  if (max === undefined || maxStreams <= max) return undefined
  return `${variable} (${maxStreams}) does not fit: this process may open ${limit} files and connections (ulimit -n), so streams stop at ${max}. Raise that limit or lower ${variable}`
}

/** Number of descriptors that connections must leave for databases, files and outgoing calls. */
const CONNECTION_RESERVE = 64

/** Returns the maximum number of connections of a server, including streams: the descriptor limit minus 64. */
export function getMaxOpenConnections(limit = PROCESS_DESCRIPTORS.limit()): number {
  return limit === undefined ? Number.POSITIVE_INFINITY : Math.max(1, limit - CONNECTION_RESERVE)
}

const MAX_PENDING_HANDSHAKES = 4096
const HANDSHAKE_PART = 4

/** Returns the maximum number of unfinished TLS handshakes: 4,096, but no more than a quarter of the descriptors. */
export function getMaxPendingHandshakes(limit = PROCESS_DESCRIPTORS.limit()): number {
  return limit === undefined
    ? MAX_PENDING_HANDSHAKES
    : Math.min(MAX_PENDING_HANDSHAKES, Math.max(1, Math.floor(limit / HANDSHAKE_PART)))
}
