import type { Context } from '@burgee/protocol/context'
import { textOf, timeOf } from './raw-value.ts'

/** Numbers the context fields that a document names. Grows while a document compiles. */
export class ContextFields {
  readonly names: string[] = []
  private readonly byName = new Map<string, number>()

  /** The number of a context field, a new one when the name is new. */
  numberOf(name: string): number {
    const known = this.byName.get(name)
    if (known !== undefined) return known
    this.byName.set(name, this.names.length)
    return this.names.push(name) - 1
  }
}

/** What a decision may depend on besides context and document, by argument. */
export interface TimeAndChance {
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** A number from 0 up to, not including, 1. */
  readonly random: () => number
}

/** One context that flags are decided for. */
export interface Request {
  /** As given; an empty object in place of null and undefined. */
  readonly context: Context
  /** Text of a context field, by its number; undefined when missing. Source: client-specification 09, 12. */
  field(field: number): string | undefined
  /** When the context says it is, else the clock, in milliseconds; NaN when the context's time is no date. */
  now(): number
  /** Chance: a number from 0 up to, not including, 1; another one each time. */
  random(): number
}

/** A request that remembers only the time, which stands still for it, and outcomes, so that chance is asked once per flag. */
export class PlainRequest implements Request {
  readonly context: Context
  /** Outcomes decided so far, by index of the flag: a random parent cannot contradict itself. */
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
    return fieldOf(this.context, this.#names[field] ?? '')
  }

  now(): number {
    this.#time ??= timeOfContext(this.context, this.#timeAndChance)
    return this.#time
  }

  random(): number {
    return this.#timeAndChance.random()
  }
}

/** When a context says it is, else the clock, in milliseconds; NaN when the context's time is no date. */
export function timeOfContext({ currentTime }: Context, { clock }: TimeAndChance): number {
  return currentTime ? timeOf(currentTime) : clock()
}

/**
 * Text of a field of a context: top level first, then `properties`. Null and undefined count as absent, an empty text
 * does not. Inherited names (`constructor`) and values that cannot be turned into text are missing.
 */
export function fieldOf(context: Context, name: string): string | undefined {
  const own = ownValue(context, name)
  return textOf(own ?? ownValue(context.properties, name))
}

function ownValue(holder: unknown, name: string): unknown {
  if (holder === null || holder === undefined) return undefined
  return Object.hasOwn(holder, name) ? (holder as Readonly<Record<string, unknown>>)[name] : undefined
}
