import { UpstreamError } from '../upstream/upstream.ts'

/** Statuses with which a working upstream rejects a malformed or too large part. */
const REFUSALS = new Set([400, 413, 422])
/** Maximum number of rejected parts that are halved and retried in one delivery. */
const MAX_REFUSALS = 25

/** Callbacks of `deliver`. */
export interface DeliveryRules<Part> {
  /** Rejects if the part was not accepted. */
  readonly send: (part: Part) => Promise<void>
  /** Splits a part into two or more. Returns only the part itself if it cannot be split. */
  readonly halve: (part: Part) => readonly Part[]
}

/** Result of a delivery. */
export interface Delivery<Part> {
  /** Parts that the upstream rejected although it accepted other parts. Rejected parts are not delivered again. */
  readonly refused: readonly Part[]
  /** Parts to deliver later. */
  readonly left: readonly Part[]
  /** Reason why parts are left; undefined if no part is left. */
  readonly error: unknown
}

/**
 * Delivers parts in sequence. Halves a rejected part until the faulty element is isolated. Stops after any other
 * failure, or if the upstream accepts nothing at all; all undelivered parts are then left. Never rejects.
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
