import type { Compilation } from './compilation.ts'
import type { EvaluatedVariant } from './evaluation.ts'
import { isRaw, textOf } from './raw-value.ts'
import type { Request } from './request.ts'

/** Dependency on a parent. */
export interface CompiledDependency {
  /** Name of the parent; undefined if the dependency is malformed. It is then never satisfied. */
  readonly parent: string | undefined
  /** True if the parent has to be on. */
  readonly wantsOn: boolean
  /** Variants that satisfy the dependency; undefined if any variant does. */
  readonly variants: ReadonlySet<unknown> | undefined
  /**
   * False if variants are checked only for a parent that is required to be on. True if they are also checked for a
   * parent that is required to be off; then a parent without variants satisfies the dependency.
   */
  readonly looksAtVariantsOfParent: boolean
}

/** Result of checking a dependency, with the cause. */
export type DependencyReason =
  | 'satisfied'
  | 'malformed'
  | 'parent does not exist'
  | 'parent has parents'
  | 'parent is off'
  | 'parent is on'
  | 'parent has another variant'

/** Parent as a dependency sees it. */
export interface Parent {
  readonly hasParents: boolean
  /** Decides the parent for the child's request. Called only if the result matters. */
  readonly decide: (request: Request) => { readonly enabled: boolean; readonly variant: EvaluatedVariant }
  /** Returns the name of the variant that the parent would have if it were on; undefined for none. */
  readonly variantIfOn: (request: Request) => string | undefined
}

/** Finds a parent by name. Called during evaluation, so a parent may come after its child in the document. */
export type FindParent = (name: string) => Parent | undefined

/**
 * Compiles a list of dependencies. A value that is not a list means no dependencies, except that a non-empty text is a
 * dependency that is never satisfied. Never throws.
 */
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
 * Checks one dependency. A parent that does not exist or has parents itself never satisfies it. `enabled: false`
 * requires the parent to be off and ignores variants. Otherwise the parent has to be on and, if the dependency lists
 * variants, have one of them ("disabled" is the variant of a flag without variants). The `yggdrasil` profile checks
 * variants in both cases, but not if the parent has no variant. Source: client-specification 17.
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

/** Returns true if a parent that is on with this variant satisfies the dependency. */
export function letsVariant({ variants, looksAtVariantsOfParent }: CompiledDependency, variant: EvaluatedVariant) {
  if (!variants || (looksAtVariantsOfParent && !variant.enabled)) return true
  return variants.has(variant.name)
}

/** Returns true if the dependency requires the parent to be off and depends on the variant it would have. */
export function isAboutVariantIfOn({ wantsOn, variants, looksAtVariantsOfParent }: CompiledDependency): boolean {
  return !wantsOn && looksAtVariantsOfParent && variants !== undefined
}

/** Returns true if the parent, were it on, would have one of the dependency's variants or no variant at all. */
export function letsVariantIfOn({ variants }: CompiledDependency, variant: string | undefined): boolean {
  return variant === undefined || variants?.has(variant) === true
}

const MALFORMED: CompiledDependency = {
  parent: undefined,
  wantsOn: true,
  variants: undefined,
  looksAtVariantsOfParent: false,
}
