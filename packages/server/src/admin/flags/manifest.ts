import { isObject } from '@burgee/kit/input/is-object'
import type { VariantDefinition } from '@burgee/protocol/feature'
import type { ManifestFlag, ManifestType } from '@burgee/protocol/openfeature/manifest'
import { findPayloadType, parseNumber } from '@burgee/protocol/openfeature/value-type'
import type { Reader } from '@burgee/storage/database'
import { type DeclaredValue, listValuedFlags, type ValuedFlag } from '@burgee/storage/queries/flags/flag-values'
import { filterVisible } from '../../core/access/rights/hidden-projects.ts'

const NEUTRAL: Readonly<Record<ManifestType, unknown>> = {
  boolean: false,
  string: '',
  integer: 0,
  float: 0,
  object: {},
}

/**
 * Returns the unarchived flags of projects ('*' means all), sorted by name, in the manifest format of the OpenFeature
 * CLI.
 */
export async function readManifest(
  reader: Reader,
  projects: readonly string[],
  hidden: readonly string[] = [],
): Promise<ManifestFlag[]> {
  const flags = filterVisible(hidden, await listValuedFlags(reader, { projects }), (flag) => flag.project)
  return flags.map(toManifestFlag)
}

/** Returns a flag in the format of the manifest. */
export function toManifestFlag(flag: ValuedFlag): ManifestFlag {
  const { name, description, declared } = flag
  const type = getManifestType(flag)
  return {
    key: name,
    name,
    type,
    defaultValue:
      declared !== undefined && hasType(type, declared.defaultValue) ? declared.defaultValue : NEUTRAL[type],
    ...(description === null ? {} : { description }),
  }
}

/**
 * Returns the type of a flag: the type of its variants' payloads in all environments, determined in the same way as in
 * evaluations (`getValueType`). Without payloads, returns the declared type, or boolean if no type is declared. If the
 * payloads have different types, the type of the flag is boolean.
 */
export function getManifestType({ variants, declared }: Pick<ValuedFlag, 'variants' | 'declared'>): ManifestType {
  const type = findPayloadType(variants)
  if (type === 'number') return getNumberType(variants, declared)
  if (type !== undefined) return type
  const disagree = variants.some(({ payload }) => payload !== undefined && payload !== null)
  return disagree ? 'boolean' : (declared?.type ?? 'boolean')
}

/**
 * Returns the number type of a flag with number payloads. A flag that is declared as float remains a float even if all
 * payloads are whole numbers.
 */
function getNumberType(variants: readonly VariantDefinition[], declared: DeclaredValue | undefined): ManifestType {
  const isWhole = variants.every(({ payload }) => Number.isInteger(parseNumber(payload?.value)))
  return isWhole && declared?.type !== 'float' ? 'integer' : 'float'
}

/** Returns true if a default value is of the given type. */
export function hasType(type: ManifestType, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'float':
      return typeof value === 'number' && Number.isFinite(value)
    case 'object':
      return isObject(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'string':
      return typeof value === 'string'
  }
}
