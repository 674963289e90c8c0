import type { HeldProject } from '../../model/held-flags.ts'
import type { Installation } from '../../model/installation.ts'
import { constraintsOf, legalValuesOf, listOf, objectOf, parameterKindsOf, ruleOf, textOf } from '../stored-json.ts'
import { tagOf, timeOf } from './api-flags.ts'
import type { PoliteReads } from './polite-reads.ts'

type Material = Pick<
  Installation,
  'environments' | 'segments' | 'contextFields' | 'strategyTypes' | 'flagTypes' | 'tagTypes' | 'tags'
>

/** Returns the rows of a list property, or of the response itself if it is a list. */
async function rowsOf(reads: PoliteReads, path: string, name: string) {
  const answer = await reads.get(path)
  return listOf(Array.isArray(answer) ? answer : objectOf(answer)[name]).map(objectOf)
}

/** Reads environments, and everything else that flags refer to. */
export async function readApiMaterial(reads: PoliteReads): Promise<Material> {
  return {
    environments: (await rowsOf(reads, '/environments', 'environments')).map((row) => ({
      ...{
        name: textOf(row.name) ?? '',
        type: textOf(row.type) ?? 'production',
        sortOrder: Number(row.sortOrder ?? 0),
      },
      ...{ enabled: row.enabled !== false, protected: row.protected === true },
    })),
    segments: (await rowsOf(reads, '/segments', 'segments')).map((row) => ({
      ...{ id: Number(row.id), name: textOf(row.name) ?? '', description: textOf(row.description) ?? null },
      ...{ project: textOf(row.project) ?? null, constraints: constraintsOf(row.constraints) },
      ...{ createdBy: textOf(row.createdBy) ?? '', createdAt: timeOf(row.createdAt) ?? 0 },
    })),
    contextFields: (await rowsOf(reads, '/context', 'contextFields')).map((row) => ({
      ...{ name: textOf(row.name) ?? '', description: textOf(row.description) ?? null },
      ...{ stickiness: row.stickiness === true, sortOrder: Number(row.sortOrder ?? 0) },
      ...{ createdAt: timeOf(row.createdAt) ?? 0, legalValues: legalValuesOf(row.legalValues) },
    })),
    strategyTypes: (await rowsOf(reads, '/strategies', 'strategies'))
      .filter(({ editable }) => editable === true)
      .map(strategyTypeOf),
    flagTypes: (await rowsOf(reads, '/feature-types', 'types')).map((row) => ({
      ...{ id: textOf(row.id) ?? '', name: textOf(row.name) ?? '', description: textOf(row.description) ?? '' },
      lifetimeDays: typeof row.lifetimeDays === 'number' ? row.lifetimeDays : null,
    })),
    tagTypes: (await rowsOf(reads, '/tag-types', 'tagTypes')).map((row) => ({
      ...{ name: textOf(row.name) ?? '', description: textOf(row.description) ?? null, icon: textOf(row.icon) ?? null },
    })),
    tags: (await rowsOf(reads, '/tags', 'tags')).map(tagOf),
  }
}

/**
 * Reads projects by id. The open-source edition lists only one project, so project ids are also collected from flags,
 * tokens and segments.
 */
export async function readApiProjects(reads: PoliteReads, known: readonly string[]): Promise<HeldProject[]> {
  const listed = (await rowsOf(reads, '/projects', 'projects')).map(({ id }) => textOf(id) ?? '')
  const projects: HeldProject[] = []
  for (const id of new Set([...listed, ...known].filter((one) => one !== '' && one !== '*'))) {
    const row = await reads.find(`/projects/${encodeURIComponent(id)}/overview`)
    if (row !== undefined) projects.push(projectOf(id, objectOf(row)))
  }
  return projects
}

function projectOf(id: string, row: Readonly<Record<string, unknown>>): HeldProject {
  const naming = objectOf(row.featureNaming)
  return {
    ...{
      id,
      name: textOf(row.name) ?? id,
      description: textOf(row.description) ?? null,
      mode: textOf(row.mode) ?? 'open',
    },
    ...{ defaultStickiness: textOf(row.defaultStickiness) ?? 'default', createdAt: timeOf(row.createdAt) ?? 0 },
    ...{ archivedAt: null, featureLimit: typeof row.featureLimit === 'number' ? row.featureLimit : null },
    namingPattern: textOf(naming.pattern) ?? null,
    namingExample: textOf(naming.example) ?? null,
    namingDescription: textOf(naming.description) ?? null,
    environments: listOf(row.environments).map((one) => {
      const { environment, defaultStrategy } = objectOf(one)
      return { environment: textOf(environment) ?? textOf(one) ?? '', defaultStrategy: ruleOf(defaultStrategy) }
    }),
  }
}

function strategyTypeOf(row: Readonly<Record<string, unknown>>): Material['strategyTypes'][number] {
  return {
    ...{ name: textOf(row.name) ?? '', title: textOf(row.title) ?? null, description: textOf(row.description) ?? null },
    ...{ deprecated: row.deprecated === true, sortOrder: Number(row.sortOrder ?? 0) },
    parameters: parameterKindsOf(row.parameters),
  }
}
