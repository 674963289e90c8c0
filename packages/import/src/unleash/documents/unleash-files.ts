import { compileNeverIgnored, type FindIgnored } from '@burgee/kit/input/never-ignored'
import { FeatureDocument } from '@burgee/protocol/administration/feature-transfer'
import { StateDocument } from '@burgee/protocol/administration/state'
import { RESTRICTIONS } from '@burgee/protocol/targeting/restriction'
import type { FeatureDocument as ClientFeatures } from '@burgee/serving/document/feature-document'
import type { Note } from '../../model/fidelity.ts'
import type { Installation, InstallationOrigin } from '../../model/installation.ts'
import { type ImportSource, SourceRefused } from '../../model/source.ts'
import { toText } from '../stored-json.ts'
import { readDownload } from './client-download.ts'
import { requireDecidingTypes } from './document-types.ts'
import { type DocumentFile, readObject, readValue, requireObjects } from './read-document.ts'
import { buildStateInstallation } from './state-installation.ts'
import { findStateProblems } from './state-problems.ts'

type Json = Readonly<Record<string, unknown>>

/** A file with the flags of one environment, and the project and environment to import the flags into. */
export interface EnvironmentFile extends DocumentFile {
  readonly project: string
  readonly environment: string
}

const LISTS = [
  ...['features', 'strategies', 'projects', 'tagTypes', 'tags', 'featureTags', 'featureStrategies', 'environments'],
  ...['featureEnvironments', 'segments', 'featureStrategySegments', 'dependencies'],
]
const NEWEST_VERSION = 4

/** Creates a source for the result of `/api/admin/state/export` of an Unleash server, versions 1 to 4. */
export function createUnleashStateSource(file: DocumentFile, clock: () => number): ImportSource {
  const { path } = file
  return createFileSource(async () => {
    const document = requireLists(await readObject(file, ['state']), path)
    const version = document.version ?? NEWEST_VERSION
    if (!Number.isInteger(version) || Number(version) < 1 || Number(version) > NEWEST_VERSION) {
      throw new SourceRefused(
        `${path} is a document of version ${toText(version)}: versions 1 to ${NEWEST_VERSION} are supported`,
      )
    }
    requireNothingIgnored(findInState, document, path)
    const [problem] = findStateProblems(document as StateDocument)
    if (problem !== undefined) throw new SourceRefused(`${path}: ${problem.message}`)
    const read = buildStateInstallation(
      document as StateDocument,
      createOrigin('state of an Unleash server', path, clock),
    )
    return { ...read, notes: [...read.notes, ...NOT_IN_STATE] }
  })
}

const NOT_IN_STATE: readonly Note[] = [
  createOtherNote('parent flags', 'such a document does not have them'),
  createOtherNote('people, tokens, events, default strategies', 'such a document does not have them'),
]

/**
 * Creates a source for the result of `/api/admin/features-batch/export` of an Unleash server: flags of one environment.
 */
export function createUnleashExportSource(place: EnvironmentFile, clock: () => number): ImportSource {
  const { path, project, environment } = place
  return createFileSource(async () => {
    const document = requireLists(await readObject(place, ['export']), path)
    requireNothingIgnored(findInExport, document, path)
    const rows = (name: string) => requireObjects(document, name, path)
    const strategies = rows('featureStrategies')
    const state = {
      ...document,
      version: NEWEST_VERSION,
      segments: rows('segments'),
      environments: undefined,
      projects: undefined,
      features: rows('features').map((feature) => ({ ...feature, project })),
      featureEnvironments: rows('featureEnvironments').map((row) => ({
        ...row,
        featureName: row.featureName ?? row.name,
        environment,
      })),
      featureStrategies: strategies.map((row, index) => ({
        ...row,
        id: toText(row.id) ?? String(index),
        strategyName: row.strategyName ?? row.name,
        environment,
      })),
      featureStrategySegments: strategies.flatMap((row, index) =>
        (Array.isArray(row.segments) ? row.segments : []).map((segmentId) => ({
          featureStrategyId: toText(row.id) ?? String(index),
          segmentId,
        })),
      ),
    }
    const read = buildStateInstallation(
      state as unknown as StateDocument,
      createOrigin('export of an Unleash server', path, clock),
    )
    const parents = indexDependencies(rows('dependencies'))
    return {
      ...read,
      flags: read.flags.map((flag) => ({ ...flag, dependencies: parents.get(flag.name) ?? [] })),
    }
  })
}

function indexDependencies(rows: readonly Json[]): Map<string, Installation['flags'][number]['dependencies']> {
  return new Map(
    rows.map(({ feature, dependencies }) => [
      toText(feature) ?? '',
      (Array.isArray(dependencies) ? (dependencies as Json[]) : []).map(({ feature: parent, enabled, variants }) => ({
        parent: toText(parent) ?? '',
        enabled: enabled !== false,
        variants: Array.isArray(variants) ? variants.map(String) : [],
      })),
    ]),
  )
}

/**
 * Creates an import source that reads an SDK download, or the backup file of an edge or a proxy. The file contains the
 * flags of one environment, without data that SDKs do not receive.
 */
export function createClientFeaturesSource(place: EnvironmentFile, clock: () => number): ImportSource {
  const { path, project, environment } = place
  let document: ClientFeatures | undefined
  const source = createFileSource(async () => {
    document = readDownload(await readValue(place, ['download', 'backup']), path, environment)
    const { features, segments } = document
    const state = {
      version: NEWEST_VERSION,
      segments: segments.map((segment) => ({ ...segment, name: segment.name ?? `segment ${segment.id}` })),
      features: features.map((feature) => ({ ...feature, project })),
      featureEnvironments: features.map(({ name, enabled, variants, strategies }) => ({
        featureName: name,
        environment,
        enabled: enabled === true && Array.isArray(strategies),
        variants,
      })),
      featureStrategies: features.flatMap(({ name: featureName, strategies }) =>
        (strategies ?? []).map(({ name, ...rest }, index) => ({
          ...rest,
          strategyName: name,
          featureName,
          environment,
          id: `${featureName} ${index}`,
        })),
      ),
      featureStrategySegments: features.flatMap(({ name, strategies }) =>
        (strategies ?? []).flatMap(({ segments: ids }, index) =>
          (ids ?? []).map((segmentId) => ({ featureStrategyId: `${name} ${index}`, segmentId })),
        ),
      ),
    }
    const read = buildStateInstallation(
      state as unknown as StateDocument,
      createOrigin('download of SDKs', path, clock),
    )
    const parents = indexDependencies(features.map(({ name, dependencies }) => ({ feature: name, dependencies })))
    return {
      ...read,
      flags: read.flags.map((flag) => ({ ...flag, dependencies: parents.get(flag.name) ?? [] })),
      notes: [...read.notes, ...listMissingStrategyNotes(features, environment), ...NOT_IN_DOWNLOAD],
    }
  })
  const served: ImportSource['served'] = async () => document && { document, projects: ['*'] }
  return { ...source, served }
}

/** Reports flags without a list of strategies. SDKs evaluate such flags differently. */
function listMissingStrategyNotes(features: ClientFeatures['features'], environment: string): Note[] {
  return features
    .filter(({ enabled, strategies }) => enabled && !Array.isArray(strategies))
    .map(({ name }) => ({
      kind: 'flag',
      name: `${name} in ${environment}`,
      fidelity: 'approximated',
      words: 'it has no list of strategies, which some SDKs evaluate as off and others as on: it is off here',
    }))
}

const NOT_IN_DOWNLOAD: readonly Note[] = [
  createOtherNote('titles, tags, disabled strategies, archived flags', 'SDKs do not download them'),
  createOtherNote(
    'other environments and projects',
    'a download covers one environment; all its flags are imported into one project',
  ),
]

const findInState = compileNeverIgnored(StateDocument, RESTRICTIONS)
const findInExport = compileNeverIgnored(FeatureDocument, RESTRICTIONS)

/**
 * Throws SourceRefused if the file contains properties that restrict the audience and that the import would ignore; the
 * error lists these properties.
 */
function requireNothingIgnored(find: FindIgnored, document: Json, path: string): void {
  const [first] = find(document)
  if (first === undefined) return
  const where = first.path.slice(1) || 'the root'
  throw new SourceRefused(`${where} of ${path} must not have ${first.names.join(', ')}, which would be ignored`)
}

/** Returns the document without properties that are null, which mean the same as absent ones. */
function requireLists(document: Json, path: string): Json {
  for (const name of LISTS) requireObjects(document, name, path)
  const flags = requireObjects(document, 'features', path)
  const unnamed = flags.findIndex(({ name }) => typeof name !== 'string' || name === '')
  if (unnamed >= 0) throw new SourceRefused(`features[${unnamed}] of ${path} has no name`)
  requireDecidingTypes(document, path)
  return omitNulls({ ...document, ...(flags.length > 0 && { features: flags.map(omitNulls) }) })
}

function omitNulls(value: Json): Json {
  return Object.fromEntries(Object.entries(value).filter(([, own]) => own !== null))
}

/** Creates a source that reads its whole file at once and keeps no file open. */
export function createFileSource(read: () => Promise<Installation>): ImportSource {
  return { read, close: async () => {} }
}

/** Describes a file as the source. */
export function createOrigin(name: string, path: string, clock: () => number): InstallationOrigin {
  return { name, place: path, readAt: clock(), lastEventId: undefined }
}

function createOtherNote(name: string, words: string): Note {
  return { kind: 'other', name, fidelity: 'not carried', words }
}
