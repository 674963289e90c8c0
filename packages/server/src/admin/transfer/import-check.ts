import type { FeatureImport, ImportFindings } from '@burgee/protocol/administration/feature-transfer'
import { PERMISSIONS } from '@burgee/protocol/administration/permission'
import { Problem } from '@burgee/protocol/problem'
import { BUILT_IN_STRATEGIES } from '@burgee/protocol/targeting/built-in-strategy'
import type { Reader } from '@burgee/storage/database'
import { listGuardedEnvironments } from '@burgee/storage/queries/change-requests/change-request-settings'
import { type FeatureRow, listFeaturesByName } from '@burgee/storage/queries/flags/features'
import { listContextFields } from '@burgee/storage/queries/targeting/context-fields'
import { listSegments } from '@burgee/storage/queries/targeting/segments'
import { listStrategyTypes } from '@burgee/storage/queries/targeting/strategy-types'
import { listStrategiesInEnvironment } from '@burgee/storage/queries/transfer/feature-reads'
import { hasPermission, type Rights } from '../../core/access/rights/rights.ts'
import { getProject } from '../targeting/segments.ts'
import { compareImportedSegments, type ImportSegments, isOtherSegment } from './import-segments.ts'
import {
  formatImportLocation,
  type ImportWarning,
  readingWarnings,
  type StoredPart,
  unguardedWarnings,
} from './import-warnings.ts'

/** State of the import target. */
export interface ImportTarget {
  /**
   * Existing flags with names from the document, keyed by name. Includes archived flags and flags of other projects.
   */
  readonly known: ReadonlyMap<string, FeatureRow>
  /** Flags with strategies in the environment, which the import would replace. */
  readonly withStrategies: ReadonlySet<string>
  readonly strategyTypes: ReadonlySet<string>
  /** Legal values of context fields, keyed by field name; empty if any value is allowed. */
  readonly legalValues: ReadonlyMap<string, readonly string[]>
  readonly segments: ImportSegments
  readonly tagTypes: ReadonlySet<string>
  /** True if the environment is protected, that is, changes in it require a change request. */
  readonly isGuarded: boolean
}

/**
 * Reads the state of the import target. Runs eight queries, and more for many flags. Treats flags of hidden projects as
 * missing. Only users who may create flags learn that the names are taken.
 */
export async function readImportTarget(reader: Reader, input: FeatureImport, actor: Rights): Promise<ImportTarget> {
  const { project, environment, data } = input
  const { hidden = [] } = actor
  const mayCreate = hasPermission(actor, 'CREATE_FEATURE', { project })
  const coming = new Set(data.features.map(({ name }) => name))
  const parents = (data.dependencies ?? []).flatMap(({ dependencies }) => dependencies.map(({ feature }) => feature))
  const all = await listFeaturesByName(reader, [...new Set([...coming, ...parents])])
  const rows = all.filter((row) => !hidden.includes(row.project) || (mayCreate && coming.has(row.name)))
  const changing = rows.filter((row) => row.project === project && row.archived_at === null && coming.has(row.name))
  const replaced = await listStrategiesInEnvironment(
    reader,
    changing.map(({ name }) => name),
    environment,
  )
  const tagTypes = await reader.selectFrom('tag_types').select('name').execute()
  const guarded = await listGuardedEnvironments(reader, [project])
  return {
    known: new Map(rows.map((row) => [row.name, row])),
    withStrategies: new Set(replaced.map((row) => row.feature_name)),
    strategyTypes: new Set((await listStrategyTypes(reader)).map(({ name }) => name)),
    legalValues: new Map(
      (await listContextFields(reader)).map(({ name, legal_values }) => [name, legal_values.map(({ value }) => value)]),
    ),
    segments: compareImportedSegments(input, await listSegments(reader), hidden),
    tagTypes: new Set(tagTypes.map(({ name }) => name)),
    isGuarded: guarded.some((place) => place.environment === environment),
  }
}

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

type Findings = ImportFindings['errors']

function toFindings(rows: readonly (readonly [message: string, items: readonly string[]])[]): Findings {
  return rows
    .filter(([, items]) => items.length > 0)
    .map(([message, items]) => ({ message, affectedItems: [...new Set(items)] }))
}

const MISSING_PARENTS = 'We detected the following dependencies that need to be created first:'

const OTHER_SEGMENTS =
  'The following segments have other constraints here than in the import data, so that features would be for others. Rename them, or import with `useExistingSegments`:'

function listDifferingSegments({ segments }: ImportTarget): string[] {
  return segments.findings.filter(isOtherSegment).map(({ name }) => name)
}

/** Returns flag names, one for each state that applies to the environment of the import. */
function listStateFlags({ environment, data }: FeatureImport): string[] {
  const byFlag = Map.groupBy(data.featureEnvironments ?? [], ({ featureName }) => featureName)
  return [...byFlag].flatMap(([name, states]) => {
    const own = states.filter((state) => state.environment === environment)
    return (own.length > 0 ? own : states).map(() => name)
  })
}

/**
 * Returns the flags that the document enables without an enabled strategy, except flags that are archived in this
 * installation.
 */
export function listUnguardedFlags(
  { environment, data }: FeatureImport,
  { known }: Pick<ImportTarget, 'known'>,
): string[] {
  const states = Map.groupBy(data.featureEnvironments ?? [], ({ featureName }) => featureName)
  const guarded = new Set(
    data.featureStrategies.filter(({ disabled }) => disabled !== true).map(({ featureName }) => featureName),
  )
  return data.features
    .map(({ name }) => name)
    .filter((name) => !guarded.has(name) && (known.get(name)?.archived_at ?? null) === null)
    .filter((name) => findState(environment, states.get(name) ?? [])?.enabled === true)
}

/**
 * Returns the state that names this environment. If there is no such state, returns the first one, which belongs to the
 * exported environment.
 */
export function findState<T extends { readonly environment?: string | undefined }>(
  environment: string,
  states: readonly T[],
): T | undefined {
  return states.find((one) => one.environment === environment) ?? states[0]
}

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
  'The following segments have other constraints here than in the import data, so that features are for others:'

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

const BUILT_IN: ReadonlySet<string> = new Set(BUILT_IN_STRATEGIES.map(({ name }) => name))

function findWarnings(input: FeatureImport, target: ImportTarget, hidden: readonly string[] = []): Findings {
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
      'The environment takes changes by change request only, which an import is not. Only who may skip them can import:',
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
    ['The following segments will be created as the import data has them:', namesOf(toCreate)],
    ['The following segments have no constraints, so that they match everybody:', namesOf(open)],
  ]
}

/** Returns the names of permissions that the import needs and the caller lacks. */
function listMissingPermissions(actor: Rights, input: FeatureImport, target: ImportTarget): string[] {
  const { known, withStrategies, legalValues, tagTypes, segments } = target
  const { project, environment, data } = input
  const states = data.featureEnvironments ?? []
  const needed: readonly (readonly [permission: string, isNeeded: boolean])[] = [
    ['CREATE_FEATURE', data.features.some(({ name }) => !known.has(name))],
    ['UPDATE_FEATURE', true],
    ['CREATE_FEATURE_STRATEGY', data.featureStrategies.length > 0 || opensFlags(input, target)],
    ['DELETE_FEATURE_STRATEGY', withStrategies.size > 0],
    ['UPDATE_FEATURE_ENVIRONMENT', states.some(({ enabled }) => enabled !== undefined)],
    [
      'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
      // for a flag that has variants, an empty list of variants is a change as well
      states.some(({ featureName, variants }) => variants && (variants.length > 0 || known.has(featureName))),
    ],
    ['UPDATE_FEATURE_DEPENDENCY', (data.dependencies ?? []).length > 0],
    ['CREATE_CONTEXT_FIELD', (data.contextFields ?? []).some(({ name }) => !legalValues.has(name))],
    ['CREATE_TAG_TYPE', data.tagTypes.some(({ name }) => !tagTypes.has(name))],
  ]
  const lacking = needed
    .filter(([permission, isNeeded]) => isNeeded && !hasPermission(actor, permission, { project, environment }))
    .map(([permission]) => permission)
  // creating a segment for all projects requires the permission in all projects
  const { toCreate } = segments
  const mayCreate = toCreate.every((segment) =>
    hasPermission(actor, 'CREATE_SEGMENT', { project: getProject(segment) }),
  )
  return mayCreate ? lacking : [...lacking, 'CREATE_SEGMENT']
}

/** Returns true if the import adds strategies that the document does not contain. */
function opensFlags(input: FeatureImport, target: ImportTarget): boolean {
  return input.closeUnguarded !== true && listUnguardedFlags(input, target).length > 0
}

function getDisplayName(permission: string): string {
  return PERMISSIONS.find(({ name }) => name === permission)?.displayName ?? permission
}
