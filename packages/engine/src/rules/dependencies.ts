import type { Compilation } from './compilation.ts'
import type { EvaluatedVariant } from './evaluation.ts'
import { isRaw, textOf } from './raw-value.ts'
import type { Request } from './request.ts'

/** A parent, and what it has to be. */
export interface CompiledDependency {
  /** Undefined when the dependency is malformed: then it is never satisfied. */
  readonly parent: string | undefined
  /** True when the parent has to be on. */
  readonly wantsOn: boolean
  /** The parent has to have one of these; undefined when any variant will do. */
  readonly variants: ReadonlySet<unknown> | undefined
  /** True if variants count only where the parent has one, whether it is on or off. */
  readonly looksAtVariantsOfParent: boolean
}

/** Whether a parent lets its child be looked at, and what decided. */
export type DependencyReason =
  | 'satisfied'
  | 'malformed'
  | 'parent does not exist'
  | 'parent has parents'
  | 'parent is off'
  | 'parent is on'
  | 'parent has another variant'

/** What a dependency has to know about its parent. */
export interface Parent {
  readonly hasParents: boolean
  /** The parent's decision for the child's request; only called when it matters. */
  readonly decide: (request: Request) => { readonly enabled: boolean; readonly variant: EvaluatedVariant }
  /** The variant that the parent would have if it were on, by name; undefined for none. */
  readonly variantIfOn: (request: Request) => string | undefined
}

/** Parents by name. They are looked up while a request runs, so flags may stand in any order. */
export type FindParent = (name: string) => Parent | undefined

/** Compiles a list of dependencies. What is no list means none, except that a text is never satisfied. Throws nothing. */
export function compileDependencies(list: unknown, compilation: Compilation): CompiledDependency[] {
  if (!Array.isArray(list)) {
    if (typeof list !== 'string' || list === '') return []
    compilation.warn('dependencies are no list')
    return [MALFORMED]
  }
  return list.map((item: unknown) => {
    const parent = isRaw(item) ? textOf(item.feature) : undefined
    if (!isRaw(item) || parent === undefined) {
      compilation.warn('a dependency names no parent')
      return MALFORMED
    }
    const variants: unknown = item.variants
    const wanted = Array.isArray(variants) && variants.length > 0 ? new Set<unknown>(variants) : undefined
    const { looksAtVariantsOfParent } = compilation.profile
    return { parent, wantsOn: item.enabled !== false, variants: wanted, looksAtVariantsOfParent }
  })
}

/**
 * Whether one parent is as its child wants it.
 *
 * A parent that does not exist or has parents itself never satisfies. `enabled: false` wants the parent off and does
 * not look at variants; otherwise it has to be on, with one of the listed variants if any is listed ("disabled" is the
 * variant of a flag without variants). The profile `yggdrasil` looks at variants in both cases, but not if the parent
 * yields none. Source: client-specification 17.
 */
export function reasonOf(dependency: CompiledDependency, request: Request, find: FindParent): DependencyReason {
  if (dependency.parent === undefined) return 'malformed'
  const parent = find(dependency.parent)
  if (!parent) return 'parent does not exist'
  if (parent.hasParents) return 'parent has parents'
  const { enabled, variant } = parent.decide(request)
  if (dependency.wantsOn !== enabled) return enabled ? 'parent is on' : 'parent is off'
  if (enabled) return letsVariant(dependency, variant) ? 'satisfied' : 'parent has another variant'
  if (!isAboutVariantIfOn(dependency)) return 'satisfied'
  return letsVariantIfOn(dependency, parent.variantIfOn(request)) ? 'satisfied' : 'parent has another variant'
}

/** True if a dependency lets its child be looked at while the parent is on with this variant. */
export function letsVariant({ variants, looksAtVariantsOfParent }: CompiledDependency, variant: EvaluatedVariant) {
  if (!variants || (looksAtVariantsOfParent && !variant.enabled)) return true
  return variants.has(variant.name)
}

/** True if a dependency on a parent that is off asks which variant the parent would have. */
export function isAboutVariantIfOn({ wantsOn, variants, looksAtVariantsOfParent }: CompiledDependency): boolean {
  return !wantsOn && looksAtVariantsOfParent && variants !== undefined
}

/** True if the variant that a parent would have is one of those that the dependency names, or the parent has none. */
export function letsVariantIfOn({ variants }: CompiledDependency, variant: string | undefined): boolean {
  return variant === undefined || variants?.has(variant) === true
}

const MALFORMED: CompiledDependency = {
  parent: undefined,
  wantsOn: true,
  variants: undefined,
  looksAtVariantsOfParent: false,
}
