import { Problem } from '@burgee/protocol/problem'
import type { Tx } from '@burgee/storage/database'
import { moveReferences } from '@burgee/storage/queries/code-references/references'
import { listChildren, listParents } from '@burgee/storage/queries/flags/dependencies'
import { listFeatureEnvironments, listProjectEnvironmentNames } from '@burgee/storage/queries/flags/features'
import { listBlockingSegments, moveFeatureTo } from '@burgee/storage/queries/flags/moves'
import { listStrategies } from '@burgee/storage/queries/flags/strategies'
import type { Change } from '../../core/execute.ts'
import { requireOpenProject } from '../../core/project-ref.ts'
import { type FeatureRef, requireLive } from './feature-ref.ts'
import { requireFittingName, requireRoom } from './project-flag-rules.ts'

/**
 * Moves a flag to another project without changing it, so that SDKs see no difference. Does nothing if the flag is
 * already there.
 *
 * Throws NotFoundError if the flag or the new project does not exist. Throws InvalidOperationError for an archived
 * project, and if the flag uses an environment that the new project lacks, has a dependency, or uses a segment of its
 * project that cannot move with it. If the new project rejects the flag's name or has reached its limit, throws the
 * same errors as for a new flag.
 */
export const moveFeature: Change<FeatureRef & { newProject: string }, void> = async (tx, { newProject, ...from }) => {
  await requireLive(tx, from)
  const rules = await requireOpenProject(tx, newProject)
  if (newProject === from.project) return { result: undefined, events: [] }
  requireFittingName(rules, from.feature)
  await requireRoom(tx, rules, 1)
  await rejectDependencies(tx, from.feature)
  await rejectSegments(tx, from.feature, newProject)
  const environments = await listProjectEnvironmentNames(tx, newProject)
  await rejectEnvironments(tx, from.feature, { newProject, environments })
  const had = (await listFeatureEnvironments(tx, from.feature)).map(({ environment }) => environment)
  await moveFeatureTo(tx, { feature: from.feature, project: newProject, environments })
  await moveReferences(tx, { feature: from.feature, from: from.project, to: newProject })
  const data = { oldProject: from.project, newProject }
  const event = {
    type: 'feature-project-change',
    project: newProject,
    featureName: from.feature,
    data,
    undo: { environments: had },
  } as const
  return { result: undefined, events: [event] }
}

async function rejectDependencies(tx: Tx, feature: string): Promise<void> {
  const [parent] = await listParents(tx, feature)
  if (parent !== undefined) throw createRefusal(feature, `it depends on "${parent.parent}"`)
  const [child] = await listChildren(tx, [feature])
  if (child !== undefined) throw createRefusal(feature, `"${child.child}" depends on it`)
}

async function rejectSegments(tx: Tx, feature: string, newProject: string): Promise<void> {
  const [segment] = await listBlockingSegments(tx, feature, newProject)
  if (segment !== undefined) throw createRefusal(feature, `it uses the segment "${segment.name}" of its project`)
}

/** Rejects a move if the flag would lose an environment in which the flag is on or has strategies or variants. */
async function rejectEnvironments(
  tx: Tx,
  feature: string,
  { newProject, environments }: { newProject: string; environments: readonly string[] },
): Promise<void> {
  const withStrategies = new Set((await listStrategies(tx, feature)).map((row) => row.environment))
  const lost = (await listFeatureEnvironments(tx, feature))
    .filter((row) => row.enabled === 1 || row.variants.length > 0 || withStrategies.has(row.environment))
    .map((row) => row.environment)
    .filter((environment) => !environments.includes(environment))
  if (lost.length === 0) return
  const names = lost.map((name) => `"${name}"`).join(', ')
  throw createRefusal(feature, `the project "${newProject}" does not use ${names}`)
}

function createRefusal(feature: string, why: string): Problem {
  return new Problem('InvalidOperationError', `The flag "${feature}" cannot be moved: ${why}.`)
}
