import { UpstreamError } from '../upstream/upstream.ts'

/** The upstream lives, but does not want this part: it is malformed or too large. */
const REFUSALS = new Set([400, 413, 422])
/** How many refused parts of one delivery are halved and tried again. */
const MOST_REFUSALS = 25

/** How parts are delivered. */
export interface DeliveryRules<Part> {
  /** Rejects where the part was not taken. */
  readonly send: (part: Part) => Promise<void>
  /** The same in two or more parts; only itself where it cannot be made smaller. */
  readonly halve: (part: Part) => readonly Part[]
}

/** What became of parts. */
export interface Delivery<Part> {
  /** Those that the upstream refuses for themselves, while it took others; nobody will ever take them. */
  readonly refused: readonly Part[]
  /** Those that are still to be delivered. */
  readonly left: readonly Part[]
  /** Why some are left; undefined where none is. */
  readonly error: unknown
}

/**
 * Delivers parts one after the other. One that is refused is halved until it is clear what is wrong with it. After any
 * other failure, and where nothing at all is taken, everything that was not taken is left. Never rejects.
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
    const error = await failureOf(send(part))
    if (error === undefined) hasDelivered = true
    else {
      refusal = error
      refusals += 1
      if (!isRefusal(error) || refusals > MOST_REFUSALS)
        return { refused: [], left: [...refused, part, ...parts], error }
      const halves = halve(part)
      if (halves.length > 1) parts.unshift(...halves)
      else refused.push(part)
    }
  }
  if (hasDelivered || refused.length === 0) return { refused, left: [], error: undefined }
  return { refused: [], left: refused, error: refusal }
}

async function failureOf(work: Promise<void>): Promise<unknown> {
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
