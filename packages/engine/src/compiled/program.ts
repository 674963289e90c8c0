import type { CompileOptions } from '../contract.ts'
import {
  type CompiledDependency,
  checksVariantIfOn,
  isSatisfiedByVariant,
  isSatisfiedByVariantIfOn,
} from '../rules/dependencies.ts'
import type { Evaluation } from '../rules/evaluation.ts'
import { ON } from '../rules/feature.ts'
import type { Raw } from '../rules/raw-value.ts'
import type { Request } from '../rules/request.ts'
import type { CompiledSegment } from '../rules/strategy.ts'
import { CHOICE, END, type EncodedFlag, EVERY_REQUEST, NO_OUTCOME } from './encode-flag.ts'
import { Integers } from './integers.ts'
import { getFlagReasons } from './reasons.ts'
import { READ_KINDS, READS, type Registry } from './registry.ts'
import { type Rows, RowsWriter } from './rows.ts'

/** Compiled flag: the part of a program that the next program reuses if the flag has not changed. */
export interface ProgramFlag {
  readonly outcomes: readonly Evaluation[]
  readonly encoded: EncodedFlag
  /** Segments, by id, that were used to compile the flag. */
  readonly segments: ReadonlyMap<unknown, CompiledSegment | undefined> | undefined
  readonly warnings: readonly string[]
  /** See `Parent`; undefined if the flag has no variants or the profile ignores the variants of parents. */
  readonly variantIfOn: ((request: Request) => string | undefined) | undefined
}

/** Compiled segment. */
export interface ProgramSegment {
  readonly compiled: CompiledSegment
  readonly warnings: readonly string[]
}

/** Parent of a flag. `lets` contains true for each outcome of the parent that satisfies the child's dependency. */
export interface LinkedParent {
  readonly index: number
  readonly satisfiedBy: readonly boolean[]
  /** Additional check that is needed if the outcome of the parent alone does not decide. */
  readonly isMet?: (request: Request) => boolean
}

/** All flags of a document, encoded as lists of integers so that one pass can evaluate them. */
export interface Program {
  /** Names of the flags that callers can see, then of flags that only serve as parents. */
  readonly names: readonly string[]
  readonly listed: readonly string[]
  readonly indexes: ReadonlyMap<string, number>
  readonly definitions: readonly Raw[]
  readonly flags: readonly ProgramFlag[]
  readonly segments: ReadonlyMap<unknown, ProgramSegment>
  readonly registry: Registry
  /** Options with which the program was compiled. */
  readonly options: CompileOptions
  /**
   * Outcome of each flag if it is constant, or its initial outcome if the flag is in `rows`; otherwise 0. Indexed by
   * flag.
   */
  readonly constants: Uint16Array
  /**
   * Two entries per flag: the reason when the flag is off, and the reason when it is on. An entry is
   * `DEPENDS_ON_REQUEST` if the request determines the reason.
   */
  readonly reasons: Uint8Array
  /** Start of each flag in `code`; -1 for a flag with a constant outcome. */
  readonly starts: Int32Array
  readonly code: Int32Array
  /** Flags that have one of the common shapes. */
  readonly rows: Rows
  /** Flags without parents that depend on the context and do not have a common shape. */
  readonly others: Int32Array
  /** Flags with parents. A flag with parents cannot be a parent itself. */
  readonly children: Int32Array
  /** Parents of each flag, by flag index; undefined for a flag without parents. */
  readonly parents: ReadonlyMap<number, readonly LinkedParent[]>
  /** Fields whose dictionaries are used by at least one flag. */
  readonly listedFields: readonly number[]
  /** Context fields, ids and instants that the flags depend on, encoded as described at `READS`. */
  readonly reads: readonly number[]
}

/** Number of flags that are linked in one step. */
const FLAGS_PER_STEP = 500

/** Parts from which a program is linked. The flags were compiled one by one before. */
export type Parts = Pick<
  Program,
  'names' | 'listed' | 'indexes' | 'definitions' | 'flags' | 'segments' | 'registry' | 'options'
>

/** Links compiled flags into a program. Yields after every few hundred flags. */
export function* link(parts: Parts): Generator<void, Program> {
  const { flags, indexes, registry } = parts
  const linker = new Linker(flags, indexes)
  for (let from = 0; from < flags.length; from += FLAGS_PER_STEP) {
    for (let index = from; index < Math.min(from + FLAGS_PER_STEP, flags.length); index++) linker.add(index)
    yield
  }
  return { ...parts, ...linker.finish(registry) }
}

class Linker {
  readonly #flags: readonly ProgramFlag[]
  readonly #indexes: ReadonlyMap<string, number>
  readonly #constants: Uint16Array
  readonly #reasons: Uint8Array
  readonly #starts: Int32Array
  readonly #code = new Integers()
  readonly #rows = new RowsWriter()
  readonly #others = new Integers()
  readonly #children = new Integers()
  readonly #parents = new Map<number, readonly LinkedParent[]>()
  readonly #reads: number[] = []
  readonly #isRead: boolean[] = []

  constructor(flags: readonly ProgramFlag[], indexes: ReadonlyMap<string, number>) {
    this.#flags = flags
    this.#indexes = indexes
    this.#constants = new Uint16Array(flags.length)
    this.#reasons = new Uint8Array(2 * flags.length)
    this.#starts = new Int32Array(flags.length).fill(-1)
  }

  add(index: number): void {
    const encoded = this.#encodedAt(index)
    const parents = encoded.dependencies.length > 0 ? this.#linkParents(encoded) : NO_PARENTS
    this.#reasons.set(getFlagReasons(encoded, parents !== undefined), 2 * index)
    if (!parents) return
    if (encoded.constant !== NO_OUTCOME && parents.length === 0) {
      this.#constants[index] = encoded.constant
      return
    }
    this.#starts[index] = this.#code.length
    const code = encoded.constant === NO_OUTCOME ? encoded.code : encodeConstant(encoded.constant)
    this.#code.addAll(code)
    for (const read of encoded.reads) this.#read(read)
    if (parents.length > 0) {
      this.#parents.set(index, parents)
      this.#children.add(index)
      return
    }
    const isOn = this.#rows.add(index, code)
    if (isOn === undefined) this.#others.add(index)
    else if (isOn) this.#constants[index] = ON
  }

  finish(registry: Registry) {
    const code = this.#code.toArray()
    return {
      constants: this.#constants,
      starts: this.#starts,
      code,
      parents: this.#parents,
      reads: this.#reads,
      reasons: this.#reasons,
      rows: this.#rows.rows(),
      others: this.#others.toArray(),
      children: this.#children.toArray(),
      listedFields: registry.dictionaries.flatMap((dictionary, field) =>
        dictionary && this.#isRead[field * READ_KINDS + READS.field] ? [field] : [],
      ),
    }
  }

  #read(read: number): void {
    if (!this.#isRead[read]) this.#reads.push(read)
    this.#isRead[read] = true
  }

  #encodedAt(index: number): EncodedFlag {
    return (this.#flags[index] as ProgramFlag).encoded
  }

  /** Returns the parents to check for each request, or undefined if a dependency can never be satisfied. */
  #linkParents({ dependencies }: EncodedFlag): readonly LinkedParent[] | undefined {
    const parents: LinkedParent[] = []
    for (const dependency of dependencies) {
      const { parent, requiresOn } = dependency
      const index = parent === undefined ? undefined : this.#indexes.get(parent)
      const flag = index === undefined ? undefined : this.#flags[index]
      if (index === undefined || !flag || flag.encoded.hasParents) return undefined
      const { constant } = flag.encoded
      const lets = flag.outcomes.map(({ enabled, variant }) =>
        requiresOn ? enabled && isSatisfiedByVariant(dependency, variant) : !enabled,
      )
      const isMet = createVariantIfOnTest(dependency, flag)
      if (constant !== NO_OUTCOME && !lets[constant]) return undefined
      if (isMet) this.#read(READS.anything)
      if (constant === NO_OUTCOME || isMet) parents.push({ index, satisfiedBy: lets, ...(isMet && { isMet }) })
    }
    return parents
  }
}

/** Returns the additional check of a dependency on a parent that is off; undefined if there is none. */
function createVariantIfOnTest(dependency: CompiledDependency, { variantIfOn }: ProgramFlag) {
  if (!checksVariantIfOn(dependency) || variantIfOn === undefined) return undefined
  return (request: Request) => isSatisfiedByVariantIfOn(dependency, variantIfOn(request))
}

const NO_PARENTS: readonly LinkedParent[] = []

/** Encodes a strategy with the same outcome for every request. */
function encodeConstant(outcome: number): readonly number[] {
  return [7, 5, 0, EVERY_REQUEST, CHOICE.fixed, outcome, END, CHOICE.none]
}
