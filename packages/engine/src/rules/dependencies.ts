import type { Compilation } from './compilation.ts'
import type { EvaluatedVariant } from './evaluation.ts'
import { isRaw, toText } from './raw-value.ts'
import type { Request } from './request.ts'

/** Dependency on a parent. */
export interface CompiledDependency {
  /** Name of the parent; undefined if the dependency is malformed. A malformed dependency is never satisfied. */
  readonly parent: string | undefined
  /** True if the parent must be on. */
  readonly requiresOn: boolean
  /** Variants that satisfy the dependency; undefined if any variant does. */
  readonly variants: ReadonlySet<unknown> | undefined
  /**
   * False if variants are checked only for a parent that must be on. True if variants are also checked for a parent
   * that must be off; in this case, a parent without variants satisfies the dependency.
   */
  readonly checksParentVariants: boolean
}

/** Result of checking a dependency: satisfied, or the reason why not. */
export type DependencyReason =
  | 'satisfied'
  | 'malformed'
  | 'parent does not exist'
  | 'parent has parents'
  | 'parent is off'
  | 'parent is on'
  | 'parent has another variant'

/** Parent flag, from a dependency's point of view. */
export interface Parent {
  readonly hasParents: boolean
  /** Decides the parent flag for the same request as the child flag. Called only if the parent's result matters. */
  readonly decide: (request: Request) => { readonly enabled: boolean; readonly variant: EvaluatedVariant }
  /** Returns the name of the variant that the parent would have if it were on; undefined for none. */
  readonly variantIfOn: (request: Request) => string | undefined
}

/** Finds a parent by name. Called during evaluation, so a parent can come after its child in the document. */
export type FindParent = (name: string) => Parent | undefined

/**
 * Compiles a list of dependencies. A value that is not a list counts as no dependencies. As an exception, a non-empty
 * string is a dependency that is never satisfied. Never throws.
 */
export function compileDependencies(list: unknown, compilation: Compilation): CompiledDependency[] {
  if (!Array.isArray(list)) {
    if (typeof list !== 'string' || list === '') return []
    compilation.warn('dependencies are not a list')
    return [MALFORMED]
  }
  return list.map((item: unknown) => {
    const parent = isRaw(item) ? toText(item.feature) : undefined
    if (!isRaw(item) || parent === undefined) {
      compilation.warn('a dependency has no parent')
      return MALFORMED
    }
    const variants: unknown = item.variants
    const wanted = Array.isArray(variants) && variants.length > 0 ? new Set<unknown>(variants) : undefined
    const { checksParentVariants } = compilation.profile
    return { parent, requiresOn: item.enabled !== false, variants: wanted, checksParentVariants }
  })
}

/**
 * Checks one dependency. A parent that does not exist or has parents itself never satisfies the dependency. `enabled:
 * false` requires the parent to be off and ignores variants. Otherwise the parent must be on. If the dependency lists
 * variants, the parent must also have one of these variants ("disabled" is the variant of a flag without variants). The
 * `yggdrasil` profile checks the variant whether the parent must be on or off, but not if the parent has no variant. If
 * a pattern search was skipped, no parent counts as off. Source: client-specification 17.
 */
export function checkDependency(dependency: CompiledDependency, request: Request, find: FindParent): DependencyReason {
  if (dependency.parent === undefined) return 'malformed'
  const parent = find(dependency.parent)
  if (!parent) return 'parent does not exist'
  if (parent.hasParents) return 'parent has parents'
  const { enabled, variant } = parent.decide(request)
  if (dependency.requiresOn !== enabled) return enabled ? 'parent is on' : 'parent is off'
  if (enabled) return isSatisfiedByVariant(dependency, variant) ? 'satisfied' : 'parent has another variant'
  // the parent might be on, because a search was skipped
  if (request.searches.isIncomplete) return 'parent is on'
  if (!checksVariantIfOn(dependency)) return 'satisfied'
  return isSatisfiedByVariantIfOn(dependency, parent.variantIfOn(request)) ? 'satisfied' : 'parent has another variant'
}

/** Returns true if a parent that is on with this variant satisfies the dependency. */
export function isSatisfiedByVariant(
  { variants, checksParentVariants }: CompiledDependency,
  variant: EvaluatedVariant,
) {
  if (!variants || (checksParentVariants && !variant.enabled)) return true
  return variants.has(variant.name)
}

/**
 * Returns true if the dependency requires the parent to be off, and also depends on the variant that the parent would
 * have if it were on.
 */
export function checksVariantIfOn({ requiresOn, variants, checksParentVariants }: CompiledDependency): boolean {
  return !requiresOn && checksParentVariants && variants !== undefined
}

/** Returns true if the parent would have one of the dependency's variants, or no variant, if it were on. */
export function isSatisfiedByVariantIfOn({ variants }: CompiledDependency, variant: string | undefined): boolean {
  return variant === undefined || variants?.has(variant) === true
}

const MALFORMED: CompiledDependency = {
  parent: undefined,
  requiresOn: true,
  variants: undefined,
  checksParentVariants: false,
}
