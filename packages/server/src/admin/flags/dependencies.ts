import type { DependencyInput } from '@burgee/protocol/batch'
import { Problem } from '@burgee/protocol/problem'
import type { Tx } from '@burgee/storage/database'
import { deleteParents, listChildren, listParents } from '@burgee/storage/queries/flags/dependencies'
import { findFeature } from '@burgee/storage/queries/flags/features'
import type { DependencyRow } from '@burgee/storage/queries/flags/flag-records'
import type { Change } from '../../core/execute.ts'
import { type FeatureRef, requireLive } from './feature-ref.ts'

/**
 * Sets the parent of a flag, replacing the previous one. An unchanged parent creates no event. Throws NotFoundError if
 * the flag does not exist. Throws InvalidOperationError if the parent does not exist, is the flag itself or has a
 * parent, or if the flag has children.
 */
export const addDependency: Change<FeatureRef & { body: DependencyInput }, void> = async (tx, { body, ...ref }) => {
  await requireLive(tx, ref)
  const { feature: parent, enabled = true, variants = [] } = body
  await requireParent(tx, ref, parent)
  const [known, ...others] = await listParents(tx, ref.feature)
  const wanted = { feature: parent, enabled, variants: enabled ? variants : [] }
  const before = known && toParent(known)
  if (others.length === 0 && JSON.stringify(before) === JSON.stringify(wanted)) return { result: undefined, events: [] }
  await deleteParents(tx, [ref.feature])
  await tx
    .insertInto('feature_dependencies')
    .values({ child: ref.feature, parent, enabled: Number(enabled), variants: JSON.stringify(wanted.variants) })
    .execute()
  const of = { project: ref.project, featureName: ref.feature }
  const undo = others.length === 0 ? undefined : { parents: [...(known ? [known] : []), ...others].map(toParent) }
  const event = { type: 'feature-dependency-added', ...of, data: wanted, preData: before, undo } as const
  return { result: undefined, events: [event] }
}

/**
 * Removes the given parent of a flag, or all parents if no parent is given. Does nothing if the flag does not have the
 * parent. Throws NotFoundError if the flag does not exist.
 */
export const removeDependency: Change<FeatureRef & { parent?: string }, void> = async (tx, { parent, ...ref }) => {
  await requireLive(tx, ref)
  const known = (await listParents(tx, ref.feature)).filter((row) => parent === undefined || row.parent === parent)
  if (known.length === 0) return { result: undefined, events: [] }
  let query = tx.deleteFrom('feature_dependencies').where('child', '=', ref.feature)
  if (parent !== undefined) query = query.where('parent', '=', parent)
  await query.execute()
  const preData = known.map(toParent)
  const of = { project: ref.project, featureName: ref.feature }
  const event =
    parent === undefined
      ? ({ type: 'feature-dependencies-removed', ...of, preData: { dependencies: preData } } as const)
      : ({ type: 'feature-dependency-removed', ...of, preData: preData[0] } as const)
  return { result: undefined, events: [event] }
}

/** Returns a dependency in the form used in events. */
export function toParent({ parent, enabled, variants }: DependencyRow) {
  return { feature: parent, enabled: enabled === 1, variants }
}

async function requireParent(tx: Tx, { project, feature }: FeatureRef, parent: string): Promise<void> {
  if (parent === feature) throw createRefusal('A flag cannot depend on itself.')
  const row = await findFeature(tx, parent)
  if (row === undefined || row.project !== project || row.archived_at !== null) {
    throw createRefusal(`There is no flag "${parent}" in project "${project}" to depend on.`)
  }
  if ((await listParents(tx, parent)).length > 0) throw createRefusal(`The flag "${parent}" has a parent itself.`)
  if ((await listChildren(tx, [feature])).length > 0) throw createRefusal(`The flag "${feature}" is a parent itself.`)
}

function createRefusal(message: string): Problem {
  return new Problem('InvalidOperationError', message)
}
