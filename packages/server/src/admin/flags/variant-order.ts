import { compareText } from '@burgee/kit/compare-text'

interface Named {
  readonly name: string
}

/**
 * Collator with a fixed language, so that all nodes sort in the same order regardless of their locale. Source: wire
 * protocol
 */
const COLLATOR = new Intl.Collator('en-US')

/**
 * Compares variants by name in dictionary order (`alpha`, `Alpha`, `B`), and by UTF-16 code units if the names are
 * equal in dictionary order.
 */
export function compareVariants(a: Named, b: Named): number {
  return COLLATOR.compare(a.name, b.name) || compareText(a.name, b.name)
}

/**
 * Returns variants sorted by name. Variants are stored and sent to SDKs in this order, and the order determines which
 * users get which variant. If the set of names has not changed, the stored order stays. Editing weights or payloads
 * must not reassign users, even if an earlier version or an import has stored another order.
 */
export function arrangeVariants<V extends Named>(variants: readonly V[], stored: readonly Named[] = []): V[] {
  const places = new Map(stored.map(({ name }, index) => [name, index]))
  const placeOf = ({ name }: Named) => places.get(name) ?? 0
  const isSame = variants.length === places.size && variants.every(({ name }) => places.has(name))
  return isSame ? variants.toSorted((a, b) => placeOf(a) - placeOf(b)) : variants.toSorted(compareVariants)
}
