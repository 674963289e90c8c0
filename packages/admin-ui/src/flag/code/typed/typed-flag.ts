import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { createNameAllocator } from './identifiers.ts'
import { inferShape, type Shape } from './payload-shape.ts'

/** Input for generating typed code: a flag with the variants in all its environments. */
export type FlagToType = Pick<AdminFeature, 'name'> & {
  readonly environments: readonly {
    readonly variants: readonly Variant[]
    readonly strategies: readonly { readonly disabled: boolean; readonly variants: readonly Variant[] }[]
  }[]
}

interface Variant {
  readonly name: string
  readonly payload?: { readonly type: string; readonly value: string } | undefined
}

const KINDS = ['string', 'csv', 'number', 'json'] as const

/** Format of the payload's text. */
export type PayloadKind = (typeof KINDS)[number]

/** Description of a flag from which every language generates code. */
export interface TypedFlag {
  readonly name: string
  /** Variants of all environments, keyed by name, with the kinds of their payloads. */
  readonly variants: readonly { readonly name: string; readonly kinds: readonly PayloadKind[] }[]
  /** Common shape of all JSON payloads; undefined if there are none. */
  readonly json: Shape | undefined
}

/** Collects the properties of a flag that typed code needs. Ignores disabled strategies. */
export function toTypedFlag({ name, environments }: FlagToType): TypedFlag {
  const all = environments
    .flatMap(({ variants, strategies }) => [
      ...variants,
      ...strategies.filter(({ disabled }) => !disabled).flatMap((strategy) => strategy.variants),
    ])
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const found = new Map<string, Set<PayloadKind>>()
  for (const variant of all) {
    const kinds = found.get(variant.name) ?? new Set()
    const kind = KINDS.find((one) => one === variant.payload?.type)
    found.set(variant.name, kind === undefined ? kinds : kinds.add(kind))
  }
  const texts = all.flatMap(({ payload }) => (payload?.type === 'json' ? [payload.value] : []))
  return {
    name,
    variants: [...found].map(([variant, kinds]) => ({ name: variant, kinds: [...kinds] })),
    json: texts.length === 0 ? undefined : inferShape([...new Set(texts)]),
  }
}

/** Variant that SDKs return if a flag is off or no variant applies. */
export const DISABLED = 'disabled'

/** Creates constants for all variant names and `disabled`. `disabled` comes first so that no variant takes its name. */
export function createVariantConstants(
  { variants }: TypedFlag,
  nameOf: (text: string) => string,
  reserved: readonly string[] = [],
): { readonly name: string; readonly text: string }[] {
  const unique = createNameAllocator(reserved)
  const disabled = { name: unique(nameOf(DISABLED)), text: DISABLED }
  const others = variants.filter(({ name }) => name !== DISABLED)
  return [...others.map(({ name }) => ({ name: unique(nameOf(name)), text: name })), disabled]
}
