import { readdirSync, readFileSync } from 'node:fs'

/** What of a process's file descriptors is known. */
export interface DescriptorReader {
  /** Maximum number of descriptors; undefined where the platform has none or does not report it. */
  limit(): number | undefined
  /** Descriptors that are open now; undefined where the platform does not report it. */
  open(): number | undefined
}

const LIMIT = /^Max open files\s+(\d+)/m

/** Reads those of this process. */
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

const RESERVED_PART = 8
const MIN_RESERVE = 64
const MAX_RESERVE = 1000

/** Descriptors that are kept for requests, databases and files: an eighth of the limit, from 64 to 1,000. */
export function reservedDescriptors(limit: number): number {
  return Math.min(MAX_RESERVE, Math.max(MIN_RESERVE, Math.ceil(limit / RESERVED_PART)))
}

const LOOK_INTERVAL_MS = 1000

/**
 * Decides whether one more connection may stay open: not if the last descriptors are needed for requests. Counting open
 * descriptors costs milliseconds where there are many, so it is done once a second, and when half of what was free is used.
 */
export class DescriptorBudget {
  readonly #reader: DescriptorReader
  readonly #clock: () => number
  readonly #limit: number | undefined
  #spare = 0
  #lookedAtMs = Number.NEGATIVE_INFINITY
  #wasEmpty = false

  /** @param clock in milliseconds since any time */
  constructor(reader: DescriptorReader = OWN_DESCRIPTORS, clock: () => number = () => performance.now()) {
    this.#reader = reader
    this.#clock = clock
    this.#limit = reader.limit()
  }

  /** Maximum number of streams that leaves the reserve; undefined without a limit. */
  get most(): number | undefined {
    return this.#limit === undefined ? undefined : Math.max(0, this.#limit - reservedDescriptors(this.#limit))
  }

  /** Whether there is room for one more. */
  hasRoom(): boolean {
    if (this.most === undefined) return true
    const isOld = this.#clock() - this.#lookedAtMs >= LOOK_INTERVAL_MS
    if (isOld || (this.#spare <= 0 && !this.#wasEmpty)) this.#look(this.most)
    return this.#spare > 0
  }

  /** Counts one that was opened. */
  take(): void {
    this.#spare -= 1
  }

  #look(most: number): void {
    const free = most - (this.#reader.open() ?? 0)
    this.#spare = free > 0 ? Math.ceil(free / 2) : 0
    this.#wasEmpty = free <= 0
    this.#lookedAtMs = this.#clock()
  }
}

/** Sentence for operators whose maximum of streams is more than the descriptors allow; undefined where it fits. */
export function descriptorShortage(maxStreams: number, limit = OWN_DESCRIPTORS.limit()): string | undefined {
  if (limit === undefined || maxStreams === 0) return undefined
  const most = Math.max(0, limit - reservedDescriptors(limit))
  if (maxStreams <= most) return undefined
  return `MAX_STREAMS (${maxStreams}) does not fit: this process may open ${limit} files and connections (ulimit -n), so that streams stop at ${most}; raise the limit, or lower MAX_STREAMS`
}

const MAX_PENDING_HANDSHAKES = 4096
const HANDSHAKE_PART = 4

/** Maximum number of connections without a finished TLS handshake: 4,096, and at most a quarter of the descriptors. */
export function maxPendingHandshakes(limit = OWN_DESCRIPTORS.limit()): number {
  return limit === undefined
    ? MAX_PENDING_HANDSHAKES
    : Math.min(MAX_PENDING_HANDSHAKES, Math.max(1, Math.floor(limit / HANDSHAKE_PART)))
}
