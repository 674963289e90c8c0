import { parseAddress, parseIpv4 } from './cidr.ts'
import type { Compiled, CompileOptions, Engine, FeatureDocument } from './contract.ts'
import { brokenFeature, type CompiledFeature, compileFeature } from './feature.ts'
import { ReferenceEngine } from './reference.ts'
import { Slots, type World } from './request.ts'
import { isSame } from './same.ts'
import type { CompileWarning, Scope } from './scope.ts'
import { compileSegments } from './strategy.ts'
import { isRaw, type Raw } from './text.ts'

export type { Compiled, CompileOptions, Engine, FeatureDocument } from './contract.ts'
export type { EvaluatedVariant, Evaluation, VariantSource } from './evaluation.ts'
export type { Explanation } from './explanation.ts'
export type { CompileWarning, CustomStrategy } from './scope.ts'

/**
 * Compiles a document so that flags can be evaluated without parsing anything again.
 *
 * A later flag of the same name replaces the earlier one and keeps its place. Never throws on a document that came
 * from JSON: what is malformed is never true, its flag alone suffers, and a warning names it.
 *
 * @param previous an engine compiled before; what is the same in both documents is taken from it
 */
export function compile(document: FeatureDocument, options: CompileOptions = {}, previous?: Engine): Compiled {
  const warnings: CompileWarning[] = []
  const scope = scopeOf(options)
  const warnAbout = (feature: string | undefined): Scope => ({
    ...scope,
    warn: (message) => warnings.push({ feature, message }),
  })
  const source: Raw = isRaw(document) ? document : {}
  const segments = compileSegments(source.segments, warnAbout(undefined))
  const definitions = byName(source.features, warnAbout(undefined))
  const before = previous instanceof ReferenceEngine ? previous : undefined
  const features = [...definitions].map(([name, definition]): CompiledFeature => {
    const own = warnAbout(name)
    try {
      return compileFeature(name, definition, segments, own, knownOutcomes(name, definition, before))
    } catch (error) {
      own.warn(`cannot be compiled: ${error}`)
      return brokenFeature(name, definition)
    }
  })
  const world: World = { clock: options.clock ?? Date.now, random: options.random ?? Math.random }
  return { engine: new ReferenceEngine(features, scope.slots, world), warnings }
}

function knownOutcomes(name: string, definition: Raw, before: ReferenceEngine | undefined) {
  const feature = before?.featureOf(name)
  return feature && isSame(feature.definition, definition) ? feature.outcomes : undefined
}

function scopeOf({ strategies = [], hostname, onError, ipv6Ranges = false }: CompileOptions): Omit<Scope, 'warn'> {
  const fail = (error: unknown, strategy: string) => {
    try {
      onError?.(error, strategy)
    } catch {
      // evaluation goes on, whatever the listener does
    }
  }
  const custom = new Map(strategies.map((strategy) => [strategy.name, strategy]))
  const readAddress = ipv6Ranges ? parseAddress : parseIpv4
  return { slots: new Slots(), custom, hostname: hostname?.toLowerCase(), readAddress, fail }
}

/** Definitions by name, in the order of JavaScript properties, which is the order SDKs and proxies list flags in. */
function byName(features: unknown, scope: Scope): Map<string, Raw> {
  const definitions: Record<string, Raw> = Object.create(null)
  if (!Array.isArray(features)) scope.warn('features are no list')
  else {
    for (const feature of features) {
      const name = isRaw(feature) ? feature.name : undefined
      if (isRaw(feature) && typeof name === 'string') definitions[name] = feature
      else scope.warn('a feature has no name')
    }
  }
  return new Map(Object.entries(definitions))
}
