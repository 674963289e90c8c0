import { runInSlices } from '@burgee/kit/slices'
import { isYes, type StateDocument, type StateExportQuery } from '@burgee/protocol/administration/state'
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
import { isoOrNull } from '../flags/feature-views.ts'
import { listTags } from '../flags/tag-types.ts'
import { mapSteps } from './state-json.ts'

/** Export with all parts. */
export type ExportedState = Required<StateDocument>

/**
 * Exports an installation: unarchived flags and the resources that they use. Omits everything that the format cannot
 * represent: dependencies, context fields, default strategies, users and tokens. Runs at most twelve queries.
 */
export async function exportState(reader: Reader, parts: StateExportQuery): Promise<StateDocument> {
  const wants = (part: Exclude<keyof StateExportQuery, 'format'>) => isYes(parts[part] ?? 'true')
  const flags = wants('featureToggles')
  return {
    version: 4,
    ...(flags ? await readFlagPart(reader) : NO_FLAGS),
    strategies: wants('strategies') ? await readStrategyTypePart(reader) : [],
    projects: wants('projects') ? await readProjectPart(reader) : [],
    tagTypes: wants('tags') ? await reader.selectFrom('tag_types').selectAll().orderBy('name').execute() : [],
    tags: wants('tags') ? (await listTags(reader)).map(({ type, value }) => ({ type, value })) : [],
    featureTags: flags && wants('tags') ? await readTagPart(reader) : [],
    environments: wants('environments') ? await readEnvironmentPart(reader) : [],
    segments: wants('segments') ? await readSegmentPart(reader) : [],
    featureStrategySegments: flags && wants('segments') ? await readSegmentLinkPart(reader) : [],
  }
}

const NO_FLAGS = { features: [], featureStrategies: [], featureEnvironments: [] }

async function readFlagPart(reader: Reader) {
  return {
    features: await mapInSlices(await listLiveFlags(reader), (row) => ({
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
    })),
    featureStrategies: await mapInSlices(await listLiveStrategies(reader), (row) => ({
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
    })),
    featureEnvironments: await mapInSlices(await listLiveStates(reader), (row) => ({
      featureName: row.feature_name,
      environment: row.environment,
      enabled: row.enabled === 1,
      variants: row.variants as NonNullable<ExportedState['featureEnvironments'][number]['variants']>,
    })),
  }
}

/** Maps rows in slices, and lets other work run between them. */
function mapInSlices<T, R>(rows: readonly T[], map: (row: T) => R): Promise<R[]> {
  return runInSlices(mapSteps(rows, map))
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

async function readTagPart(reader: Reader) {
  const rows = await listLiveTags(reader)
  return rows.map((row) => ({ featureName: row.feature_name, tagType: row.type, tagValue: row.value }))
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

async function readSegmentLinkPart(reader: Reader) {
  const rows = await listLiveSegmentLinks(reader)
  return rows.map((row) => ({ featureStrategyId: row.strategy_id, segmentId: row.segment_id }))
}
