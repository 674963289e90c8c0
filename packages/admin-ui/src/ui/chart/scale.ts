const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Possible distances between two labels on a time axis. Labels that are a day or more apart are at local midnight. */
const TIME_STEPS_MS = [1 / 6, 1 / 2, 1, 2, 3, 6, 12, 24, 48, 24 * 7, 24 * 14, 24 * 30, 24 * 91, 24 * 365].map(
  (one) => one * HOUR_MS,
)
const ROUND_NUMBERS = [1, 2, 5, 10]
/** Tolerance for comparisons, because multiples of decimal steps are not exact. */
const EPSILON = 1e-9
const ROUNDING = 1 - EPSILON
/** Number of significant digits in labels, which hides inexact multiples such as 0.30000000000000004. */
const DIGITS = 12

/** Value axis with round labels. */
export interface ValueScale {
  /** Value at the bottom of the axis; 0 by default. */
  readonly min?: number
  /** Value at the top of the axis. */
  readonly max: number
  /** Labelled values, lowest first. */
  readonly ticks: readonly number[]
}

/** Returns an axis for whole numbers from 0 to `most`, with at most `steps` steps. */
export function createValueScale(most: number, steps = 4): ValueScale {
  const rough = Math.max(1, most / steps)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.ceil((ROUND_NUMBERS.find((one) => one * power >= rough) ?? 10) * power)
  const count = Math.max(1, Math.ceil(most / step))
  return { max: step * count, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) }
}

/**
 * Returns an axis for any numbers from `least` to `most`, with about `steps` steps. The axis covers a range even if
 * all values are 0.
 *
 * @param startsAtZero true if the axis includes 0 even if all values are above it
 */
export function createRealScale(least: number, most: number, steps = 4, startsAtZero = true): ValueScale {
  const low = startsAtZero || least === most ? Math.min(0, least) : least
  const high = low === 0 && most <= 0 ? 1 : low > 0 ? most : Math.max(0, most)
  const rough = (high - low) / steps
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = (ROUND_NUMBERS.find((one) => one * power >= rough * ROUNDING) ?? 10) * power
  const first = Math.floor(low / step)
  const count = Math.max(1, Math.ceil(high / step - EPSILON)) - first
  const ticks = Array.from({ length: count + 1 }, (_, index) => Number(((first + index) * step).toPrecision(DIGITS)))
  return { min: ticks[0] ?? 0, max: ticks.at(-1) ?? 1, ticks }
}

/** Labelled times on an axis. */
export interface TimeScale {
  /** Times in milliseconds since the epoch. */
  readonly ticks: readonly number[]
  /** True if the labels are days, false if they are times of day. */
  readonly areDays: boolean
}

/** Returns at most `count` round times between `from` and `to`, in the user's time zone. */
export function createTimeScale(from: number, to: number, count = 6): TimeScale {
  const step = TIME_STEPS_MS.find((one) => (to - from) / one <= count) ?? Math.ceil((to - from) / count)
  const areDays = step >= DAY_MS
  const first = new Date(from)
  const stepMinutes = Math.round(step / MINUTE_MS)
  const minutes = first.getHours() * 60 + first.getMinutes()
  const firstTick = Math.ceil(minutes / stepMinutes)
  const ticks: number[] = []
  for (let index = 0; ticks.length <= count; index += 1) {
    // Dates are built from local fields, so that labels stay at midnight when daylight saving time begins or ends.
    const tick = areDays
      ? new Date(first.getFullYear(), first.getMonth(), first.getDate() + 1 + (index * stepMinutes) / (24 * 60))
      : new Date(first.getFullYear(), first.getMonth(), first.getDate(), 0, (firstTick + index) * stepMinutes)
    if (tick.getTime() > to) break
    if (tick.getTime() >= from) ticks.push(tick.getTime())
  }
  return { ticks, areDays }
}
