import type { ClientFeatures, Feature, Strategy, VariantDefinition } from '@burgee/protocol/feature'
import type { AnyFlags } from '../typed-flags.ts'

/** Variant of a flag: its name, or its name with a payload. */
export type FakeVariant<Name extends string = string> =
  | Name
  | { readonly name: Name; readonly payload?: VariantDefinition['payload'] }

/** Flag of the fake server; other properties are as SDKs download them. */
export interface FakeFlag<Variant extends string = string>
  extends Partial<Omit<Feature, 'name' | 'enabled' | 'variants'>> {
  /** True by default. */
  readonly enabled?: boolean
  /** Variants. While the flag is on, everyone gets the first one. */
  readonly variants?: readonly FakeVariant<Variant>[]
}

/** Flags of the fake server by name: on or off for everyone, or described in detail. */
export type FakeFlags<Flags extends object = AnyFlags> = {
  readonly [Name in keyof Flags]: Flags[Name] extends boolean
    ? boolean | FakeFlag
    : boolean | FakeFlag<Variants<Flags[Name]>>
}

type Variants<Value> = Extract<Value, string>

const EVERYONE: readonly Strategy[] = [{ name: 'default', constraints: [], parameters: {} }]
const FULL_WEIGHT = 1000

/** Returns the flags in the form in which SDKs download them. */
export function toFeatures(flags: Readonly<Record<string, boolean | FakeFlag>>, project: string): Feature[] {
  return Object.entries(flags).map(([name, flag]) => {
    const { enabled = true, variants = [], ...rest } = typeof flag === 'boolean' ? { enabled: flag } : flag
    return {
      type: 'release',
      project,
      strategies: [...EVERYONE],
      stale: false,
      impressionData: false,
      ...rest,
      name,
      enabled,
      variants: variants.map((variant, at) => toVariant(variant, at === 0)),
    }
  })
}

function toVariant(variant: FakeVariant, isFirst: boolean): VariantDefinition {
  const { name, payload } = typeof variant === 'string' ? { name: variant, payload: undefined } : variant
  return {
    name,
    weight: isFirst ? FULL_WEIGHT : 0,
    weightType: isFirst ? 'variable' : 'fix',
    stickiness: 'default',
    ...(payload === undefined ? {} : { payload }),
  }
}

/** Returns the flags of a document that SDKs download; flags without a project belong to `project`. */
export function withProject({ features }: Pick<ClientFeatures, 'features'>, project: string): Feature[] {
  return features.map((feature) => ({ ...feature, project: feature.project ?? project }))
}
