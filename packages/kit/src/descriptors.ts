import { readFileSync } from 'node:fs'

const LIMIT = /^Max open files\s+(\d+)/m

/** Returns the maximum number of descriptors of this process; undefined where the platform has none or does not report it. */
function readDescriptorLimit(): number | undefined {
  try {
    return Number(LIMIT.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]) || undefined
  } catch {
    const report = process.report?.getReport() as { userLimits?: { open_files?: { soft?: unknown } } } | undefined
    const soft = report?.userLimits?.open_files?.soft
    return typeof soft === 'number' ? soft : undefined
  }
}

const MAX_PENDING_HANDSHAKES = 4096
const HANDSHAKE_PART = 4

/** Maximum number of connections without a finished TLS handshake: 4,096, and at most a quarter of the descriptors. */
export function maxPendingHandshakes(limit = readDescriptorLimit()): number {
  return limit === undefined
    ? MAX_PENDING_HANDSHAKES
    : Math.min(MAX_PENDING_HANDSHAKES, Math.max(1, Math.floor(limit / HANDSHAKE_PART)))
}
