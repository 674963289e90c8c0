import type { StateDocument } from '@burgee/protocol/administration/state'
import type { Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { readEnvironmentUses } from '@burgee/storage/queries/projects/environments'
import { listSegments } from '@burgee/storage/queries/targeting/segments'
import { listStrategyTypes } from '@burgee/storage/queries/targeting/strategy-types'
import { listAllEnvironments, listAllProjects, listFlagProjects } from '@burgee/storage/queries/transfer/state-reads'
import type { Change, ChangeContext } from '../../core/execute.ts'
import { archiveFeatures, deleteFeatures } from '../flags/lifecycle.ts'
import { deleteTag, listTags, removeTagType } from '../flags/tag-types.ts'
import { removeUnusedEnvironment } from '../projects/environment-removal.ts'
import { removeProject } from '../projects/projects.ts'
import { removeSegment } from '../targeting/segments.ts'
import { removeStrategyType } from '../targeting/strategy-types.ts'

const DEFAULT = 'default'

/**
 * Removes the data that a document replaces. If the document contains no data of a certain kind, existing data of this
 * kind is not removed. All existing flags are removed. A project, environment, strategy type, segment or tag is removed
 * only if the document does not contain it, so that tokens, roles and default strategies that depend on it are
 * preserved. The default project, built-in types, and environments that a project or token uses are preserved as well.
 * Throws ConflictError if a segment or strategy type is used by the default strategy of a project.
 */
export async function dropState(tx: Tx, document: StateDocument, context: ChangeContext): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  const run = async <I>(change: Change<I, unknown>, inputs: readonly I[]): Promise<void> => {
    for (const input of inputs) events.push(...(await change(tx, input, context)).events)
  }
  if (document.features !== undefined) await dropFlags(tx, run)
  await dropSegmentsAndProjects(tx, document, run)
  await dropTags(tx, document, run)
  if (document.strategies !== undefined) {
    const custom = (await listStrategyTypes(tx)).filter((row) => row.built_in === 0)
    await run(removeStrategyType, filterMissing(custom, getName, document.strategies.map(getName)))
  }
  if (document.environments !== undefined) {
    for (const row of filterMissing(await listAllEnvironments(tx), getName, document.environments.map(getName))) {
      const { projects, tokens } = await readEnvironmentUses(tx, row.name)
      if (projects.length + tokens === 0 && row.protected === 0)
        await run(removeUnusedEnvironment, [{ name: row.name }])
    }
  }
  return events
}

async function dropSegmentsAndProjects(tx: Tx, document: StateDocument, run: Run): Promise<void> {
  if (document.segments !== undefined)
    await run(removeSegment, filterMissing(await listSegments(tx), getName, document.segments.map(getName)))
  if (document.projects !== undefined) {
    const ids = [DEFAULT, ...document.projects.map(({ id }) => id)]
    const missing = filterMissing(await listAllProjects(tx), ({ id }) => id, ids)
    await run(removeProject, await withoutFlags(tx, missing))
  }
}

async function dropTags(tx: Tx, document: StateDocument, run: Run): Promise<void> {
  if (document.tags !== undefined) {
    const toKey = ({ type, value }: { type: string; value: string }) => JSON.stringify([type, value])
    const tags = filterMissing(await listTags(tx), toKey, document.tags.map(toKey))
    await run(
      deleteTag,
      tags.map((tag) => ({ tag })),
    )
  }
  if (document.tagTypes !== undefined) {
    const all = await tx.selectFrom('tag_types').select('name').orderBy('name').execute()
    await run(removeTagType, filterMissing(all, getName, document.tagTypes.map(getName)))
  }
}

/** Returns the items whose key is not in the document. */
function filterMissing<T>(all: readonly T[], getKey: (one: T) => string, inDocument: readonly string[]): T[] {
  return all.filter((one) => !inDocument.includes(getKey(one)))
}

function getName({ name }: { readonly name: string }): string {
  return name
}

type Run = <I>(change: Change<I, unknown>, inputs: readonly I[]) => Promise<void>

/**
 * Deletes all flags, including archived flags. Deletes the flags of one project at a time, so that parents and children
 * are deleted together.
 */
async function dropFlags(tx: Tx, run: Run): Promise<void> {
  const byProject = Map.groupBy(await listFlagProjects(tx), ({ project }) => project)
  for (const [project, flags] of byProject) {
    const features = flags.map(({ name }) => name)
    await run(archiveFeatures, [{ project, features }])
    await run(deleteFeatures, [{ project, features }])
  }
}

/**
 * Returns the projects to which no flag belongs; if the document contains no flags, existing flags keep their project.
 */
async function withoutFlags<T extends { readonly id: string }>(tx: Tx, projects: readonly T[]): Promise<T[]> {
  const used = new Set((await listFlagProjects(tx)).map(({ project }) => project))
  return projects.filter(({ id }) => !used.has(id))
}
