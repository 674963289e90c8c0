import type { VariantDefinition } from '@burgee/protocol/feature'
import type { ManifestFlag, ManifestType } from '@burgee/protocol/openfeature/manifest'
import { numberOfText, payloadType } from '@burgee/protocol/openfeature/value-type'
import type { Reader } from '../../store/database.ts'
import { type DeclaredValue, type ValuedFlag, valuedFlags } from '../../store/features/flag-values.ts'
import { visible } from '../access/rights/hidden-projects.ts'

const NEUTRAL: Readonly<Record<ManifestType, unknown>> = {
  boolean: false,
  string: '',
  integer: 0,
  float: 0,
  object: {},
}

/** The flags of some projects ('*': all) as OpenFeature's command line knows them, by name; archived ones are not there. */
export async function manifestOf(
  reader: Reader,
  projects: readonly string[],
  hidden: readonly string[] = [],
): Promise<ManifestFlag[]> {
  const flags = visible(hidden, await valuedFlags(reader, { projects }), (flag) => flag.project)
  return flags.map(manifestFlag)
}

/** A flag of the manifest. */
export function manifestFlag(flag: ValuedFlag): ManifestFlag {
  const { name, description, declared } = flag
  const type = manifestType(flag)
  return {
    ...{ key: name, name, type },
    defaultValue: declared !== undefined && fits(type, declared.defaultValue) ? declared.defaultValue : NEUTRAL[type],
    ...(description === null ? {} : { description }),
  }
}

/**
 * The type of a flag: that of its variants' payloads, as evaluations have it (`valueTypeOf`), but over all environments;
 * else the declared one; else boolean. Environments that disagree make it boolean.
 */
export function manifestType({ variants, declared }: Pick<ValuedFlag, 'variants' | 'declared'>): ManifestType {
  const type = payloadType(variants)
  if (type === 'number') return numberType(variants, declared)
  if (type !== undefined) return type
  const disagree = variants.some(({ payload }) => payload !== undefined && payload !== null)
  return disagree ? 'boolean' : (declared?.type ?? 'boolean')
}

/** Whether a flag's type follows from its variants, whatever it was declared with. */
export function isDerived({ variants }: Pick<ValuedFlag, 'variants'>): boolean {
  return payloadType(variants) !== undefined
}

/** Whole payloads are good for a flag that was declared to take fractions as well. */
function numberType(variants: readonly VariantDefinition[], declared: DeclaredValue | undefined): ManifestType {
  const isWhole = variants.every(({ payload }) => Number.isInteger(numberOfText(payload?.value)))
  return isWhole && declared?.type !== 'float' ? 'integer' : 'float'
}

/** Whether a default is of a type. */
export function fits(type: ManifestType, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'float':
      return typeof value === 'number' && Number.isFinite(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'string':
      return typeof value === 'string'
  }
}
