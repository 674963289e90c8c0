import type { Reader } from '../../store/database.ts'
import { type FeatureRow, featureEnvironment, featureNamed } from '../../store/features/features.ts'
import { notFound } from '../refusals.ts'

/** A flag, named with its project. */
export interface FeatureRef {
  readonly project: string
  readonly feature: string
}

/** A flag in an environment. */
export interface FeatureEnvironmentRef extends FeatureRef {
  readonly environment: string
}

/** A flag by name alone, archived or not. Throws NotFoundError. */
export async function requireFeatureNamed(reader: Reader, name: string): Promise<FeatureRow> {
  const row = await featureNamed(reader, name)
  if (row !== undefined) return row
  throw notFound(`There is no flag "${name}".`)
}

/** The flag, if it is in that project. Throws NotFoundError. */
export async function requireFeature(reader: Reader, { project, feature }: FeatureRef): Promise<FeatureRow> {
  const row = await featureNamed(reader, feature)
  if (row !== undefined && row.project === project) return row
  throw notFound(`There is no flag "${feature}" in project "${project}".`)
}

/** The flag's state in an environment of its project. Archived flags do not change any more. Throws NotFoundError. */
export async function requireFeatureEnvironment(reader: Reader, ref: FeatureEnvironmentRef) {
  const feature = await requireLive(reader, ref)
  const state = await featureEnvironment(reader, ref.feature, ref.environment)
  if (state !== undefined) return { feature, ...state }
  throw notFound(`There is no environment "${ref.environment}" in project "${ref.project}".`)
}

/** A flag that is not archived. Throws NotFoundError. */
export async function requireLive(reader: Reader, ref: FeatureRef): Promise<FeatureRow> {
  const row = await requireFeature(reader, ref)
  if (row.archived_at === null) return row
  throw notFound(`The flag "${ref.feature}" is archived.`)
}
