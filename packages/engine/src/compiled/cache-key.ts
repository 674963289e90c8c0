import type { Decider } from './decider.ts'
import type { Program } from './program.ts'
import { READ_KINDS, READS } from './registry.ts'

/** Maximum length of a cache key, in characters. */
const MAX_KEY_LENGTH = 512
const MISSING = '-'

/** Builds cache keys from the context values that the decisions of a program depend on. */
export class CacheKeyBuilder {
  readonly #program: Program
  readonly #instants: readonly number[]
  readonly #readsAnything: boolean

  constructor(program: Program) {
    this.#program = program
    const { reads, registry } = program
    const instants = reads.filter((read) => read % READ_KINDS === READS.instant).map((read) => getIndex(read))
    this.#instants = instants.map((index) => registry.instants[index] as number).sort((a, b) => a - b)
    this.#readsAnything = reads.some((read) => read % READ_KINDS === READS.anything)
  }

  /**
   * Returns the cache key of the decider's current request, or undefined if the request cannot be cached. Never throws.
   */
  getKey(decider: Decider): string | undefined {
    if (this.#readsAnything) return undefined
    let key = this.#instants.length > 0 ? this.#encodeTime(decider.now()) : ''
    for (const read of this.#program.reads) {
      const part = encodeRead(read, decider)
      if (part === undefined) return undefined
      key += part
      if (key.length > MAX_KEY_LENGTH) return undefined
    }
    return key
  }

  /**
   * Encodes the position of a time among the instants of all date constraints. Two times between the same two instants
   * are equivalent.
   */
  #encodeTime(now: number): string {
    // NaN is neither before nor after an instant; `instants` contains NaN for each constraint without a valid date
    if (Number.isNaN(now)) return '?'
    const passed = this.#instants.filter((instant) => instant < now).length
    return `${passed}${this.#instants.includes(now) ? '=' : '<'}`
  }
}

/** Returns the encoded context value for one entry of `reads`, or undefined if the decision would be random. */
function encodeRead(read: number, decider: Decider): string | undefined {
  const what = getIndex(read)
  switch (read % READ_KINDS) {
    case READS.field:
      return encodeText(decider.field(what))
    case READS.id:
      return encodeText(decider.getId(what))
    case READS.idOrChance: {
      const id = decider.getId(what)
      return id === undefined ? undefined : encodeText(id)
    }
    case READS.userId:
      return encodeRawText(decider.context.userId)
    case READS.remoteAddress:
      return encodeRawText(decider.context.remoteAddress)
    default:
      return '' // instants are already encoded
  }
}

function getIndex(read: number): number {
  return Math.floor(read / READ_KINDS)
}

/** Encodes a string with its length, so that different lists of strings never have the same encoding. */
function encodeText(text: string | undefined): string {
  return text === undefined ? MISSING : `${text.length}:${text}`
}

/** Encodes a raw value. Only strings can be in a list of strings, so a value of another type counts as missing. */
function encodeRawText(value: unknown): string {
  return typeof value === 'string' ? encodeText(value) : MISSING
}
