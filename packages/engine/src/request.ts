import type { Context } from '@burgee/protocol/context'
import { textOf, timeOf } from './text.ts'

/** Where a document's context names live in a request: each name has one slot. Grows while a document compiles. */
export class Slots {
  readonly names: string[] = []
  private readonly byName = new Map<string, number>()

  /** The slot of a context name, a new one when the name is new. */
  of(name: string): number {
    const known = this.byName.get(name)
    if (known !== undefined) return known
    this.byName.set(name, this.names.length)
    return this.names.push(name) - 1
  }
}

/** Time and chance, by argument. */
export interface World {
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** A number from 0 up to, not including, 1. */
  readonly random: () => number
}

/**
 * One context, asked about any number of times: every field is looked up once, and every flag is decided once, so that
 * a random parent cannot contradict itself. Lives as long as one call of the engine.
 */
export class Request {
  readonly context: Context
  readonly world: World
  /** Outcomes decided so far, by index of the flag. */
  readonly decided: (number | undefined)[]
  private readonly names: readonly string[]
  /** Unread fields are undefined, missing ones null. */
  private readonly fields: (string | null | undefined)[] = []
  private time: number | undefined

  /** @param expected how many flags will be decided; more may be */
  constructor(context: Context, slots: Slots, world: World, expected = 0) {
    this.context = context ?? {}
    this.decided = new Array(expected)
    this.world = world
    this.names = slots.names
  }

  /** Text of a context field: top level, then properties; undefined when missing. Source: client-specification 09, 12. */
  field(slot: number): string | undefined {
    const known = this.fields[slot]
    if (known !== undefined) return known ?? undefined
    const value = fieldOf(this.context, this.names[slot] ?? '')
    this.fields[slot] = value ?? null
    return value
  }

  /** When the context says it is, else the clock, in milliseconds; NaN when the context's time is no date. */
  now(): number {
    if (this.time === undefined) {
      const { currentTime } = this.context
      this.time = currentTime ? timeOf(currentTime) : this.world.clock()
    }
    return this.time
  }
}

/**
 * Text of a field of a context: top level first, then `properties`. Null and undefined count as absent, an empty text
 * does not. Inherited names (`constructor`) and values that cannot be turned into text are missing.
 */
function fieldOf(context: Context, name: string): string | undefined {
  const own = ownValue(context, name)
  return textOf(own ?? ownValue(context.properties, name))
}

function ownValue(holder: unknown, name: string): unknown {
  if (holder === null || holder === undefined) return undefined
  return Object.hasOwn(holder, name) ? (holder as Readonly<Record<string, unknown>>)[name] : undefined
}
