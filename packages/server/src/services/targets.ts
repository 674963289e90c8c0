import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '../store/database.ts'
import { type FeatureRow, featureEnvironment, featureNamed } from '../store/features/features.ts'
import { type ProjectRow, projectById } from '../store/projects/projects.ts'
import { notFound } from './refusals.ts'

/** A flag, named with its project. */
export interface Target {
  readonly project: string
  readonly feature: string
}

/** A flag in an environment. */
export interface EnvironmentTarget extends Target {
  readonly environment: string
}

/** The flag, if it is in that project. Throws NotFoundError. */
export async function requireFeature(reader: Reader, { project, feature }: Target): Promise<FeatureRow> {
  const row = await featureNamed(reader, feature)
  if (row !== undefined && row.project === project) return row
  throw notFound(`There is no flag "${feature}" in project "${project}".`)
}

/** The flag's state in an environment of its project. Archived flags do not change any more. Throws NotFoundError. */
export async function requireFeatureEnvironment(reader: Reader, target: EnvironmentTarget) {
  const feature = await requireLive(reader, target)
  const state = await featureEnvironment(reader, target.feature, target.environment)
  if (state !== undefined) return { feature, ...state }
  throw notFound(`There is no environment "${target.environment}" in project "${target.project}".`)
}

/** A flag that is not archived. Throws NotFoundError. */
export async function requireLive(reader: Reader, target: Target): Promise<FeatureRow> {
  const row = await requireFeature(reader, target)
  if (row.archived_at === null) return row
  throw notFound(`The flag "${target.feature}" is archived.`)
}

/** A project that takes flags. Throws NotFoundError, InvalidOperationError for an archived one. */
export async function requireOpenProject(reader: Reader, id: string): Promise<ProjectRow> {
  const row = await projectById(reader, id)
  if (row === undefined) throw notFound(`There is no project "${id}".`)
  if (row.archived_at !== null) throw new Problem('InvalidOperationError', `The project "${id}" is archived.`)
  return row
}
