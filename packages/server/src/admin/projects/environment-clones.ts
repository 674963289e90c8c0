import { invalid } from '@burgee/kit/input/refusals'
import type { CloneEnvironment } from '@burgee/protocol/environment'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import {
  copyEnabledStates,
  copyEnvironmentPermissions,
  copyStrategies,
  copyVariants,
  countStrategiesToCopy,
  type EnvironmentCopy,
} from '@burgee/storage/queries/projects/environment-copies'
import {
  addEnvironmentToProject,
  type EnvironmentRow,
  listDefaultStrategies,
  listProjectsUsingEnvironment,
  putDefaultStrategy,
} from '@burgee/storage/queries/projects/environments'
import type { Change } from '../../core/execute.ts'
import { requireProject } from '../../core/project-ref.ts'
import { createEnvironment, requireEnvironment } from './environments.ts'

/** Maximum number of strategies per clone, because all other writes wait while strategies are copied. */
const MAX_STRATEGIES = 20_000

/**
 * Clones an environment, either completely or not at all. The projects of the original also use the clone. Maximum
 * number of names of one kind in an error message or log line. Flags are disabled in the clone unless `cloneEnabled` is
 * set; a flag without an enabled strategy is disabled in any case. Throws NotFoundError, NameExistsError,
 * ValidationError, and InvalidOperationError if there is too much to copy.
 */
export const cloneEnvironment: Change<{ from: string; body: CloneEnvironment }, EnvironmentRow> = async (
  tx,
  { from, body },
  context,
) => {
  const { name, type, cloneStrategies = true, cloneEnabled = false, clonePermissions = false } = body
  await requireEnvironment(tx, from)
  if (cloneEnabled && !cloneStrategies) {
    throw invalid('Flags cannot be on without their strategies: "cloneStrategies" is false', 'body/cloneEnabled')
  }
  const projects = await readProjectIds(tx, from, body.projects ?? [])
  const { result, events } = await createEnvironment(tx, { name, type }, context)
  const copy = { from, to: name, projects }
  if (clonePermissions) await copyEnvironmentPermissions(tx, copy)
  if (projects.length === 0) return { result, events }
  if (cloneStrategies) await requireWithinLimit(tx, copy)
  for (const project of projects) await addEnvironmentToProject(tx, { project, environment: name })
  await copyVariants(tx, copy)
  if (cloneStrategies) await copyStrategies(tx, copy, context.newId)
  const on = cloneEnabled ? await copyEnabledStates(tx, copy) : new Map<string, number>()
  return { result, events: [...events, ...(await buildEvents(tx, copy, on))] }
}

/** Returns an event for each project, with the original environment and the number of flags enabled in the clone. */
async function buildEvents(tx: Tx, { from, to, projects }: EnvironmentCopy, on: ReadonlyMap<string, number>) {
  const events: NewEvent[] = []
  for (const project of projects) {
    const place = { project, environment: to }
    const data = { environment: to, clonedFrom: from, enabledFlags: on.get(project) ?? 0 }
    events.push({ type: 'project-environment-added', ...place, data })
    for (const { environment, strategy } of await listDefaultStrategies(tx, project)) {
      if (environment !== from) continue
      await putDefaultStrategy(tx, place, strategy)
      events.push({ type: 'default-strategy-updated', ...place, data: strategy })
    }
  }
  return events
}

/** Returns the projects that use the environment, limited to the requested projects if any are given. */
async function readProjectIds(reader: Reader, from: string, wanted: readonly string[]): Promise<string[]> {
  const using = await listProjectsUsingEnvironment(reader, from)
  if (wanted.length === 0 || wanted.includes('*')) return using
  for (const project of wanted) {
    await requireProject(reader, project)
    if (using.includes(project)) continue
    throw invalid(`The project "${project}" does not use the environment "${from}"`, 'body/projects')
  }
  return using.filter((project) => wanted.includes(project))
}

async function requireWithinLimit(reader: Reader, copy: EnvironmentCopy): Promise<void> {
  const count = await countStrategiesToCopy(reader, copy)
  if (count <= MAX_STRATEGIES) return
  throw new Problem(
    'InvalidOperationError',
    `There are ${count} strategies to copy, but at most ${MAX_STRATEGIES} can be copied at once: choose fewer projects.`,
  )
}
