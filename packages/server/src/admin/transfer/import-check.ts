import type { FeatureImport, ImportFindings } from '@burgee/protocol/administration/feature-transfer'
import { Problem } from '@burgee/protocol/problem'
import type { Rights } from '../../core/access/rights/rights.ts'
import type { ImportTarget } from './feature-import-target.ts'
import { findWarnings } from './import-effects.ts'
import { type Findings, listDifferingSegments, toFindings } from './import-findings.ts'
import { getDisplayName, listMissingPermissions } from './import-permissions.ts'

/**
 * Returns the errors, warnings and missing permissions of an import for its caller. Source: wire protocol, including
 * the wording
 */
export function getImportFindings(actor: Rights, input: FeatureImport, target: ImportTarget): ImportFindings {
  const missing = listMissingPermissions(actor, input, target)
  const { findings } = target.segments
  return {
    errors: [
      ...findErrors(input, target, actor.hidden),
      ...toFindings([[MISSING_PARENTS, listMissingParents(input.data, target, input.project)]]),
    ],
    warnings: findWarnings(input, target, actor.hidden),
    permissions: toFindings([['We detected you are missing the following permissions:', missing.map(getDisplayName)]]),
    ...(findings.length > 0 && { segments: [...findings] }),
  }
}

/**
 * Throws NoAccessError naming the missing permissions, or ValidationError for conflicts with the target. Missing
 * parents do not count as conflicts: the import reports them when it stores the dependencies.
 */
export function requireImportable(actor: Rights, input: FeatureImport, target: ImportTarget): void {
  const permissions = listMissingPermissions(actor, input, target)
  if (permissions.length > 0) {
    const message = `You don't have the required permissions for this import: ${permissions.map(getDisplayName).join(', ')}.`
    throw new Problem('NoAccessError', message, { details: [{ message }], extra: { permissions } })
  }
  const details = findErrors(input, target, actor.hidden).map(({ message, affectedItems }) => ({
    message: `${message} ${affectedItems.join(', ')}`,
    path: 'body/data',
  }))
  const [first] = details
  if (first !== undefined) throw new Problem('ValidationError', first.message, { details })
}

const MISSING_PARENTS = 'We detected the following dependencies that need to be created first:'

const OTHER_SEGMENTS =
  'The following segments have other constraints here than in the import data, so features would match other users. Rename them, or import with `useExistingSegments`:'

/** Returns flag names, one for each state that applies to the environment of the import. */
function listStateFlags({ environment, data }: FeatureImport): string[] {
  const byFlag = Map.groupBy(data.featureEnvironments ?? [], ({ featureName }) => featureName)
  return [...byFlag].flatMap(([name, states]) => {
    const own = states.filter((state) => state.environment === environment)
    return (own.length > 0 ? own : states).map(() => name)
  })
}

/** Returns all errors except missing parents. */
function findErrors(input: FeatureImport, target: ImportTarget, hidden: readonly string[] = []): Findings {
  const { project, data } = input
  const names = data.features.map(({ name }) => name)
  const elsewhere = names.flatMap((name) => {
    const own = target.known.get(name)?.project
    if (own === undefined || own === project) return []
    return [hidden.includes(own) ? name : `${name} (in project ${own})`]
  })
  const { missing, foreign } = target.segments
  return toFindings([
    [
      'We detected the following custom strategy that needs to be created first:',
      data.featureStrategies.map(({ name }) => name).filter((name) => !target.strategyTypes.has(name)),
    ],
    [
      'We detected the following context fields that do not have matching legal values with the imported ones:',
      listDifferingFields(data.contextFields ?? [], target),
    ],
    [
      `You cannot import a features that already exist in other projects. You already have the following features defined outside of project ${project}:`,
      elsewhere,
    ],
    ['We detected the following features are duplicate in your import data:', listDuplicates(names)],
    ['We detected the following segments that need to be created first:', missing],
    // Unleash does not check this; without the check, creating the strategies would fail
    [`The following segments belong to other projects, and cannot be used in project ${project}:`, foreign],
    [OTHER_SEGMENTS, input.useExistingSegments === true ? [] : listDifferingSegments(target)],
    ['The following features have several states in your import data:', listDuplicates(listStateFlags(input))],
  ])
}

/** Returns the context fields whose legal values differ between the target and the document. */
function listDifferingFields(
  fields: NonNullable<FeatureImport['data']['contextFields']>,
  target: ImportTarget,
): string[] {
  const isOther = (name: string, coming: readonly string[]) => {
    const own = target.legalValues.get(name)
    if (own === undefined) return false
    const values = new Set(own)
    return own.length !== coming.length || coming.some((value) => !values.has(value))
  }
  return fields
    .filter(({ name, legalValues = [] }) =>
      isOther(
        name,
        legalValues.map(({ value }) => value),
      ),
    )
    .map(({ name }) => name)
}

function listDuplicates(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter((name) => {
    const isSeen = seen.has(name)
    seen.add(name)
    return isSeen
  })
}

function listMissingParents(data: FeatureImport['data'], target: ImportTarget, project: string): string[] {
  const coming = new Set(data.features.map(({ name }) => name))
  const isThere = (name: string) => coming.has(name) || target.known.get(name)?.project === project
  const parents = (data.dependencies ?? []).flatMap(({ dependencies }) => dependencies.map(({ feature }) => feature))
  return parents.filter((name) => !isThere(name))
}
