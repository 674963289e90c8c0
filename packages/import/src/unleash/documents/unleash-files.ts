import { compileNeverIgnored, type FindIgnored } from '@burgee/kit/input/never-ignored'
import { FeatureDocument } from '@burgee/protocol/administration/feature-transfer'
import { StateDocument } from '@burgee/protocol/administration/state'
import { RESTRICTIONS } from '@burgee/protocol/targeting/restriction'
import type { FeatureDocument as ClientFeatures } from '@burgee/serving/document/feature-document'
import type { Note } from '../../model/fidelity.ts'
import type { Installation, Origin } from '../../model/installation.ts'
import { type ImportSource, SourceRefused } from '../../model/source.ts'
import { textOf } from '../stored-json.ts'
import { readDownload } from './client-download.ts'
import { type DocumentFile, objectsAt, readObject, readValue } from './read-document.ts'
import { stateInstallation } from './state-installation.ts'
import { findStateProblems } from './state-problems.ts'

type Json = Readonly<Record<string, unknown>>

/** A file with the flags of one environment, and the project and environment to import them into. */
export interface DocumentPlace extends DocumentFile {
  readonly project: string
  readonly environment: string
}

const LISTS = [
  ...['features', 'strategies', 'projects', 'tagTypes', 'tags', 'featureTags', 'featureStrategies', 'environments'],
  ...['featureEnvironments', 'segments', 'featureStrategySegments', 'dependencies'],
]
const NEWEST_VERSION = 4

/** Creates a source for the result of `/api/admin/state/export` of an Unleash server, versions 1 to 4. */
export function unleashStateSource(file: DocumentFile, clock: () => number): ImportSource {
  const { path } = file
  return fileSource(async () => {
    const document = checked(await readObject(file, ['state']), path)
    const version = document.version ?? NEWEST_VERSION
    if (typeof version !== 'number' || version < 1 || version > NEWEST_VERSION) {
      throw new SourceRefused(
        `${path} is a document of version ${textOf(version)}: versions 1 to ${NEWEST_VERSION} are known`,
      )
    }
    requireNothingIgnored(findInState, document, path)
    const [problem] = findStateProblems(document as StateDocument)
    if (problem !== undefined) throw new SourceRefused(`${path}: ${problem.message}`)
    const read = stateInstallation(document as StateDocument, originOf('state of an Unleash server', path, clock))
    return { ...read, notes: [...read.notes, ...NOT_IN_STATE] }
  })
}

const NOT_IN_STATE: readonly Note[] = [
  otherNote('parent flags', 'such a document does not have them'),
  otherNote('people, tokens, events, default strategies', 'such a document does not have them'),
]

/**
 * Creates a source for the result of `/api/admin/features-batch/export` of an Unleash server: flags of one environment.
 */
export function unleashExportSource(place: DocumentPlace, clock: () => number): ImportSource {
  const { path, project, environment } = place
  return fileSource(async () => {
    const document = checked(await readObject(place, ['export']), path)
    requireNothingIgnored(findInExport, document, path)
    const rows = (name: string) => objectsAt(document, name, path)
    const strategies = rows('featureStrategies')
    const state = {
      ...document,
      ...{ version: NEWEST_VERSION, segments: rows('segments'), environments: undefined, projects: undefined },
      features: rows('features').map((feature) => ({ ...feature, project })),
      featureEnvironments: rows('featureEnvironments').map((row) => ({
        ...row,
        featureName: row.featureName ?? row.name,
        environment,
      })),
      featureStrategies: strategies.map((row, index) => ({
        ...row,
        ...{ id: textOf(row.id) ?? String(index), strategyName: row.strategyName ?? row.name, environment },
      })),
      featureStrategySegments: strategies.flatMap((row, index) =>
        (Array.isArray(row.segments) ? row.segments : []).map((segmentId) => ({
          featureStrategyId: textOf(row.id) ?? String(index),
          segmentId,
        })),
      ),
    }
    const read = stateInstallation(
      state as unknown as StateDocument,
      originOf('export of an Unleash server', path, clock),
    )
    const parents = parentsOf(rows('dependencies'))
    return {
      ...read,
      flags: read.flags.map((flag) => ({ ...flag, dependencies: parents.get(flag.name) ?? [] })),
    }
  })
}

function parentsOf(rows: readonly Json[]): Map<string, Installation['flags'][number]['dependencies']> {
  return new Map(
    rows.map(({ feature, dependencies }) => [
      textOf(feature) ?? '',
      (Array.isArray(dependencies) ? (dependencies as Json[]) : []).map(({ feature: parent, enabled, variants }) => ({
        ...{
          parent: textOf(parent) ?? '',
          enabled: enabled !== false,
          variants: Array.isArray(variants) ? variants.map(String) : [],
        },
      })),
    ]),
  )
}

/**
 * Creates a source for an SDK download, or a backup of an edge or a proxy: flags of one environment, without the data
 * that SDKs do not receive.
 */
export function clientFeaturesSource(place: DocumentPlace, clock: () => number): ImportSource {
  const { path, project, environment } = place
  let document: ClientFeatures | undefined
  const source = fileSource(async () => {
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
          ...{ strategyName: name, featureName, environment, id: `${featureName} ${index}` },
        })),
      ),
      featureStrategySegments: features.flatMap(({ name, strategies }) =>
        (strategies ?? []).flatMap(({ segments: ids }, index) =>
          (ids ?? []).map((segmentId) => ({ featureStrategyId: `${name} ${index}`, segmentId })),
        ),
      ),
    }
    const read = stateInstallation(state as unknown as StateDocument, originOf('download of SDKs', path, clock))
    const parents = parentsOf(features.map(({ name, dependencies }) => ({ feature: name, dependencies })))
    return {
      ...read,
      flags: read.flags.map((flag) => ({ ...flag, dependencies: parents.get(flag.name) ?? [] })),
      notes: [...read.notes, ...withoutStrategies(features, environment), ...NOT_IN_DOWNLOAD],
    }
  })
  const served: ImportSource['served'] = async () => document && { document, projects: ['*'] }
  return { ...source, served }
}

/** Reports flags without a list of strategies, which SDKs evaluate differently. */
function withoutStrategies(features: ClientFeatures['features'], environment: string): Note[] {
  return features
    .filter(({ enabled, strategies }) => enabled && !Array.isArray(strategies))
    .map(({ name }) => ({
      ...{ kind: 'flag', name: `${name} in ${environment}`, fidelity: 'approximated' },
      words: 'it has no list of strategies, which some SDKs take for off and others for on: it is off here',
    }))
}

const NOT_IN_DOWNLOAD: readonly Note[] = [
  otherNote('titles, tags, disabled strategies, archived flags', 'SDKs do not get them'),
  otherNote('other environments and projects', 'a download is of one environment; all its flags come into one project'),
]

const findInState = compileNeverIgnored(StateDocument, RESTRICTIONS)
const findInExport = compileNeverIgnored(FeatureDocument, RESTRICTIONS)

/** Throws SourceRefused with the names of properties that restrict the audience and would be ignored. */
function requireNothingIgnored(find: FindIgnored, document: Json, path: string): void {
  const [first] = find(document)
  if (first === undefined) return
  const where = first.path.slice(1) || 'the root'
  throw new SourceRefused(`${where} of ${path} must not have ${first.names.join(', ')}, which would be ignored`)
}

function checked(document: Json, path: string): Json {
  for (const name of LISTS) objectsAt(document, name, path)
  const flags = objectsAt(document, 'features', path)
  const unnamed = flags.findIndex(({ name }) => typeof name !== 'string' || name === '')
  if (unnamed >= 0) throw new SourceRefused(`features[${unnamed}] of ${path} has no name`)
  return document
}

/** Creates a source that reads its file as a whole and keeps nothing open. */
export function fileSource(read: () => Promise<Installation>): ImportSource {
  return { read, close: async () => {} }
}

/** Describes a file as the source. */
export function originOf(name: string, path: string, clock: () => number): Origin {
  return { name, place: path, readAt: clock(), lastEventId: undefined }
}

function otherNote(name: string, words: string): Note {
  return { kind: 'other', name, fidelity: 'not carried', words }
}
