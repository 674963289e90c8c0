import type { Compiled, CompileOptions, Engine, FeatureDocument } from '../contract.ts'
import { beginCompilation } from '../rules/begin-compilation.ts'
import type { Compilation, CompileWarning, DocumentCompilation } from '../rules/compilation.ts'
import { type Definitions, readDefinitions } from '../rules/definitions.ts'
import { type CompiledFeature, compileSafely, findVariantIfOn } from '../rules/feature.ts'
import { PlainEngine, PlainFeatures } from '../rules/plain-engine.ts'
import type { Raw } from '../rules/raw-value.ts'
import type { Request, TimeAndChance } from '../rules/request.ts'
import { type CompiledSegment, compileSegment } from '../rules/strategy.ts'
import { CompiledEngine } from './compiled-engine.ts'
import { encodeFlag } from './encode-flag.ts'
import { link, type Program, type ProgramFlag, type ProgramSegment } from './program.ts'
import { Registry } from './registry.ts'
import { isSameJson } from './same-json.ts'

/** Number of flags that are compared or compiled in one step. */
const FLAGS_PER_STEP = 20

/** Compiles a document in steps that take well below a millisecond, unless a single flag or segment is huge. */
export function* compileProgram(
  document: FeatureDocument,
  options: CompileOptions,
  previous: Engine | undefined,
): Generator<void, Compiled> {
  const definitions = yield* readDefinitions(document, options.isListed)
  const before = previous instanceof CompiledEngine ? previous.program : undefined
  const program = yield* new Compiler(definitions, options, before).compile()
  const timeAndChance = toTimeAndChance(options)
  const explainer = () => new PlainEngine(new PlainFeatures(definitions, beginCompilation(options)), timeAndChance)
  return { engine: new CompiledEngine(program, timeAndChance, explainer), warnings: listWarnings(definitions, program) }
}

/** Compiles a document without sharing, caching or constant folding. */
export function* compilePlain(document: FeatureDocument, options: CompileOptions): Generator<void, Compiled> {
  const definitions = yield* readDefinitions(document, options.isListed)
  const features = new PlainFeatures(definitions, beginCompilation(options))
  yield* features.compileAll()
  const warnings = [...features.segmentWarnings, ...definitions.warnings, ...features.warnings]
  return { engine: new PlainEngine(features, toTimeAndChance(options)), warnings }
}

/** Incremental compiler: compiles the changed parts of a document, and reuses the rest of the previous program. */
class Compiler {
  readonly #definitions: Definitions
  readonly #options: CompileOptions
  readonly #before: Program | undefined
  /** True if compiled parts of the previous program can be reused; otherwise only its lists of outcomes are reused. */
  readonly #isReusable: boolean
  readonly #registry: Registry
  readonly #segments = new Map<unknown, ProgramSegment>()

  constructor(definitions: Definitions, options: CompileOptions, before: Program | undefined) {
    this.#definitions = definitions
    this.#options = options
    this.#before = before
    this.#isReusable = before !== undefined && areEquivalent(before.options, options) && !before.registry.isOversized
    this.#registry = this.#isReusable && before ? before.registry : new Registry(beginCompilation(options))
  }

  *compile(): Generator<void, Program> {
    const { names, listed, features, segments } = this.#definitions
    for (const [id, definition] of segments) {
      this.#segments.set(id, this.#toSegment(id, definition))
      yield
    }
    const flags: ProgramFlag[] = []
    for (let index = 0; index < names.length; index++) {
      flags.push(this.#flagAt(index))
      if (index % FLAGS_PER_STEP === FLAGS_PER_STEP - 1) yield
    }
    if (!this.#isReusable) this.#registry.recordFullSize()
    const indexes = this.#sameIndexes() ?? new Map(names.map((name, index) => [name, index]))
    yield
    const shared = { registry: this.#registry, segments: this.#segments, options: this.#options }
    return yield* link({ ...shared, names, listed, indexes, definitions: features, flags })
  }

  #toSegment(id: unknown, definition: Raw): ProgramSegment {
    const known = this.#isReusable ? this.#before?.segments.get(id) : undefined
    if (known && isSameJson(known.compiled.definition, definition)) return known
    const warnings: string[] = []
    return {
      compiled: compileSegment(definition, createCompilation(warnings, '', this.#registry.compilation)),
      warnings,
    }
  }

  #flagAt(index: number): ProgramFlag {
    const name = this.#definitions.names[index] as string
    const definition = this.#definitions.features[index] as Raw
    const known = this.#knownFlag(name, definition)
    return known && this.#isReusable && this.#hasItsSegments(known) ? known : this.#compileFlag(name, definition, known)
  }

  /** Returns the flag as compiled for the previous program if its definition is unchanged. */
  #knownFlag(name: string, definition: Raw): ProgramFlag | undefined {
    const index = this.#before?.indexes.get(name)
    if (index === undefined || !isSameJson(this.#before?.definitions[index], definition)) return undefined
    return this.#before?.flags[index]
  }

  #hasItsSegments({ segments }: ProgramFlag): boolean {
    if (segments) for (const [id, segment] of segments) if (this.#segments.get(id)?.compiled !== segment) return false
    return true
  }

  #compileFlag(name: string, definition: Raw, known: ProgramFlag | undefined): ProgramFlag {
    const warnings: string[] = []
    const segments = new Map<unknown, CompiledSegment | undefined>()
    const find = (id: unknown) => {
      const segment = this.#segments.get(id)?.compiled
      segments.set(id, segment)
      return segment
    }
    const compilation = createCompilation(warnings, name, this.#registry.compilation)
    const feature = compileSafely(name, definition, find, compilation, known?.outcomes)
    const parts = { outcomes: feature.outcomes, encoded: encodeFlag(feature, this.#registry) }
    return {
      ...parts,
      segments: segments.size > 0 ? segments : undefined,
      warnings: warnings.length > 0 ? warnings : NOTHING,
      variantIfOn: compilation.profile.checksParentVariants ? createVariantIfOn(feature) : undefined,
    }
  }

  #sameIndexes(): ReadonlyMap<string, number> | undefined {
    return this.#before && isSameJson(this.#before.names, this.#definitions.names) ? this.#before.indexes : undefined
  }
}

/**
 * Creates the compilation of one flag. A function and not a method of the compiler, to prevent a memory leak. The tests
 * and choosers of a flag refer to its compilation for as long as the flag exists. A closure created in a method would
 * also refer to the compiler and, through it, to all earlier programs.
 */
function createCompilation(warnings: string[], flag: string, shared: DocumentCompilation): Compilation {
  return { ...shared, flag, warn: (message) => warnings.push(message) }
}

/**
 * Creates the function `variantIfOn` of a flag. Returns undefined for a flag without variants, so that the compiled
 * flag can be garbage-collected.
 */
function createVariantIfOn(feature: CompiledFeature) {
  const hasVariants = feature.outcomes.length > 2
  return hasVariants ? (request: Request) => findVariantIfOn(feature, request) : undefined
}

const NOTHING: readonly never[] = Object.freeze([])

/** Returns true if documents compile to the same parts with both sets of options. Ignores clock and randomness. */
function areEquivalent(a: CompileOptions, b: CompileOptions): boolean {
  const [own, others] = [a.strategies ?? [], b.strategies ?? []]
  return (
    a.hostname === b.hostname &&
    (a.profile ?? 'node') === (b.profile ?? 'node') &&
    a.onError === b.onError &&
    own.length === others.length &&
    own.every((strategy, index) => strategy === others[index])
  )
}

function toTimeAndChance({ clock = Date.now, random = Math.random }: CompileOptions): TimeAndChance {
  return { clock, random }
}

function listWarnings(definitions: Definitions, { segments, flags, names }: Program): CompileWarning[] {
  const warnings: CompileWarning[] = []
  for (const segment of segments.values()) {
    for (const message of segment.warnings) warnings.push({ feature: undefined, message })
  }
  warnings.push(...definitions.warnings)
  for (const [index, flag] of flags.entries()) {
    for (const message of flag.warnings) warnings.push({ feature: names[index], message })
  }
  return warnings
}
