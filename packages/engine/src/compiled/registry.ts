import type { DocumentCompilation, Test } from '../rules/compilation.ts'
import { type CompiledConstraint, LONGEST_LISTED, type Subject } from '../rules/constraints.ts'
import type { Request } from '../rules/request.ts'
import type { Stickiness } from '../rules/stickiness.ts'
import type { CompiledSegment } from '../rules/strategy.ts'

/** A request that remembers the results of its conditions. */
export interface RememberingRequest extends Request {
  /** Whether a condition holds. */
  holds(ref: number): boolean
}

/**
 * A condition and what is wanted of it, in one integer: `id << 2`, plus {@link IS_LISTED} for a condition that the
 * dictionary of a field answers, plus {@link IS_NEGATED} when it must not be true.
 */
export const IS_LISTED = 2
/** See {@link IS_LISTED}. */
export const IS_NEGATED = 1

/** Something a flag reads, in one integer: what is read, times 8, plus one of these. */
export const READS = { field: 0, id: 1, idOrChance: 2, instant: 3, userId: 4, remoteAddress: 5, anything: 6 }
/** How many kinds of reading fit into an integer. */
export const READ_KINDS = 8

/** How many conditions and texts may be added to any registry before it counts as worn. */
const SMALL = 10_000

/**
 * The conditions of a document's flags, each one once, however many flags share it, and everything else that compiled
 * flags name by number. Only grows, so that engines compiled one after the other can share it.
 */
export class Registry {
  /** What flags are compiled with. */
  readonly compilation: DocumentCompilation
  /** By id of the condition, without negation. Listed ones have none: their dictionary answers. */
  readonly tests: (Test | undefined)[] = []
  /** The field that a listed condition looks at, by id. */
  readonly fields: number[] = []
  /** What a condition reads, by id. */
  readonly reads: (readonly number[])[] = []
  /** Ids of the listed conditions that have a text, ascending, by field and text. */
  readonly dictionaries: (Map<string, number[]> | undefined)[] = []
  /** What rollouts and variants stick to. */
  readonly stickiness: Stickiness[] = []
  /** Lists of variants that no arithmetic on a hash can decide: number of the outcome, -1 for none. */
  readonly choosers: ((request: Request) => number)[] = []
  /** What date constraints compare with, in milliseconds. */
  readonly instants: number[] = []
  readonly #ids = new Map<string, number>()
  readonly #stickinessNumbers = new Map<string, number>()
  readonly #instantIndexes = new Map<number, number>()
  readonly #segments = new Map<CompiledSegment, number | undefined>()
  #size = 0
  #sizeAtFirst = 0

  constructor(compilation: DocumentCompilation) {
    this.compilation = compilation
  }

  /** Says that a whole document has been compiled into an empty registry. */
  markFull(): void {
    this.#sizeAtFirst = this.#size
  }

  /** Whether so much was added since then that a new registry is likely to be half the size. */
  get isWorn(): boolean {
    return this.#size > 2 * this.#sizeAtFirst + SMALL
  }

  /** The number of a stickiness; the same for stickiness with the same key. */
  numberOf(stickiness: Stickiness): number {
    return numbered(this.#stickinessNumbers, stickiness.key, () => this.stickiness.push(stickiness) - 1)
  }

  /** A list of variants that has to be asked. */
  addChooser(choose: (request: Request) => number): number {
    this.#size += 1
    return this.choosers.push(choose) - 1
  }

  /** A condition of its own, shared with nobody. */
  addTest(test: Test, reads: readonly number[]): number {
    return this.#add(test, -1, reads) << 2
  }

  /** The condition of a constraint; true when it holds for everybody, false when it holds for nobody. */
  refOf({ subject }: CompiledConstraint): number | boolean {
    if (!subject) return false
    const { list, field, isNegated } = subject
    if (list?.length === 0) return isNegated
    const isListed = list !== undefined && field !== undefined && list.length <= LONGEST_LISTED
    const id = isListed ? this.#listed(list, field) : this.#tested(subject)
    return (id << 2) | (isListed ? IS_LISTED : 0) | (isNegated ? IS_NEGATED : 0)
  }

  /**
   * The conditions of a valid segment: none when it holds for everybody, undefined when it holds for nobody. Several
   * constraints become one condition, so that they are looked at once per request.
   */
  refsOfSegment(segment: CompiledSegment): readonly number[] | undefined {
    const refs = this.refsOf(segment.constraints)
    if (!refs || refs.length < 2) return refs
    const known = this.#segments.get(segment)
    const ref = known ?? this.addTest((request) => holdsAll(request as RememberingRequest, refs), this.readsOf(refs))
    this.#segments.set(segment, ref)
    return [ref]
  }

  /** Conditions for a list of constraints; undefined when one of them never holds. */
  refsOf(constraints: readonly CompiledConstraint[]): number[] | undefined {
    const refs: number[] = []
    for (const constraint of constraints) {
      const ref = this.refOf(constraint)
      if (ref === false) return undefined
      if (ref !== true) refs.push(ref)
    }
    return refs
  }

  /** What conditions read. */
  readsOf(refs: readonly number[]): number[] {
    return refs.flatMap((ref) => this.reads[ref >> 2] ?? [])
  }

  #listed(list: readonly string[], field: number): number {
    return numbered(this.#ids, `${field} ${JSON.stringify(list)}`, () => {
      const id = this.#add(undefined, field, [field * READ_KINDS + READS.field])
      this.dictionaries[field] ??= new Map()
      const dictionary = this.dictionaries[field]
      this.#size += list.length
      for (const text of new Set(list)) {
        const ids = dictionary.get(text)
        if (ids) ids.push(id)
        else dictionary.set(text, [id])
      }
      return id
    })
  }

  #tested({ test, key, field, instant, list }: Subject): number {
    this.#size += list?.length ?? 0
    const reads = field === undefined ? this.#instant(instant ?? Number.NaN) : field * READ_KINDS + READS.field
    const add = () => this.#add(test, -1, [reads])
    return key === undefined ? add() : numbered(this.#ids, key, add)
  }

  #instant(instant: number): number {
    const index = numbered(this.#instantIndexes, instant, () => this.instants.push(instant) - 1)
    return index * READ_KINDS + READS.instant
  }

  #add(test: Test | undefined, field: number, reads: readonly number[]): number {
    this.#size += 1
    this.fields.push(field)
    this.reads.push(reads)
    return this.tests.push(test) - 1
  }
}

/** Whether all conditions hold. */
export function holdsAll(request: RememberingRequest, refs: readonly number[]): boolean {
  for (const ref of refs) if (!request.holds(ref)) return false
  return true
}

function numbered<K>(known: Map<K, number>, key: K, add: () => number): number {
  const found = known.get(key)
  if (found !== undefined) return found
  const added = add()
  known.set(key, added)
  return added
}
