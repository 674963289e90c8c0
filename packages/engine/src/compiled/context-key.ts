import type { Decider } from './decider.ts'
import type { Program } from './program.ts'
import { READ_KINDS, READS } from './registry.ts'

/** The longest key that is worth keeping, in characters. */
const LONGEST = 512
const MISSING = '-'

/** Makes keys of contexts: the parts of a context that some flag of a program reads, one after the other. */
export class KeyMaker {
  readonly #program: Program
  readonly #instants: readonly number[]
  readonly #readsAnything: boolean

  constructor(program: Program) {
    this.#program = program
    const { reads, registry } = program
    const instants = reads.filter((read) => read % READ_KINDS === READS.instant).map((read) => wordOf(read))
    this.#instants = instants.map((index) => registry.instants[index] as number).sort((a, b) => a - b)
    this.#readsAnything = reads.some((read) => read % READ_KINDS === READS.anything)
  }

  /** The key of the request that the decider has begun; undefined when there is none. Throws nothing. */
  keyOf(decider: Decider): string | undefined {
    if (this.#readsAnything) return undefined
    let key = this.#instants.length > 0 ? this.#placeInTime(decider.now()) : ''
    for (const read of this.#program.reads) {
      const part = partOf(read, decider)
      if (part === undefined) return undefined
      key += part
      if (key.length > LONGEST) return undefined
    }
    return key
  }

  /** The place of a time among all instants that flags compare it with: two times between the same instants are alike. */
  #placeInTime(now: number): string {
    // a NaN is neither before nor after any instant; instants hold a NaN where a constraint names no date
    if (Number.isNaN(now)) return '?'
    const passed = this.#instants.filter((instant) => instant < now).length
    return `${passed}${this.#instants.includes(now) ? '=' : '<'}`
  }
}

/** What a request has for one thing that some flag reads; undefined when that cannot be told. */
function partOf(read: number, decider: Decider): string | undefined {
  const what = wordOf(read)
  switch (read % READ_KINDS) {
    case READS.field:
      return written(decider.field(what))
    case READS.id:
      return written(decider.idOf(what))
    case READS.idOrChance: {
      const id = decider.idOf(what)
      return id === undefined ? undefined : written(id)
    }
    case READS.userId:
      return writtenAsIs(decider.context.userId)
    case READS.remoteAddress:
      return writtenAsIs(decider.context.remoteAddress)
    default:
      return '' // instants have been placed already
  }
}

function wordOf(read: number): number {
  return Math.floor(read / READ_KINDS)
}

/** With its length, so that no two lists of texts are written alike. */
function written(text: string | undefined): string {
  return text === undefined ? MISSING : `${text.length}:${text}`
}

/** Lists of texts hold only texts, so every other value counts as missing. */
function writtenAsIs(value: unknown): string {
  return typeof value === 'string' ? written(value) : MISSING
}
