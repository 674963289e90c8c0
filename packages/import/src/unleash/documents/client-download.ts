import { isObject } from '@burgee/kit/input/is-object'
import { compileNeverIgnored } from '@burgee/kit/input/never-ignored'
import { Constraint, Strategy, VariantDefinition } from '@burgee/protocol/feature'
import { NO_IGNORED_RESTRICTION } from '@burgee/protocol/targeting/restriction'
import { type FeatureDocument, parseFeatureDocument } from '@burgee/serving/document/feature-document'
import Type from 'typebox'
import { SourceRefused } from '../../model/source.ts'
import { requireDecidingTypes } from './document-types.ts'

const ConstraintKeys = Type.Object(Constraint.properties, NO_IGNORED_RESTRICTION)
const VariantKeys = Type.Object(VariantDefinition.properties, NO_IGNORED_RESTRICTION)
/** SDKs ignore `disabled` of a strategy, because servers omit disabled strategies from downloads. */
const { disabled: _, ...DOWNLOADED } = Strategy.properties
const StrategyKeys = Type.Object(
  { ...DOWNLOADED, constraints: Type.Array(ConstraintKeys), variants: Type.Array(VariantKeys) },
  NO_IGNORED_RESTRICTION,
)

/** Properties of a download that the import reads. This schema does not check the types of the properties. */
const Download = Type.Object({
  features: Type.Array(
    Type.Object(
      {
        enabled: Type.Unknown(),
        dependencies: Type.Unknown(),
        strategies: Type.Array(StrategyKeys),
        variants: Type.Array(VariantKeys),
      },
      NO_IGNORED_RESTRICTION,
    ),
  ),
  segments: Type.Array(Type.Object({ constraints: Type.Array(ConstraintKeys) }, NO_IGNORED_RESTRICTION)),
})
const findIgnored = compileNeverIgnored(Download)

/**
 * Returns the SDK download in a file. The file may contain the download, its list of flags, or the backup of an edge.
 * The backup is a list of `[environment, download]` pairs. Throws SourceRefused.
 */
export function readDownload(value: unknown, path: string, environment: string): FeatureDocument {
  const document = parseEnvelope(Array.isArray(value) ? selectDownload(value, path, environment) : value, path)
  const [ignored] = findIgnored(document)
  if (ignored !== undefined) {
    const names = ignored.names.join(', ')
    throw new SourceRefused(`${ignored.path.slice(1)} of ${path} must not have ${names}, which would be ignored`)
  }
  requireDecidingTypes(document, path)
  refuseDuplicates(document, path)
  return document
}

type Pair = readonly [environment: string, download: unknown]

function selectDownload(list: readonly unknown[], path: string, environment: string): unknown {
  if (list.length === 0 || !list.every(isPair)) return { features: list }
  const found = list.filter(([name]) => name === environment)
  const [only] = found
  if (only !== undefined && found.length === 1) return only[1]
  if (found.length > 1) throw new SourceRefused(`${path} has the environment "${environment}" ${found.length} times`)
  const names = list.map(([name]) => name).join(', ')
  throw new SourceRefused(`${path} has no environment "${environment}", but ${names}`)
}

function isPair(item: unknown): item is Pair {
  return Array.isArray(item) && item.length === 2 && typeof item[0] === 'string' && isObject(item[1])
}

function parseEnvelope(value: unknown, path: string): FeatureDocument {
  try {
    return parseFeatureDocument(value)
  } catch (error) {
    throw new SourceRefused(`${path}: ${(error as Error).message}`)
  }
}

/** Rejects duplicates. If several flags have the same name, SDKs use the last flag, but other readers use the first. */
function refuseDuplicates({ features, segments }: FeatureDocument, path: string): void {
  const name = findDuplicate(features.map((feature) => feature.name))
  if (name !== undefined) throw new SourceRefused(`${path} has the flag "${name}" more than once`)
  const id = findDuplicate(segments.map((segment) => segment.id))
  if (id !== undefined) throw new SourceRefused(`${path} has the segment ${id} more than once`)
}

function findDuplicate<T>(values: readonly T[]): T | undefined {
  const seen = new Set<T>()
  return values.find((value) => {
    if (seen.has(value)) return true
    seen.add(value)
    return false
  })
}
