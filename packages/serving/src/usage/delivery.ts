import { UpstreamError } from '../upstream/upstream.ts'

/** Statuses with which a healthy upstream rejects a part that is malformed or too large. */
const REFUSALS = new Set([400, 413, 422])
/** Maximum number of rejected parts that are split in half and retried during one delivery. */
const MAX_REFUSALS = 25

/** Callbacks of `deliver`. */
export interface DeliveryRules<Part> {
  /** Rejects if the upstream did not accept the part. */
  readonly send: (part: Part) => Promise<void>
  /** Splits a part into two or more smaller parts. Returns only the part itself if it cannot be split any further. */
  readonly halve: (part: Part) => readonly Part[]
}

/** Result of a delivery. */
export interface Delivery<Part> {
  /** Parts that the upstream rejected while accepting others. Rejected parts are not sent again. */
  readonly refused: readonly Part[]
  /** Parts to be delivered later. */
  readonly left: readonly Part[]
  /** Reason why some parts must be delivered later; undefined if all parts were sent. */
  readonly error: unknown
}

/**
 * Delivers parts one after the other. Splits a rejected part in half until the faulty element is isolated. Stops after
 * any other failure, or if the upstream accepts nothing at all; the remaining parts are then delivered later. Never
 * rejects.
 */
export async function deliver<Part>(
  all: readonly Part[],
  { send, halve }: DeliveryRules<Part>,
): Promise<Delivery<Part>> {
  const parts = [...all]
  const refused: Part[] = []
  let refusal: unknown
  let refusals = 0
  let hasDelivered = false
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const error = await captureError(send(part))
    if (error === undefined) hasDelivered = true
    else {
      refusal = error
      refusals += 1
      if (!isRefusal(error) || refusals > MAX_REFUSALS)
        return { refused: [], left: [...refused, part, ...parts], error }
      const halves = halve(part)
      if (halves.length > 1) parts.unshift(...halves)
      else refused.push(part)
    }
  }
  if (hasDelivered || refused.length === 0) return { refused, left: [], error: undefined }
  return { refused: [], left: refused, error: refusal }
}

async function captureError(work: Promise<void>): Promise<unknown> {
  try {
    await work
    return undefined
  } catch (error) {
    return error ?? new Error('no reason was given')
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof UpstreamError && REFUSALS.has(error.status)
}
