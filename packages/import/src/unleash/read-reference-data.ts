import type {
  SourceContextField,
  SourceEnvironment,
  SourceFlagType,
  SourceProject,
  SourceSegment,
  SourceStrategyType,
  SourceTag,
  SourceTagType,
} from '../model/source-flags.ts'
import type { DatabaseSnapshot } from './database-snapshot.ts'
import { toConstraints, toLegalValues, toParameterDefinitions, toRule } from './stored-json.ts'

const ENVIRONMENTS = {
  name: 'environments',
  columns: { name: 'text', type: 'text', sort_order: 'number', enabled: 'yes', protected: 'yes' },
  order: 'sort_order, environments.name',
} as const

const PROJECTS = {
  name: 'projects',
  columns: { id: 'text', name: 'text', description: 'text', created_at: 'time', archived_at: 'time' },
  order: 'projects.id',
} as const

const PROJECT_SETTINGS = {
  name: 'project_settings',
  columns: {
    project: 'text',
    default_stickiness: 'text',
    project_mode: 'text',
    feature_limit: 'number',
    feature_naming_pattern: 'text',
    feature_naming_example: 'text',
    feature_naming_description: 'text',
  },
  order: 'project',
} as const

const PROJECT_ENVIRONMENTS = {
  name: 'project_environments',
  columns: { project_id: 'text', environment_name: 'text', default_strategy: 'json' },
  order: 'project_id, environment_name',
} as const

const SEGMENTS = {
  name: 'segments',
  columns: {
    id: 'number',
    name: 'text',
    description: 'text',
    segment_project_id: 'text',
    constraints: 'json',
    created_by: 'text',
    created_at: 'time',
  },
  order: 'segments.id',
} as const

const CONTEXT_FIELDS = {
  name: 'context_fields',
  columns: {
    name: 'text',
    description: 'text',
    stickiness: 'yes',
    sort_order: 'number',
    legal_values: 'json',
    created_at: 'time',
  },
  order: 'sort_order, context_fields.name',
} as const

const STRATEGY_TYPES = {
  name: 'strategies',
  columns: {
    name: 'text',
    built_in: 'number',
    title: 'text',
    display_name: 'text',
    description: 'text',
    parameters: 'json',
    deprecated: 'yes',
    sort_order: 'number',
  },
  order: 'sort_order, strategies.name',
} as const

const FLAG_TYPES = {
  name: 'feature_types',
  columns: { id: 'text', name: 'text', description: 'text', lifetime_days: 'number' },
  order: 'feature_types.id',
} as const

const TAG_TYPES = {
  name: 'tag_types',
  columns: { name: 'text', description: 'text', icon: 'text' },
  order: 'tag_types.name',
} as const

const TAGS = { name: 'tags', columns: { type: 'text', value: 'text' }, order: 'tags.type, tags.value' } as const

/** Objects that flags refer to. */
export interface ReferenceData {
  readonly environments: SourceEnvironment[]
  readonly projects: SourceProject[]
  readonly segments: SourceSegment[]
  readonly contextFields: SourceContextField[]
  readonly strategyTypes: SourceStrategyType[]
  readonly flagTypes: SourceFlagType[]
  readonly tagTypes: SourceTagType[]
  readonly tags: SourceTag[]
}

/** Reads environments, projects, and all other objects that flags refer to. */
export async function readReferenceData(snapshot: DatabaseSnapshot): Promise<ReferenceData> {
  return {
    environments: (await snapshot.rows(ENVIRONMENTS)).map((row) => ({
      name: row.name ?? '',
      type: row.type ?? 'production',
      sortOrder: row.sort_order ?? 0,
      enabled: row.enabled !== false,
      protected: row.protected === true,
    })),
    projects: await readProjects(snapshot),
    segments: (await snapshot.rows(SEGMENTS)).map((row) => ({
      id: row.id ?? 0,
      name: row.name ?? '',
      description: row.description,
      project: row.segment_project_id,
      constraints: toConstraints(row.constraints),
      createdBy: row.created_by ?? '',
      createdAt: row.created_at ?? 0,
    })),
    contextFields: (await snapshot.rows(CONTEXT_FIELDS)).map((row) => ({
      name: row.name ?? '',
      description: row.description,
      stickiness: row.stickiness === true,
      sortOrder: row.sort_order ?? 0,
      createdAt: row.created_at ?? 0,
      legalValues: toLegalValues(row.legal_values),
    })),
    strategyTypes: await readStrategyTypes(snapshot),
    flagTypes: (await snapshot.rows(FLAG_TYPES)).map((row) => ({
      id: row.id ?? '',
      name: row.name ?? row.id ?? '',
      description: row.description ?? '',
      lifetimeDays: row.lifetime_days,
    })),
    tagTypes: (await snapshot.rows(TAG_TYPES)).map((row) => ({
      name: row.name ?? '',
      description: row.description,
      icon: row.icon,
    })),
    tags: (await snapshot.rows(TAGS)).map((row) => ({ type: row.type ?? '', value: row.value ?? '' })),
  }
}

/** Reads projects. A project without a settings row is open, with the default stickiness. Source: wire protocol */
async function readProjects(snapshot: DatabaseSnapshot): Promise<SourceProject[]> {
  const settings = new Map((await snapshot.rows(PROJECT_SETTINGS)).map((row) => [row.project, row]))
  const environments = Map.groupBy(await snapshot.rows(PROJECT_ENVIRONMENTS), (row) => row.project_id)
  return (await snapshot.rows(PROJECTS)).map((row) => {
    const own = settings.get(row.id)
    return {
      id: row.id ?? '',
      name: row.name ?? row.id ?? '',
      description: row.description,
      mode: own?.project_mode ?? 'open',
      defaultStickiness: own?.default_stickiness ?? 'default',
      createdAt: row.created_at ?? 0,
      archivedAt: row.archived_at,
      featureLimit: own?.feature_limit ?? null,
      namingPattern: own?.feature_naming_pattern ?? null,
      namingExample: own?.feature_naming_example ?? null,
      namingDescription: own?.feature_naming_description ?? null,
      environments: (environments.get(row.id) ?? []).map((one) => ({
        environment: one.environment_name ?? '',
        defaultStrategy: toRule(one.default_strategy),
      })),
    }
  })
}

async function readStrategyTypes(snapshot: DatabaseSnapshot): Promise<SourceStrategyType[]> {
  const own = (await snapshot.rows(STRATEGY_TYPES)).filter((row) => row.built_in !== 1)
  return own.map((row) => ({
    name: row.name ?? '',
    title: row.title ?? row.display_name,
    description: row.description,
    deprecated: row.deprecated === true,
    sortOrder: row.sort_order ?? 0,
    parameters: toParameterDefinitions(row.parameters),
  }))
}
