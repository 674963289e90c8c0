import type { FeatureImport } from '@burgee/protocol/administration/feature-transfer'
import { BUILT_IN_STRATEGIES } from '@burgee/protocol/targeting/built-in-strategy'
import type { ImportTarget } from './feature-import-target.ts'
import { type Findings, listDifferingSegments, toFindings } from './import-findings.ts'
import type { ImportSegments } from './import-segments.ts'
import {
  formatImportLocation,
  type ImportWarning,
  readingWarnings,
  type StoredPart,
  unguardedWarnings,
} from './import-warnings.ts'
import { listUnguardedFlags } from './imported-states.ts'

/** Returns warnings about effects of an import that the caller may not expect. */
export function getImportWarnings(input: FeatureImport, target: ImportTarget): ImportWarning[] {
  const places = listUnguardedFlags(input, target).map((name) => formatImportLocation(name, input.environment))
  const others = input.useExistingSegments === true ? listDifferingSegments(target) : []
  return [
    ...unguardedWarnings(places, input.closeUnguarded === true),
    ...(others.length === 0 ? [] : [{ message: USED_AS_HERE, affectedItems: others }]),
    ...readingWarnings(listStoredParts(input)),
  ]
}

function listStoredParts({ environment, data }: FeatureImport): StoredPart[] {
  return [
    ...(data.segments ?? []).map(({ name, constraints }) => ({ place: name, strategies: [{ name, constraints }] })),
    ...data.featureStrategies.map((strategy) => ({
      place: formatImportLocation(strategy.featureName, environment),
      strategies: [strategy],
    })),
    ...(data.featureEnvironments ?? []).map(({ featureName, variants }) => ({
      place: formatImportLocation(featureName, environment),
      variants,
    })),
  ]
}

const USED_AS_HERE =
  'The following segments have other constraints here than in the import data, so features will match other users:'

const BUILT_IN: ReadonlySet<string> = new Set(BUILT_IN_STRATEGIES.map(({ name }) => name))

/** Returns all warnings about an import for its caller. */
export function findWarnings(input: FeatureImport, target: ImportTarget, hidden: readonly string[] = []): Findings {
  const { known, strategyTypes, isGuarded, segments } = target
  const { project, environment, data } = input
  const there = data.features.flatMap(({ name }) => known.get(name) ?? [])
  const rows = there.filter((row) => !hidden.includes(row.project))
  const findings = toFindings([
    [
      'The following strategy types will be used in import. Please make sure the strategy type parameters are configured as in source environment:',
      data.featureStrategies.map(({ name }) => name).filter((name) => strategyTypes.has(name) && !BUILT_IN.has(name)),
    ],
    [
      'The following features will not be imported as they are currently archived. To import them, please unarchive them first:',
      rows.filter((row) => row.archived_at !== null).map(({ name }) => name),
    ],
    [
      'The following features already exist in this project and will be overwritten:',
      rows.filter((row) => row.archived_at === null && row.project === project).map(({ name }) => name),
    ],
    // Unleash does not check this: an import bypasses change requests
    [
      'The environment requires change requests. Only users who may skip change requests can import:',
      isGuarded ? [environment] : [],
    ],
    ...getSegmentWarnings(segments),
  ])
  return [...findings, ...getImportWarnings(input, target)]
}

/**
 * Returns warnings about segments. Unleash has no such warnings, because its documents do not contain the definitions
 * of segments.
 */
function getSegmentWarnings({ toCreate, findings }: ImportSegments): readonly (readonly [string, readonly string[]])[] {
  const open = [
    ...toCreate.filter(({ constraints }) => constraints.length === 0),
    ...findings.filter(({ here }) => here?.length === 0),
  ]
  const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)
  return [
    ['The following segments will be created from the import data:', namesOf(toCreate)],
    ['The following segments have no constraints, so they match everyone:', namesOf(open)],
  ]
}
