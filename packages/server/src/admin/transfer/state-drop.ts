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
  const gone = <T>(all: readonly T[], keyOf: (one: T) => string, coming: readonly string[]) =>
    all.filter((one) => !coming.includes(keyOf(one)))
  if (document.segments !== undefined) {
    const names = document.segments.map(({ name }) => name)
    await run(
      removeSegment,
      gone(await listSegments(tx), ({ name }) => name, names),
    )
  }
  if (document.projects !== undefined) {
    const ids = [DEFAULT, ...document.projects.map(({ id }) => id)]
    const empty = await withoutFlags(
      tx,
      gone(await listAllProjects(tx), ({ id }) => id, ids),
    )
    await run(removeProject, empty)
  }
  if (document.tags !== undefined) {
    const keyOf = ({ type, value }: { type: string; value: string }) => JSON.stringify([type, value])
    const tags = gone(await listTags(tx), keyOf, document.tags.map(keyOf))
    await run(
      deleteTag,
      tags.map((tag) => ({ tag })),
    )
  }
  if (document.tagTypes !== undefined) {
    const all = await tx.selectFrom('tag_types').select('name').orderBy('name').execute()
    await run(
      removeTagType,
      gone(
        all,
        ({ name }) => name,
        document.tagTypes.map(({ name }) => name),
      ),
    )
  }
  if (document.strategies !== undefined) {
    const own = (await listStrategyTypes(tx)).filter((row) => row.built_in === 0)
    await run(
      removeStrategyType,
      gone(
        own,
        ({ name }) => name,
        document.strategies.map(({ name }) => name),
      ),
    )
  }
  if (document.environments !== undefined) {
    const names = document.environments.map(({ name }) => name)
    for (const row of gone(await listAllEnvironments(tx), ({ name }) => name, names)) {
      const { projects, tokens } = await readEnvironmentUses(tx, row.name)
      if (projects.length + tokens === 0 && row.protected === 0)
        await run(removeUnusedEnvironment, [{ name: row.name }])
    }
  }
  return events
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
