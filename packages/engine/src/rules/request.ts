import type { Context } from '@burgee/protocol/context'
import { SearchBudget } from './pattern.ts'
import { toText, toTime } from './raw-value.ts'

/** Numbers assigned to the context fields that a document names. Grows during compilation. */
export class ContextFields {
  readonly names: string[] = []
  private readonly byName = new Map<string, number>()

  /** Returns the number assigned to a context field. A name that is new gets the next number. */
  getNumber(name: string): number {
    const known = this.byName.get(name)
    if (known !== undefined) return known
    this.byName.set(name, this.names.length)
    return this.names.push(name) - 1
  }
}

/** Inputs of a decision other than the context and the document. */
export interface TimeAndChance {
  /** Returns the current time in milliseconds since 1970. */
  readonly clock: () => number
  /** Returns a number in [0, 1). */
  readonly random: () => number
}

/** Context that flags are evaluated for. Values read from it are cached. */
export interface Request {
  /** The given context; an empty object for null and undefined. */
  readonly context: Context
  /** Work that pattern searches may do for this context. */
  readonly searches: SearchBudget
  /**
   * Returns the string value of a context field, given the field's number; undefined if the field is missing. Source:
   * client-specification 09, 12.
   */
  field(field: number): string | undefined
  /**
   * Returns the time of the context or, if the context has none, of the clock, in milliseconds. NaN if the context's
   * time is not a date.
   */
  now(): number
  /** Returns a new random number in [0, 1). */
  random(): number
}

/**
 * Request that caches the current time and the outcomes. The time stays the same throughout the request, and each flag
 * draws at most one random number.
 */
export class PlainRequest implements Request {
  readonly context: Context
  readonly searches = new SearchBudget()
  /** Outcomes decided so far, by flag index, so that a parent with a random outcome always has the same one. */
  readonly decided: (number | undefined)[] = []
  readonly #timeAndChance: TimeAndChance
  readonly #names: readonly string[]
  #time: number | undefined

  constructor(context: Context, fields: ContextFields, timeAndChance: TimeAndChance) {
    this.context = context ?? {}
    this.#timeAndChance = timeAndChance
    this.#names = fields.names
  }

  field(field: number): string | undefined {
    return findField(this.context, this.#names[field] ?? '')
  }

  now(): number {
    this.#time ??= getContextTime(this.context, this.#timeAndChance)
    return this.#time
  }

  random(): number {
    return this.#timeAndChance.random()
  }
}

/**
 * Returns the time of the context or, if the context has none, of the clock, in milliseconds. NaN if the context's time
 * is not a date.
 */
export function getContextTime({ currentTime }: Context, { clock }: TimeAndChance): number {
  return currentTime ? toTime(currentTime) : clock()
}

/**
 * Returns the string value of a context field: from the top level if present, else from `properties`. Null and
 * undefined count as missing; an empty string does not. Inherited names (`constructor`) and values that cannot be
 * converted to a string count as missing.
 */
export function findField(context: Context, name: string): string | undefined {
  const own = readContextProperty(context, name)
  return toText(own ?? readContextProperty(context.properties, name))
}

function readContextProperty(holder: unknown, name: string): unknown {
  if (holder === null || holder === undefined) return undefined
  return Object.hasOwn(holder, name) ? (holder as Readonly<Record<string, unknown>>)[name] : undefined
}
