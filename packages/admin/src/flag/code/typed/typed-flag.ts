import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { createNames } from './identifiers.ts'
import { type Shape, shapeOf } from './payload-shape.ts'

/** What typed code is made of: a flag with the variants of all its environments. */
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

/** What the text of a payload is. */
export type PayloadKind = (typeof KINDS)[number]

/** What every language says about a flag. */
export interface TypedFlag {
  readonly name: string
  /** As they are called in some environment, by name, with the kinds of their payloads in some environment. */
  readonly variants: readonly { readonly name: string; readonly kinds: readonly PayloadKind[] }[]
  /** Of all payloads that are JSON; undefined where none is. */
  readonly json: Shape | undefined
}

/** What there is to say about a flag; strategies that are switched off count for nothing. */
export function typedFlag({ name, environments }: FlagToType): TypedFlag {
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
    json: texts.length === 0 ? undefined : shapeOf([...new Set(texts)]),
  }
}

/** What SDKs give where a flag is off, or has no variant for somebody. */
export const DISABLED = 'disabled'

/** Constants for the names of all variants and `disabled`, which is named first: no variant may take its name. */
export function variantConstants(
  { variants }: TypedFlag,
  nameOf: (text: string) => string,
  reserved: readonly string[] = [],
): { readonly name: string; readonly text: string }[] {
  const unique = createNames(reserved)
  const disabled = { name: unique(nameOf(DISABLED)), text: DISABLED }
  const others = variants.filter(({ name }) => name !== DISABLED)
  return [...others.map(({ name }) => ({ name: unique(nameOf(name)), text: name })), disabled]
}
