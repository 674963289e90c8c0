import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { EnvironmentSnapshot } from '@burgee/protocol/administration/flag-history'
import { Problem } from '@burgee/protocol/problem'
import type { DefaultStrategy } from '@burgee/protocol/targeting/strategy'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { listProjectEnvironmentNames } from '@burgee/storage/queries/flags/features'
import {
  addEnvironmentToProject,
  findDefaultStrategy,
  hasEnvironment,
  type ProjectEnvironmentKey,
  putDefaultStrategy,
  removeEnvironmentFromProject,
} from '@burgee/storage/queries/projects/environments'
import {
  listFlagNamesOfProject,
  listStatesInEnvironment,
  listStrategiesInEnvironment,
} from '@burgee/storage/queries/transfer/feature-reads'
import type { Change } from '../../core/execute.ts'
import { requireProject } from '../../core/project-ref.ts'
import { toAdminStrategy } from '../flags/feature-views.ts'
import { checkStrategy } from '../flags/strategy-checks.ts'
import { isPristine } from '../history/flag-snapshot.ts'
import type { LostEnvironments } from '../history/rewind-shared-event.ts'
import { requireEnvironment } from './environments.ts'

/**
 * Adds an environment to a project; the project's flags are disabled there. Throws NotFoundError, ConflictError if the
 * project already has the environment, and ValidationError for an invalid default strategy.
 */
export const addProjectEnvironment: Change<
  ProjectEnvironmentKey & { defaultStrategy?: DefaultStrategy },
  void
> = async (tx, { defaultStrategy, ...place }, context) => {
  await requireProject(tx, place.project)
  await requireEnvironment(tx, place.environment)
  if (await hasEnvironment(tx, place)) {
    throw new Problem('ConflictError', `The project "${place.project}" already has "${place.environment}".`)
  }
  const had = await readFlagNames(tx, place)
  await addEnvironmentToProject(tx, place)
  const events: NewEvent[] = [
    {
      type: 'project-environment-added',
      ...place,
      data: { environment: place.environment },
      ...(had.length === 0 ? {} : { undo: { had } }),
    },
  ]
  if (defaultStrategy !== undefined) {
    events.push(...(await setDefaultStrategy(tx, { ...place, body: defaultStrategy }, context)).events)
  }
  return { result: undefined, events }
}

/**
 * Removes an environment from a project, with the strategies of the project's flags in this environment. Does nothing
 * if the project does not use the environment, so that a request can safely be repeated. Throws NotFoundError, and
 * InvalidOperationError for the last environment.
 */
export const removeProjectEnvironment: Change<ProjectEnvironmentKey, void> = async (tx, place) => {
  await requireProject(tx, place.project)
  await requireEnvironment(tx, place.environment)
  if (!(await hasEnvironment(tx, place))) return { result: undefined, events: [] }
  if ((await listProjectEnvironmentNames(tx, place.project)).length === 1) {
    throw new Problem(
      'InvalidOperationError',
      `"${place.environment}" is the last environment of the project "${place.project}" and cannot be removed.`,
    )
  }
  return { result: undefined, events: [(await takeEnvironmentFromProject(tx, place)).event] }
}

/**
 * Removes an environment from a project that uses it. Returns the event, and the state that the project's flags had in
 * the environment; this state is deleted.
 */
export async function takeEnvironmentFromProject(
  tx: Tx,
  place: ProjectEnvironmentKey,
): Promise<{ event: NewEvent; lost: LostEnvironments }> {
  const strategy = await findDefaultStrategy(tx, place)
  const lost = await readLostEnvironments(tx, place)
  await removeEnvironmentFromProject(tx, place)
  const preData = {
    environment: place.environment,
    ...(strategy === undefined ? {} : { defaultStrategy: strategy }),
  }
  return { event: { type: 'project-environment-removed', ...place, preData, undo: lost }, lost }
}

/**
 * Returns the project's flags that have stored state in an environment, even if the project does not use that
 * environment.
 */
async function readFlagNames(reader: Reader, { project, environment }: ProjectEnvironmentKey): Promise<string[]> {
  const states = await listStatesInEnvironment(reader, await listFlagNamesOfProject(reader, project), environment)
  return states.map((row) => row.feature_name)
}

/**
 * Returns the state that a project's flags will lose if the environment is removed. The removal event contains this
 * state, because no events are written for the individual flags.
 */
async function readLostEnvironments(
  reader: Reader,
  { project, environment }: ProjectEnvironmentKey,
): Promise<LostEnvironments> {
  const names = await listFlagNamesOfProject(reader, project)
  const strategies = Map.groupBy(
    await listStrategiesInEnvironment(reader, names, environment),
    (row) => row.feature_name,
  )
  const states = await listStatesInEnvironment(reader, names, environment)
  const there = new Set(states.map((row) => row.feature_name))
  const places = states.map(({ feature_name: name, enabled, variants }) => {
    const own = (strategies.get(name) ?? []).map(toAdminStrategy)
    return { name, enabled: enabled === 1, strategies: own, variants: variants as EnvironmentSnapshot['variants'] }
  })
  const lost = places.filter((place) => !isPristine(place)).map(({ name, ...state }) => [name, state] as const)
  return { flags: Object.fromEntries(lost), without: names.filter((name) => !there.has(name)) }
}

/**
 * Sets the default strategy of an environment: a flag without strategies gets it when the flag is enabled there.
 * Creates no event if nothing changes. Throws NotFoundError, ValidationError.
 */
export const setDefaultStrategy: Change<ProjectEnvironmentKey & { body: DefaultStrategy }, DefaultStrategy> = async (
  tx,
  { body, ...place },
) => {
  await requireProjectEnvironment(tx, place)
  const before = await findDefaultStrategy(tx, place)
  const after = await checkDefaultStrategy(tx, place.project, body)
  if (JSON.stringify(before) === JSON.stringify(after)) return { result: after, events: [] }
  await putDefaultStrategy(tx, place, after)
  return { result: after, events: [{ type: 'default-strategy-updated', ...place, data: after, preData: before }] }
}

/**
 * Validates a default strategy. The strategy is validated without a flag: if it has no `groupId`, each flag uses its
 * own name as group id.
 */
async function checkDefaultStrategy(tx: Tx, project: string, body: DefaultStrategy): Promise<DefaultStrategy> {
  if (body.disabled === true) throw invalid('A default strategy cannot be disabled.', 'body/disabled')
  const checked = await checkStrategy(tx, { project, feature: '' }, body)
  const { groupId = '', ...others } = checked.parameters
  return {
    name: checked.name,
    ...(checked.title === null ? {} : { title: checked.title }),
    parameters: groupId === '' ? others : { ...others, groupId },
    constraints: checked.constraints as Required<DefaultStrategy>['constraints'],
    variants: checked.variants as Required<DefaultStrategy>['variants'],
    segments: checked.segments,
  }
}

async function requireProjectEnvironment(reader: Reader, place: ProjectEnvironmentKey): Promise<void> {
  await requireProject(reader, place.project)
  if (await hasEnvironment(reader, place)) return
  throw notFound(`There is no environment "${place.environment}" in project "${place.project}".`)
}
