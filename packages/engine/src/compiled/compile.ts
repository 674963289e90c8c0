import type { Compiled, CompileOptions, Engine, FeatureDocument } from '../contract.ts'
import { scopeOf } from '../rules/begin-compilation.ts'
import type { CompileWarning, Scope, SharedScope } from '../rules/compilation.ts'
import { type Definitions, readDefinitions } from '../rules/definitions.ts'
import { compileSafely } from '../rules/feature.ts'
import { ReferenceEngine, ReferenceFeatures } from '../rules/plain-engine.ts'
import type { Raw } from '../rules/raw-value.ts'
import type { World } from '../rules/request.ts'
import { type CompiledSegment, compileSegment } from '../rules/strategy.ts'
import { CompiledEngine } from './compiled-engine.ts'
import { planOf } from './encode-flag.ts'
import { link, type Program, type SegmentUnit, type Unit } from './program.ts'
import { Registry } from './registry.ts'
import { isSame } from './same-json.ts'

/** How many flags are compared or compiled between two pauses. */
const SLICE = 20

/** Compiles a document in steps of well below a millisecond, unless a single flag or segment is huge. */
export function* compileProgram(
  document: FeatureDocument,
  options: CompileOptions,
  previous: Engine | undefined,
): Generator<void, Compiled> {
  const definitions = yield* readDefinitions(document, options.isListed)
  const before = previous instanceof CompiledEngine ? previous.program : undefined
  const program = yield* new Compiler(definitions, options, before).compile()
  const world = worldOf(options)
  const explainer = () => new ReferenceEngine(new ReferenceFeatures(definitions, scopeOf(options)), world)
  return { engine: new CompiledEngine(program, world, explainer), warnings: warningsOf(definitions, program) }
}

/** Compiles a document in the plainest way: nothing is shared, nothing remembered, nothing folded away. */
export function* compileReference(document: FeatureDocument, options: CompileOptions): Generator<void, Compiled> {
  const definitions = yield* readDefinitions(document, options.isListed)
  const features = new ReferenceFeatures(definitions, scopeOf(options))
  features.compileAll()
  const warnings = [...features.segmentWarnings, ...definitions.warnings, ...features.warnings]
  return { engine: new ReferenceEngine(features, worldOf(options)), warnings }
}

/** Compiles what is new and takes over the rest. */
class Compiler {
  readonly #definitions: Definitions
  readonly #options: CompileOptions
  readonly #before: Program | undefined
  /** Whether compiled parts can be taken over, not outcomes alone. */
  readonly #isKept: boolean
  readonly #registry: Registry
  readonly #segments = new Map<unknown, SegmentUnit>()

  constructor(definitions: Definitions, options: CompileOptions, before: Program | undefined) {
    this.#definitions = definitions
    this.#options = options
    this.#before = before
    this.#isKept = before !== undefined && isAlike(before.options, options) && !before.registry.isWorn
    this.#registry = this.#isKept && before ? before.registry : new Registry(scopeOf(options))
  }

  *compile(): Generator<void, Program> {
    const { names, listed, features, segments } = this.#definitions
    for (const [id, definition] of segments) {
      this.#segments.set(id, this.#segmentOf(id, definition))
      yield
    }
    const units: Unit[] = []
    for (let index = 0; index < names.length; index++) {
      units.push(this.#unitAt(index))
      if (index % SLICE === SLICE - 1) yield
    }
    if (!this.#isKept) this.#registry.markFull()
    const indexes = this.#sameIndexes() ?? new Map(names.map((name, index) => [name, index]))
    yield
    const shared = { registry: this.#registry, segments: this.#segments, options: this.#options }
    return yield* link({ ...shared, names, listed, indexes, definitions: features, units })
  }

  #segmentOf(id: unknown, definition: Raw): SegmentUnit {
    const known = this.#isKept ? this.#before?.segments.get(id) : undefined
    if (known && isSame(known.compiled.definition, definition)) return known
    const warnings: string[] = []
    return { compiled: compileSegment(definition, scopeInto(warnings, this.#registry.scope)), warnings }
  }

  #unitAt(index: number): Unit {
    const name = this.#definitions.names[index] as string
    const definition = this.#definitions.features[index] as Raw
    const known = this.#knownUnit(name, definition)
    return known && this.#isKept && this.#hasItsSegments(known) ? known : this.#compileUnit(name, definition, known)
  }

  /** The unit of an equal definition. */
  #knownUnit(name: string, definition: Raw): Unit | undefined {
    const index = this.#before?.indexes.get(name)
    if (index === undefined || !isSame(this.#before?.definitions[index], definition)) return undefined
    return this.#before?.units[index]
  }

  #hasItsSegments({ segments }: Unit): boolean {
    if (segments) for (const [id, segment] of segments) if (this.#segments.get(id)?.compiled !== segment) return false
    return true
  }

  #compileUnit(name: string, definition: Raw, known: Unit | undefined): Unit {
    const warnings: string[] = []
    const segments = new Map<unknown, CompiledSegment | undefined>()
    const find = (id: unknown) => {
      const segment = this.#segments.get(id)?.compiled
      segments.set(id, segment)
      return segment
    }
    const scope = scopeInto(warnings, this.#registry.scope)
    const feature = compileSafely(name, definition, find, scope, known?.outcomes)
    const parts = { outcomes: feature.outcomes, plan: planOf(feature, this.#registry) }
    return {
      ...parts,
      segments: segments.size > 0 ? segments : undefined,
      warnings: warnings.length > 0 ? warnings : NOTHING,
    }
  }

  #sameIndexes(): ReadonlyMap<string, number> | undefined {
    return this.#before && isSame(this.#before.names, this.#definitions.names) ? this.#before.indexes : undefined
  }
}

/**
 * Made here, and not in a method: tests and choosers that live as long as their flag hold their scope, and through a
 * function made in a method they would hold the compiler, the program before, and so all programs there ever were.
 */
function scopeInto(warnings: string[], shared: SharedScope): Scope {
  return { ...shared, warn: (message) => warnings.push(message) }
}

const NOTHING: readonly never[] = Object.freeze([])

/** Whether two sets of options compile the same document to the same parts; clock and chance are no part of them. */
function isAlike(a: CompileOptions, b: CompileOptions): boolean {
  const [own, others] = [a.strategies ?? [], b.strategies ?? []]
  return (
    a.hostname === b.hostname &&
    Boolean(a.ipv6Ranges) === Boolean(b.ipv6Ranges) &&
    a.onError === b.onError &&
    own.length === others.length &&
    own.every((strategy, index) => strategy === others[index])
  )
}

function worldOf({ clock = Date.now, random = Math.random }: CompileOptions): World {
  return { clock, random }
}

function warningsOf(definitions: Definitions, { segments, units, names }: Program): CompileWarning[] {
  const warnings: CompileWarning[] = []
  for (const segment of segments.values()) {
    for (const message of segment.warnings) warnings.push({ feature: undefined, message })
  }
  warnings.push(...definitions.warnings)
  for (const [index, unit] of units.entries()) {
    for (const message of unit.warnings) warnings.push({ feature: names[index], message })
  }
  return warnings
}
