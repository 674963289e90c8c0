import type { ConfigFileContent, FileStrategy } from '@burgee/protocol/administration/config-files'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { listProjectEnvironmentNames } from '@burgee/storage/queries/flags/features'
import { listTagTypeNames } from '@burgee/storage/queries/flags/tags'
import { findEnvironment } from '@burgee/storage/queries/projects/environments'
import { findProject } from '@burgee/storage/queries/projects/projects'
import { listStrategyTypes } from '@burgee/storage/queries/targeting/strategy-types'
import type { ChangeContext } from '../../core/execute.ts'
import { createTagType } from '../flags/tag-types.ts'
import { createEnvironment } from '../projects/environments.ts'
import { addProjectEnvironment } from '../projects/project-environments.ts'
import { createProject } from '../projects/projects.ts'
import { createStrategyType } from '../targeting/strategy-types.ts'
import { parseTag } from './plan-flag.ts'

/** Project of files, and objects that files name but do not describe. */
export interface FileSurroundings {
  readonly project: string
  readonly environments: readonly string[]
  readonly tagTypes: readonly string[]
  readonly strategyTypes: readonly string[]
}

/** Returns the environments, tag types and strategy types that files name. */
export function listSurroundings(contents: readonly ConfigFileContent[]): Omit<FileSurroundings, 'project'> {
  const environments = new Set<string>()
  const tagTypes = new Set<string>()
  const strategyTypes = new Set<string>()
  const addStrategies = (strategies: readonly Pick<FileStrategy, 'name'>[] = []): void => {
    for (const { name } of strategies) strategyTypes.add(name)
  }
  for (const content of contents) {
    if (content.kind === 'Flag') {
      for (const tag of content.tags ?? []) tagTypes.add(parseTag(tag).type)
      for (const [name, { strategies }] of Object.entries(content.environments ?? {})) {
        environments.add(name)
        addStrategies(strategies)
      }
    }
    if (content.kind === 'ReleaseTemplate') {
      for (const { strategies } of content.milestones ?? []) addStrategies(strategies)
    }
  }
  return { environments: [...environments], tagTypes: [...tagTypes], strategyTypes: [...strategyTypes] }
}

/** Creates the missing objects that files name. Returns the events. Throws ValidationError for an invalid name. */
export async function createSurroundings(
  tx: Tx,
  { project, environments, tagTypes, strategyTypes }: FileSurroundings,
  context: ChangeContext,
): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  for (const name of environments) {
    if ((await findEnvironment(tx, name)) !== undefined) continue
    events.push(...(await createEnvironment(tx, { name, type: 'development' }, context)).events)
  }
  if ((await findProject(tx, project)) === undefined) {
    const body = { id: project, name: project, environments: [...environments] }
    events.push(...(await createProject(tx, { body }, context)).events)
  }
  const used = await listProjectEnvironmentNames(tx, project)
  for (const environment of environments) {
    if (used.includes(environment)) continue
    events.push(...(await addProjectEnvironment(tx, { project, environment }, context)).events)
  }
  events.push(...(await createTypes(tx, { tagTypes, strategyTypes }, context)))
  return events
}

async function createTypes(
  tx: Tx,
  { tagTypes, strategyTypes }: Pick<FileSurroundings, 'tagTypes' | 'strategyTypes'>,
  context: ChangeContext,
): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  for (const name of await selectMissing(tagTypes, listTagTypeNames(tx))) {
    events.push(...(await createTagType(tx, { name }, context)).events)
  }
  for (const name of await selectMissing(strategyTypes, listStrategyTypeNames(tx))) {
    events.push(...(await createStrategyType(tx, { name, parameters: [] }, context)).events)
  }
  return events
}

const listStrategyTypeNames = async (reader: Reader): Promise<string[]> =>
  (await listStrategyTypes(reader)).map(({ name }) => name)

async function selectMissing(names: readonly string[], known: Promise<readonly string[]>): Promise<readonly string[]> {
  const all = new Set(await known)
  return names.filter((name) => !all.has(name))
}
