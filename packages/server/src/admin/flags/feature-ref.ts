import { notFound } from '@burgee/kit/input/refusals'
import type { Problem } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import { type FeatureRow, findFeature, findFeatureInEnvironment } from '@burgee/storage/queries/flags/features'

/** Flag name with its project. */
export interface FeatureRef {
  readonly project: string
  readonly feature: string
}

/** Flag in an environment. */
export interface FeatureEnvironmentRef extends FeatureRef {
  readonly environment: string
}

/** Returns the flag with the given name. Also returns archived flags. Throws NotFoundError. */
export async function requireFeatureNamed(reader: Reader, name: string): Promise<FeatureRow> {
  const row = await findFeature(reader, name)
  if (row !== undefined) return row
  throw notFound(`There is no flag "${name}".`)
}

/** Returns a flag. Also returns archived flags. Throws NotFoundError if it is not in the given project. */
export async function requireFeature(reader: Reader, ref: FeatureRef): Promise<FeatureRow> {
  return requireInProject(await findFeature(reader, ref.feature), ref)
}

/**
 * Returns the flag's state in an environment of its project, for use in changes. Throws NotFoundError if the flag is
 * missing or archived.
 */
export async function requireFeatureEnvironment(reader: Reader, ref: FeatureEnvironmentRef) {
  const state = await readFeatureEnvironment(reader, ref)
  requireNotArchived(state.feature)
  return state
}

/**
 * Returns the flag's state in an environment of its project, for use in views. The flag may be archived. Throws
 * NotFoundError.
 */
export async function readFeatureEnvironment(reader: Reader, ref: FeatureEnvironmentRef) {
  const found = await findFeatureInEnvironment(reader, ref.feature, ref.environment)
  const feature = requireInProject(found?.feature, ref)
  if (found?.state !== undefined) return { feature, ...found.state }
  throw notFound(`There is no environment "${ref.environment}" in project "${ref.project}".`)
}

/** Returns a flag that is not archived. Throws NotFoundError. */
export async function requireLive(reader: Reader, ref: FeatureRef): Promise<FeatureRow> {
  return requireNotArchived(await requireFeature(reader, ref))
}

function requireInProject(row: FeatureRow | undefined, ref: FeatureRef): FeatureRow {
  if (row !== undefined && row.project === ref.project) return row
  throw createFlagNotFound(ref)
}

/** Returns the NotFoundError for a flag that is not in the given project. */
export function createFlagNotFound({ project, feature }: FeatureRef): Problem {
  return notFound(`There is no flag "${feature}" in project "${project}".`)
}

/** Returns the flag unless it is archived. Throws NotFoundError. */
export function requireNotArchived(row: FeatureRow): FeatureRow {
  if (row.archived_at === null) return row
  throw notFound(`The flag "${row.name}" is archived.`)
}
