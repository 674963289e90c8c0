import { runInSlices } from '@burgee/kit/slices'
import { isYes, type StateDocument, type StateExportQuery } from '@burgee/protocol/administration/state'
import type { Reader } from '../../store/database.ts'
import { listSegments } from '../../store/targeting/segments.ts'
import { listStrategyTypes } from '../../store/targeting/strategy-types.ts'
import {
  allEnvironments,
  allProjects,
  liveFlags,
  liveSegmentLinks,
  liveStates,
  liveStrategies,
  liveTags,
} from '../../store/transfer/state-reads.ts'
import { isoOrNull } from '../features/feature-views.ts'
import { listTags } from '../features/tag-types.ts'
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
    ...(flags ? await flagPart(reader) : NO_FLAGS),
    strategies: wants('strategies') ? await strategyTypePart(reader) : [],
    projects: wants('projects') ? await projectPart(reader) : [],
    tagTypes: wants('tags') ? await reader.selectFrom('tag_types').selectAll().orderBy('name').execute() : [],
    tags: wants('tags') ? (await listTags(reader)).map(({ type, value }) => ({ type, value })) : [],
    featureTags: flags && wants('tags') ? await tagPart(reader) : [],
    environments: wants('environments') ? await environmentPart(reader) : [],
    segments: wants('segments') ? await segmentPart(reader) : [],
    featureStrategySegments: flags && wants('segments') ? await segmentLinkPart(reader) : [],
  }
}

const NO_FLAGS = { features: [], featureStrategies: [], featureEnvironments: [] }

async function flagPart(reader: Reader) {
  return {
    features: await mapped(await liveFlags(reader), (row) => ({
      ...{ name: row.name, description: row.description, type: row.type, project: row.project, stale: row.stale === 1 },
      ...{ createdAt: isoOrNull(row.created_at), lastSeenAt: isoOrNull(row.last_seen_at) },
      ...{ impressionData: row.impression_data === 1, archivedAt: null, archived: false },
    })),
    featureStrategies: await mapped(await liveStrategies(reader), (row) => ({
      ...{ id: row.id, featureName: row.feature_name, projectId: row.project, environment: row.environment },
      ...{ strategyName: row.name, title: row.title, parameters: row.parameters, disabled: row.disabled === 1 },
      constraints: row.constraints as NonNullable<ExportedState['featureStrategies'][number]['constraints']>,
      variants: row.variants as NonNullable<ExportedState['featureStrategies'][number]['variants']>,
      createdAt: isoOrNull(row.created_at),
    })),
    featureEnvironments: await mapped(await liveStates(reader), (row) => ({
      ...{ featureName: row.feature_name, environment: row.environment, enabled: row.enabled === 1 },
      variants: row.variants as NonNullable<ExportedState['featureEnvironments'][number]['variants']>,
    })),
  }
}

/** Maps rows in slices, and lets other work run between them. */
function mapped<T, R>(rows: readonly T[], map: (row: T) => R): Promise<R[]> {
  return runInSlices(mapSteps(rows, map))
}

async function strategyTypePart(reader: Reader) {
  const own = (await listStrategyTypes(reader)).filter((row) => row.built_in === 0)
  return own.map(({ name, description, parameters, deprecated, title }) => ({
    ...{ name, description, parameters, deprecated: deprecated === 1, title },
  }))
}

async function projectPart(reader: Reader) {
  const rows = (await allProjects(reader)).filter((row) => row.archived_at === null)
  return rows.map((row) => ({
    ...{ id: row.id, name: row.name, description: row.description, createdAt: isoOrNull(row.created_at) },
    ...{ mode: row.mode, defaultStickiness: row.default_stickiness },
  }))
}

async function tagPart(reader: Reader) {
  const rows = await liveTags(reader)
  return rows.map((row) => ({ featureName: row.feature_name, tagType: row.type, tagValue: row.value }))
}

async function environmentPart(reader: Reader) {
  return (await allEnvironments(reader)).map((row) => ({
    ...{ name: row.name, type: row.type, sortOrder: row.sort_order },
    ...{ enabled: row.enabled === 1, protected: row.protected === 1 },
  }))
}

async function segmentPart(reader: Reader) {
  return (await listSegments(reader)).map((row) => ({
    ...{ id: row.id, name: row.name, description: row.description, project: row.project },
    constraints: row.constraints as ExportedState['segments'][number]['constraints'],
    ...{ createdBy: row.created_by, createdAt: isoOrNull(row.created_at) },
  }))
}

async function segmentLinkPart(reader: Reader) {
  const rows = await liveSegmentLinks(reader)
  return rows.map((row) => ({ featureStrategyId: row.strategy_id, segmentId: row.segment_id }))
}
