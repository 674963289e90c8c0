import type { Installation } from '../../model/installation.ts'
import type { SourceProject } from '../../model/source-flags.ts'
import {
  toConstraints,
  toLegalValues,
  toList,
  toObject,
  toParameterDefinitions,
  toRule,
  toText,
} from '../stored-json.ts'
import { parseTime, toTag } from './api-flags.ts'
import type { UnleashClient } from './unleash-client.ts'

type ReferenceData = Pick<
  Installation,
  'environments' | 'segments' | 'contextFields' | 'strategyTypes' | 'flagTypes' | 'tagTypes' | 'tags'
>

/** Returns the rows of a list property, or of the response itself if it is a list. */
async function readRows(reads: UnleashClient, path: string, name: string) {
  const answer = await reads.get(path)
  return toList(Array.isArray(answer) ? answer : toObject(answer)[name]).map(toObject)
}

/** Reads environments and all other objects to which flags refer. */
export async function readApiReferenceData(reads: UnleashClient): Promise<ReferenceData> {
  return {
    environments: (await readRows(reads, '/environments', 'environments')).map((row) => ({
      name: toText(row.name) ?? '',
      type: toText(row.type) ?? 'production',
      sortOrder: Number(row.sortOrder ?? 0),
      enabled: row.enabled !== false,
      protected: row.protected === true,
    })),
    segments: (await readRows(reads, '/segments', 'segments')).map((row) => ({
      id: Number(row.id),
      name: toText(row.name) ?? '',
      description: toText(row.description) ?? null,
      project: toText(row.project) ?? null,
      constraints: toConstraints(row.constraints),
      createdBy: toText(row.createdBy) ?? '',
      createdAt: parseTime(row.createdAt) ?? 0,
    })),
    contextFields: (await readRows(reads, '/context', 'contextFields')).map((row) => ({
      name: toText(row.name) ?? '',
      description: toText(row.description) ?? null,
      stickiness: row.stickiness === true,
      sortOrder: Number(row.sortOrder ?? 0),
      createdAt: parseTime(row.createdAt) ?? 0,
      legalValues: toLegalValues(row.legalValues),
    })),
    strategyTypes: (await readRows(reads, '/strategies', 'strategies'))
      .filter(({ editable }) => editable === true)
      .map(toStrategyType),
    flagTypes: (await readRows(reads, '/feature-types', 'types')).map((row) => ({
      id: toText(row.id) ?? '',
      name: toText(row.name) ?? '',
      description: toText(row.description) ?? '',
      lifetimeDays: typeof row.lifetimeDays === 'number' ? row.lifetimeDays : null,
    })),
    tagTypes: (await readRows(reads, '/tag-types', 'tagTypes')).map((row) => ({
      name: toText(row.name) ?? '',
      description: toText(row.description) ?? null,
      icon: toText(row.icon) ?? null,
    })),
    tags: (await readRows(reads, '/tags', 'tags')).map(toTag),
  }
}

/**
 * Reads projects by id. The open-source edition lists only one project, so project ids are also collected from flags,
 * tokens and segments.
 */
export async function readApiProjects(reads: UnleashClient, known: readonly string[]): Promise<SourceProject[]> {
  const listed = (await readRows(reads, '/projects', 'projects')).map(({ id }) => toText(id) ?? '')
  const projects: SourceProject[] = []
  for (const id of new Set([...listed, ...known].filter((one) => one !== '' && one !== '*'))) {
    const row = await reads.find(`/projects/${encodeURIComponent(id)}/overview`)
    if (row !== undefined) projects.push(toProject(id, toObject(row)))
  }
  return projects
}

function toProject(id: string, row: Readonly<Record<string, unknown>>): SourceProject {
  const naming = toObject(row.featureNaming)
  return {
    id,
    name: toText(row.name) ?? id,
    description: toText(row.description) ?? null,
    mode: toText(row.mode) ?? 'open',
    defaultStickiness: toText(row.defaultStickiness) ?? 'default',
    createdAt: parseTime(row.createdAt) ?? 0,
    archivedAt: null,
    featureLimit: typeof row.featureLimit === 'number' ? row.featureLimit : null,
    namingPattern: toText(naming.pattern) ?? null,
    namingExample: toText(naming.example) ?? null,
    namingDescription: toText(naming.description) ?? null,
    environments: toList(row.environments).map((one) => {
      const { environment, defaultStrategy } = toObject(one)
      return { environment: toText(environment) ?? toText(one) ?? '', defaultStrategy: toRule(defaultStrategy) }
    }),
  }
}

function toStrategyType(row: Readonly<Record<string, unknown>>): ReferenceData['strategyTypes'][number] {
  return {
    name: toText(row.name) ?? '',
    title: toText(row.title) ?? null,
    description: toText(row.description) ?? null,
    deprecated: row.deprecated === true,
    sortOrder: Number(row.sortOrder ?? 0),
    parameters: toParameterDefinitions(row.parameters),
  }
}
