import type { DocumentCompilation, Test } from '../rules/compilation.ts'
import { type CompiledConstraint, MAX_LISTED_LENGTH, type Subject } from '../rules/constraints.ts'
import type { Request } from '../rules/request.ts'
import type { Stickiness } from '../rules/stickiness.ts'
import type { CompiledSegment } from '../rules/strategy.ts'

/** Request that caches the results of conditions. */
export interface CachingRequest extends Request {
  /** Returns true if the condition holds. */
  holds(ref: number): boolean
}

/**
 * Flag bit in a reference to a condition. A reference is a single integer: `id << 2`, plus {@link IS_LISTED} if the
 * condition is looked up in a dictionary, plus {@link IS_NEGATED} if the condition must be false.
 */
export const IS_LISTED = 2
/** See {@link IS_LISTED}. */
export const IS_NEGATED = 1

/**
 * Kinds of inputs that a decision can depend on. An input is encoded as a single integer: 8 times the number of the
 * field, stickiness or instant, plus the kind of input.
 */
export const READS = { field: 0, id: 1, idOrChance: 2, instant: 3, userId: 4, remoteAddress: 5, anything: 6 }
/** Factor in the encoding of an input, large enough to add the kind of input. */
export const READ_KINDS = 8

/** Minimum number of conditions and strings that must be added to a registry before it can count as oversized. */
const MIN_GROWTH = 10_000

/**
 * Distinct conditions of a document's flags, and all other data to which compiled flags refer by number. Data is only
 * ever appended, so that successive engines can share a registry.
 */
export class Registry {
  /** Inputs that all parts of the compilation share. */
  readonly compilation: DocumentCompilation
  /**
   * Tests by condition id, ignoring negation. Undefined for a condition that is looked up in a dictionary, because it
   * compares a field with a short list.
   */
  readonly tests: (Test | undefined)[] = []
  /** Context field of each condition that is looked up in a dictionary, by condition id; -1 for any other condition. */
  readonly fields: number[] = []
  /** Inputs that a condition depends on, by condition id. */
  readonly reads: (readonly number[])[] = []
  /**
   * Dictionary of each context field. A dictionary maps a value to the ids, in ascending order, of the conditions whose
   * lists contain it.
   */
  readonly dictionaries: (Map<string, number[]> | undefined)[] = []
  /** Sources of the sticky ids for rollouts and variants. */
  readonly stickiness: Stickiness[] = []
  /**
   * Variant lists for which choosing a variant takes more than arithmetic on a hash. Each chooser returns an outcome,
   * or -1 if it chooses no variant.
   */
  readonly choosers: ((request: Request) => number)[] = []
  /** Instants that date constraints compare with the time, in milliseconds. */
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

  /**
   * Records how much of the registry a whole document needs. Called after the first compilation into a new registry.
   */
  recordFullSize(): void {
    this.#sizeAtFirst = this.#size
  }

  /**
   * True if the registry has grown so much since {@link recordFullSize} that a new one would probably be half as large.
   */
  get isOversized(): boolean {
    return this.#size > 2 * this.#sizeAtFirst + MIN_GROWTH
  }

  /** Returns the number of a stickiness. Equal stickiness keys have equal numbers. */
  getNumber(stickiness: Stickiness): number {
    return getOrAdd(this.#stickinessNumbers, stickiness.key, () => this.stickiness.push(stickiness) - 1)
  }

  /** Adds a variant list that must be evaluated for each request. */
  addChooser(choose: (request: Request) => number): number {
    this.#size += 1
    return this.choosers.push(choose) - 1
  }

  /** Adds a condition that is not shared between flags. */
  addTest(test: Test, reads: readonly number[]): number {
    return this.#add(test, -1, reads) << 2
  }

  /** Returns the condition for a constraint; true if the constraint always holds, false if it never holds. */
  toRef({ subject }: CompiledConstraint): number | boolean {
    if (!subject) return false
    const { list, field, isNegated } = subject
    if (list?.length === 0) return isNegated
    const isListed = list !== undefined && field !== undefined && list.length <= MAX_LISTED_LENGTH
    const id = isListed ? this.#listed(list, field) : this.#tested(subject)
    return (id << 2) | (isListed ? IS_LISTED : 0) | (isNegated ? IS_NEGATED : 0)
  }

  /**
   * Returns the conditions for a well-formed segment. Returns an empty list if the segment always holds, and undefined
   * if it never holds. If a segment has several constraints, combines them into one condition, so that they are
   * evaluated only once per request.
   */
  toSegmentRefs(segment: CompiledSegment): readonly number[] | undefined {
    const refs = this.toRefs(segment.constraints)
    if (!refs || refs.length < 2) return refs
    const known = this.#segments.get(segment)
    const ref = known ?? this.addTest((request) => holdsAll(request as CachingRequest, refs), this.listReads(refs))
    this.#segments.set(segment, ref)
    return [ref]
  }

  /** Returns the conditions for a list of constraints, or undefined if one of the constraints never holds. */
  toRefs(constraints: readonly CompiledConstraint[]): number[] | undefined {
    const refs: number[] = []
    for (const constraint of constraints) {
      const ref = this.toRef(constraint)
      if (ref === false) return undefined
      if (ref !== true) refs.push(ref)
    }
    return refs
  }

  /** Returns all inputs that the conditions depend on. */
  listReads(refs: readonly number[]): number[] {
    return refs.flatMap((ref) => this.reads[ref >> 2] ?? [])
  }

  #listed(list: readonly string[], field: number): number {
    return getOrAdd(this.#ids, `${field} ${JSON.stringify(list)}`, () => {
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
    return key === undefined ? add() : getOrAdd(this.#ids, key, add)
  }

  #instant(instant: number): number {
    const index = getOrAdd(this.#instantIndexes, instant, () => this.instants.push(instant) - 1)
    return index * READ_KINDS + READS.instant
  }

  #add(test: Test | undefined, field: number, reads: readonly number[]): number {
    this.#size += 1
    this.fields.push(field)
    this.reads.push(reads)
    return this.tests.push(test) - 1
  }
}

/** Returns true if all conditions hold. */
export function holdsAll(request: CachingRequest, refs: readonly number[]): boolean {
  for (const ref of refs) if (!request.holds(ref)) return false
  return true
}

function getOrAdd<K>(known: Map<K, number>, key: K, add: () => number): number {
  const found = known.get(key)
  if (found !== undefined) return found
  const added = add()
  known.set(key, added)
  return added
}
