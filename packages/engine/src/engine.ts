import type { Context } from '@burgee/protocol/context'
import { parseAddress, parseIpv4 } from './cidr.ts'
import type { FindParent, Parent } from './dependencies.ts'
import type { Evaluation } from './evaluation.ts'
import { explainFeature, explainUnknown } from './explain.ts'
import type { Explanation } from './explanation.ts'
import { brokenFeature, type CompiledFeature, compileFeature, decide, evaluationOf } from './feature.ts'
import { Request, Slots, type World } from './request.ts'
import type { CompileWarning, CustomStrategy, Scope } from './scope.ts'
import { type CompiledSegment, compileSegments } from './strategy.ts'
import { isRaw, type Raw } from './text.ts'

export type { EvaluatedVariant, Evaluation, VariantSource } from './evaluation.ts'
export type { Explanation } from './explanation.ts'
export type { CompileWarning, CustomStrategy } from './scope.ts'

/** What a document is compiled with. Time, chance and the host are arguments: the engine reads nothing by itself. */
export interface CompileOptions {
  /** Strategies of the operator's own; they precede built-in ones of the same name, the last of a name wins. */
  readonly strategies?: readonly CustomStrategy[] | undefined
  /** Now, in milliseconds since 1970, for contexts without `currentTime`. `Date.now` by default. */
  readonly clock?: (() => number) | undefined
  /** A number from 0 up to, not including, 1; drawn once per random decision. `Math.random` by default. */
  readonly random?: (() => number) | undefined
  /** Name of this host for the strategy `applicationHostname`, which is false without it. */
  readonly hostname?: string | undefined
  /**
   * Whether the strategy `remoteAddress` knows IPv6 ranges as well. Off by default, for the official Node SDK knows
   * IPv4 ranges only; SDKs of other languages know both.
   */
  readonly ipv6Ranges?: boolean | undefined
  /** Hears of custom strategies that throw or answer no boolean. What it throws is dropped. */
  readonly onError?: ((error: unknown, strategy: string) => void) | undefined
}

/** What is compiled: the body of `GET /api/client/features`, or anything that came in its place. */
export interface FeatureDocument {
  readonly features: readonly unknown[]
  readonly segments?: readonly unknown[] | undefined
}

/** Flags of one document, ready to be asked. Immutable; asking throws nothing, whatever the context holds. */
export interface Engine {
  /** Names of all flags: integer-like ones first, ascending, then as the document lists them. */
  readonly names: readonly string[]
  /** One flag for one context; one that the document does not have is off, with `known: false`. */
  evaluate(name: string, context: Context): Evaluation
  /** All flags, on and off, in the order of `names`. Every flag is decided once, also as a parent. */
  evaluateAll(context: Context): Evaluation[]
  /** Why one flag is what it is: every strategy, constraint, segment, parent, bucket and limit. */
  explain(name: string, context: Context): Explanation
}

/**
 * Compiles a document so that flags can be evaluated without parsing anything again.
 *
 * A later flag of the same name replaces the earlier one and keeps its place. Never throws on a document that came
 * from JSON: what is malformed is never true, its flag alone suffers, and a warning names it.
 */
export function compile(
  document: FeatureDocument,
  options: CompileOptions = {},
): { readonly engine: Engine; readonly warnings: CompileWarning[] } {
  const warnings: CompileWarning[] = []
  const scope = scopeOf(options)
  const warnAbout = (feature: string | undefined): Scope => ({
    ...scope,
    warn: (message) => warnings.push({ feature, message }),
  })
  const source: Raw = isRaw(document) ? document : {}
  const segments = compileSegments(source.segments, warnAbout(undefined))
  const definitions = byName(source.features, warnAbout(undefined))
  const features = [...definitions].map(([name, definition]) =>
    compileSafely(name, definition, segments, warnAbout(name)),
  )
  const world: World = { clock: options.clock ?? Date.now, random: options.random ?? Math.random }
  return { engine: engineOf(features, scope.slots, world), warnings }
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

function compileSafely(
  name: string,
  definition: Raw,
  segments: ReadonlyMap<unknown, CompiledSegment>,
  scope: Scope,
): CompiledFeature {
  try {
    return compileFeature(name, definition, segments, scope)
  } catch (error) {
    scope.warn(`cannot be compiled: ${error}`)
    return brokenFeature(name, definition)
  }
}

function engineOf(features: readonly CompiledFeature[], slots: Slots, world: World): Engine {
  const indexes = new Map(features.map(({ name }, index) => [name, index]))
  const decideAt = (index: number, request: Request): Evaluation | undefined => {
    const feature = features[index]
    if (!feature) return undefined
    const evaluation = request.decided[index] ?? decide(feature, request, findParent)
    request.decided[index] = evaluation
    return evaluation
  }
  const parents: Parent[] = features.map((feature, index) => ({
    hasParents: feature.dependencies.length > 0,
    decide: (request) => decideAt(index, request) ?? feature.off,
  }))
  const findParent: FindParent = (name) => parents[indexes.get(name) ?? -1]
  const find = (name: string) => features[indexes.get(name) ?? -1]
  return {
    names: Object.freeze(features.map(({ name }) => name)),
    evaluate: (name, context) => {
      const feature = find(name)
      if (!feature) return evaluationOf(name, undefined, false)
      return decide(feature, new Request(context, slots, world), findParent)
    },
    evaluateAll: (context) => {
      const request = new Request(context, slots, world, features.length)
      return features.map((feature, index) => decideAt(index, request) ?? feature.off)
    },
    explain: (name, context) => {
      const feature = find(name)
      return feature ? explainFeature(feature, new Request(context, slots, world), find) : explainUnknown(name)
    },
  }
}
