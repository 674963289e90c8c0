import { compareText } from '@burgee/kit/compare-text'

interface Named {
  readonly name: string
}

/** The language is fixed, so that every node sorts alike whatever its locale. Source: wire protocol */
const COLLATOR = new Intl.Collator('en-US')

/** Orders variants by name as a dictionary does (`alpha`, `Alpha`, `B`); names that it does not tell apart by their units. */
export function compareVariants(a: Named, b: Named): number {
  return COLLATOR.compare(a.name, b.name) || compareText(a.name, b.name)
}

/**
 * Returns variants in the order in which they are stored and served, which decides who gets which: by name. Variants that
 * have the names of the stored ones keep the order of those, so an edit of weights or payloads moves nobody to another variant
 * by a new order, even where an earlier version or an import stored them in another one.
 */
export function arrangeVariants<V extends Named>(variants: readonly V[], stored: readonly Named[] = []): V[] {
  const places = new Map(stored.map(({ name }, index) => [name, index]))
  const placeOf = ({ name }: Named) => places.get(name) ?? 0
  const isSame = variants.length === places.size && variants.every(({ name }) => places.has(name))
  return isSame ? variants.toSorted((a, b) => placeOf(a) - placeOf(b)) : variants.toSorted(compareVariants)
}
