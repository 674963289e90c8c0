import type { NameWindowBounds } from './name-window.ts'
import { HOUR_MS } from './report-hour.ts'

const MINUTE_MS = 60_000

/** Maximum number of applications per reporter and hour; further applications are counted under a common name. */
export const APPLICATION_BOUNDS: NameWindowBounds = { windowMs: HOUR_MS, most: 1000, mostOfPublic: 50 }

/** Maximum number of instances per reporter and minute. */
export const INSTANCE_BOUNDS: NameWindowBounds = { windowMs: MINUTE_MS, most: 10_000, mostOfPublic: 100 }

/**
 * Maximum number of unknown flag names per reporter and minute. As in the stored rows, a name counts once per
 * application.
 */
export const UNKNOWN_FLAG_BOUNDS: NameWindowBounds = { windowMs: MINUTE_MS, most: 1000, mostOfPublic: 100 }

/** Maximum number of unknown variants that are stored per flag and hour, because SDKs may still report removed ones. */
export const MAX_UNKNOWN_VARIANTS = 10

/** Maximum number of stored rows, across all reporters. */
export const MAX_STORED_ROWS = { unknownFlags: 5000, applications: 5000, instances: 20_000 }
