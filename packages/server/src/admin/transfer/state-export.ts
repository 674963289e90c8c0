import { isYes, type StateDocument, type StateExportQuery } from '@burgee/protocol/administration/state'
import { chunks, getFlagsPerQuery } from '@burgee/storage/chunks'
import type { Reader } from '@burgee/storage/database'
import { listSegments } from '@burgee/storage/queries/targeting/segments'
import { listStrategyTypes } from '@burgee/storage/queries/targeting/strategy-types'
import {
  listAllEnvironments,
  listAllProjects,
  listLiveFlags,
  listLiveSegmentLinks,
  listLiveStates,
  listLiveStrategies,
  listLiveTags,
} from '@burgee/storage/queries/transfer/state-reads'
import { isoOrNull } from '../../core/iso-time.ts'
import { listTags } from '../flags/tag-types.ts'

/** Export in which every part is loaded. */
export type ExportedState = Required<StateDocument>

/** Some rows from one part of an export. All rows of a part follow each other, and each part has at least one piece. */
export interface StatePiece {
  readonly part: keyof StateDocument
  readonly rows: readonly unknown[]
}

/** Version of the document format. */
export const STATE_VERSION = 4

/**
 * Exports an installation: unarchived flags and the resources that they use. Omits everything that the format cannot
 * represent: dependencies, context fields, default strategies, users and tokens. Reads the rows for a few hundred flags
 * at a time, so that memory use and queries stay small.
 */
export async function* exportState(reader: Reader, parts: StateExportQuery): AsyncGenerator<StatePiece> {
  const wants = (part: Exclude<keyof StateExportQuery, 'format'>) => isYes(parts[part] ?? 'true')
  const flags = wants('featureToggles') ? await listLiveFlags(reader) : []
  const pages = chunks(
    flags.map(({ name }) => name),
    getFlagsPerQuery((await listAllEnvironments(reader)).length),
  )
  yield { part: 'features', rows: flags.map(toFlag) }
  yield* readPages('featureStrategies', pages, async (names) =>
    (await listLiveStrategies(reader, names)).map(toStrategy),
  )
  yield* readPages('featureEnvironments', pages, async (names) => (await listLiveStates(reader, names)).map(toState))
  yield { part: 'strategies', rows: wants('strategies') ? await readStrategyTypePart(reader) : [] }
  yield { part: 'projects', rows: wants('projects') ? await readProjectPart(reader) : [] }
  const tagPages = wants('tags') ? pages : []
  yield { part: 'tagTypes', rows: wants('tags') ? await listTagTypeRows(reader) : [] }
  yield {
    part: 'tags',
    rows: wants('tags') ? (await listTags(reader)).map(({ type, value }) => ({ type, value })) : [],
  }
  yield* readPages('featureTags', tagPages, async (names) => (await listLiveTags(reader, names)).map(toFlagTag))
  yield { part: 'environments', rows: wants('environments') ? await readEnvironmentPart(reader) : [] }
  yield { part: 'segments', rows: wants('segments') ? await readSegmentPart(reader) : [] }
  const linkPages = wants('segments') ? pages : []
  const readLinks = async (names: readonly string[]) => (await listLiveSegmentLinks(reader, names)).map(toSegmentLink)
  yield* readPages('featureStrategySegments', linkPages, readLinks)
}

/** Reads a part of the export one page of flag names at a time. Yields an empty piece if there are no pages. */
async function* readPages(
  part: StatePiece['part'],
  pages: readonly (readonly string[])[],
  read: (names: readonly string[]) => Promise<readonly unknown[]>,
): AsyncGenerator<StatePiece> {
  if (pages.length === 0) yield { part, rows: [] }
  for (const names of pages) yield { part, rows: await read(names) }
}

type Row<T extends (...parameters: never[]) => Promise<readonly unknown[]>> = Awaited<ReturnType<T>>[number]

function toFlag(row: Row<typeof listLiveFlags>): ExportedState['features'][number] {
  return {
    name: row.name,
    description: row.description,
    type: row.type,
    project: row.project,
    stale: row.stale === 1,
    createdAt: isoOrNull(row.created_at),
    lastSeenAt: isoOrNull(row.last_seen_at),
    impressionData: row.impression_data === 1,
    archivedAt: null,
    archived: false,
  }
}

function toStrategy(row: Row<typeof listLiveStrategies>) {
  return {
    id: row.id,
    featureName: row.feature_name,
    projectId: row.project,
    environment: row.environment,
    strategyName: row.name,
    title: row.title,
    parameters: row.parameters,
    disabled: row.disabled === 1,
    constraints: row.constraints as NonNullable<ExportedState['featureStrategies'][number]['constraints']>,
    variants: row.variants as NonNullable<ExportedState['featureStrategies'][number]['variants']>,
    createdAt: isoOrNull(row.created_at),
  }
}

function toState(row: Row<typeof listLiveStates>): ExportedState['featureEnvironments'][number] {
  return {
    featureName: row.feature_name,
    environment: row.environment,
    enabled: row.enabled === 1,
    variants: row.variants as NonNullable<ExportedState['featureEnvironments'][number]['variants']>,
  }
}

function toFlagTag(row: Row<typeof listLiveTags>): ExportedState['featureTags'][number] {
  return { featureName: row.feature_name, tagType: row.type, tagValue: row.value }
}

function toSegmentLink(row: Row<typeof listLiveSegmentLinks>): ExportedState['featureStrategySegments'][number] {
  return { featureStrategyId: row.strategy_id, segmentId: row.segment_id }
}

function listTagTypeRows(reader: Reader) {
  return reader.selectFrom('tag_types').selectAll().orderBy('name').execute()
}

async function readStrategyTypePart(reader: Reader) {
  const own = (await listStrategyTypes(reader)).filter((row) => row.built_in === 0)
  return own.map(({ name, description, parameters, deprecated, title }) => ({
    name,
    description,
    parameters,
    deprecated: deprecated === 1,
    title,
  }))
}

async function readProjectPart(reader: Reader) {
  const rows = (await listAllProjects(reader)).filter((row) => row.archived_at === null)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    createdAt: isoOrNull(row.created_at),
    mode: row.mode,
    defaultStickiness: row.default_stickiness,
  }))
}

async function readEnvironmentPart(reader: Reader) {
  return (await listAllEnvironments(reader)).map((row) => ({
    name: row.name,
    type: row.type,
    sortOrder: row.sort_order,
    enabled: row.enabled === 1,
    protected: row.protected === 1,
  }))
}

async function readSegmentPart(reader: Reader) {
  return (await listSegments(reader)).map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    project: row.project,
    constraints: row.constraints as ExportedState['segments'][number]['constraints'],
    createdBy: row.created_by,
    createdAt: isoOrNull(row.created_at),
  }))
}
