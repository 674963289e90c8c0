import { notFound } from '@burgee/kit/input/refusals'
import type { FlagSnapshot } from '@burgee/protocol/administration/flag-history'
import { Problem } from '@burgee/protocol/problem'
import { chunks } from '@burgee/storage/chunks'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import {
  listChildRows,
  listChildren,
  listChildrenRequiringParentOff,
  listFlagsWithParents,
} from '@burgee/storage/queries/flags/dependencies'
import {
  type FeatureRow,
  listFeatureEnvironments,
  listFeaturesByName,
  readVariantsOfFeatures,
} from '@burgee/storage/queries/flags/features'
import { readFlagRecords } from '@burgee/storage/queries/flags/flag-records'
import { stopPlanClocks } from '@burgee/storage/queries/releases/release-plans'
import type { Change } from '../../core/execute.ts'
import { requireOpenProject } from '../../core/project-ref.ts'
import { toFlagSnapshot } from '../history/flag-snapshot.ts'
import { removeDependency, toParent } from './dependencies.ts'
import { setSwitch } from './enabled-and-plan-clock.ts'
import { buildFeatureEvent } from './feature-events.ts'
import type { FeatureRef } from './feature-ref.ts'
import { requireRoom } from './project-flag-rules.ts'

/** Names of several flags of one project. */
export interface FeatureRefs {
  readonly project: string
  readonly features: readonly string[]
}

/**
 * Returns the flags without duplicates, in the order of the given names. Throws NotFoundError if a flag is not in the
 * project.
 */
export async function requireFeatures(reader: Reader, { project, features }: FeatureRefs): Promise<FeatureRow[]> {
  const names = [...new Set(features)]
  const rows = new Map((await listFeaturesByName(reader, names)).map((row) => [row.name, row]))
  return names.map((name) => {
    const row = rows.get(name)
    if (row === undefined || row.project !== project)
      throw notFound(`There is no flag "${name}" in project "${project}".`)
    return row
  })
}

const getNames = (rows: readonly FeatureRow[]) => rows.map((row) => row.name)

/**
 * Archives a flag: SDKs no longer get it, and its history remains. Does nothing if the flag is already archived. Throws
 * NotFoundError, InvalidOperationError.
 */
export const archiveFeature: Change<FeatureRef, void> = (tx, { project, feature }, context) =>
  archiveFeatures(tx, { project, features: [feature] }, context)

/** Archives several flags, atomically (all flags or none). A parent can be archived together with its children. */
export const archiveFeatures: Change<FeatureRefs, void> = async (tx, refs, context) => {
  const rows = (await requireFeatures(tx, refs)).filter((row) => row.archived_at === null)
  const names = getNames(rows)
  await rejectOrphans(tx, names)
  const children = new Set(await listFlagsWithParents(tx, names))
  const variants = await readVariantsOfFeatures(tx, names)
  const events: NewEvent[] = []
  for (const before of rows) {
    const { name: feature, project } = before
    if (children.has(feature)) events.push(...(await removeDependency(tx, { project, feature }, context)).events)
    const after = { ...before, archived_at: context.now }
    events.push(buildFeatureEvent('feature-archived', { before, after, variants: variants.get(feature) ?? [] }))
    await tx.updateTable('features').set({ archived_at: context.now }).where('name', '=', before.name).execute()
    await stopPlanClocks(tx, { feature, now: context.now })
  }
  return { result: undefined, events }
}

async function rejectOrphans(tx: Tx, names: readonly string[]): Promise<void> {
  const going = new Set(names)
  const left = (await listChildren(tx, names)).filter(({ child }) => !going.has(child))
  const [first] = left
  if (first === undefined) return
  const own = left.filter(({ parent }) => parent === first.parent).map(({ child }) => `"${child}"`)
  throw new Problem('InvalidOperationError', `The flag "${first.parent}" is the parent of ${own.join(', ')}.`)
}

/**
 * Returns the effects of archiving flags: which flags cannot be archived because they have children, and whether
 * dependencies would be removed. Throws NotFoundError.
 */
export async function checkArchive(reader: Reader, refs: FeatureRefs) {
  const names = (await requireFeatures(reader, refs)).map((row) => row.name)
  const going = new Set(names)
  const left = (await listChildren(reader, names)).filter(({ child }) => !going.has(child))
  return {
    parentsWithChildFeatures: [...new Set(left.map(({ parent }) => parent))].sort(),
    hasDeletedDependencies: (await listFlagsWithParents(reader, names)).length > 0,
  }
}

/**
 * Revives archived flags. Revived flags are off in every environment. Flags that are not archived stay unchanged.
 * Throws NotFoundError, and InvalidOperationError if the project is archived or would exceed its flag limit, or if a
 * revived flag would turn its children on. Source: wire protocol
 */
export const reviveFeatures: Change<FeatureRefs, void> = async (tx, refs, { now }) => {
  const rows = (await requireFeatures(tx, refs)).filter((row) => row.archived_at !== null)
  if (rows.length > 0) await requireRoom(tx, await requireOpenProject(tx, refs.project), rows.length)
  await rejectOpened(tx, getNames(rows))
  const variants = await readVariantsOfFeatures(tx, getNames(rows))
  const events: NewEvent[] = []
  for (const before of rows) {
    const { name: feature, project } = before
    const after = { ...before, archived_at: null }
    events.push(buildFeatureEvent('feature-revived', { before, after, variants: variants.get(feature) ?? [] }))
    await tx.updateTable('features').set({ archived_at: null }).where('name', '=', feature).execute()
    for (const { environment, enabled } of await listFeatureEnvironments(tx, feature)) {
      if (enabled === 1) events.push(await setSwitch(tx, { project, feature, environment }, { enabled: false, now }))
    }
  }
  return { result: undefined, events }
}

/**
 * Rejects the revival of flags that would turn children on. A child of an archived parent is off for everyone. If the
 * child requires the parent to be off, it would be on as soon as the parent is revived.
 */
async function rejectOpened(tx: Tx, names: readonly string[]): Promise<void> {
  const [first] = await listChildrenRequiringParentOff(tx, names)
  if (first === undefined) return
  const { parent, child } = first
  const message = `The flag "${child}" is on where "${parent}" is off, so this change would turn it on for users. Turn it off or remove its parent first.`
  throw new Problem('InvalidOperationError', message)
}

/**
 * Removes the parent of archived children and returns the events. Imports can create archived flags that still have a
 * parent.
 */
async function freeChildren(tx: Tx, parents: readonly string[]): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  for (const row of await listChildRows(tx, parents)) {
    if (parents.includes(row.child)) continue
    const of = { project: row.project, featureName: row.child }
    events.push({ type: 'feature-dependency-removed', ...of, preData: toParent(row) })
  }
  return events
}

/**
 * Deletes archived flags permanently; their history remains. Flags that are not archived stay unchanged. Throws
 * NotFoundError, and InvalidOperationError for a flag with unarchived children. A child is off while its parent is
 * archived, but might be on for everyone without a parent.
 */
export const deleteFeatures: Change<FeatureRefs, void> = async (tx, refs) => {
  const rows = (await requireFeatures(tx, refs)).filter((row) => row.archived_at !== null)
  await rejectOrphans(tx, getNames(rows))
  const variants = await readVariantsOfFeatures(tx, getNames(rows))
  const events = await freeChildren(tx, getNames(rows))
  const states = new Map<string, FlagSnapshot>()
  for (const part of chunks(getNames(rows))) {
    for (const record of await readFlagRecords(tx, part)) states.set(record.row.name, toFlagSnapshot(record))
  }
  for (const { name } of rows) {
    await tx.deleteFrom('feature_dependencies').where('parent', '=', name).execute()
    await tx.deleteFrom('features').where('name', '=', name).execute()
  }
  for (const before of rows) {
    const event = buildFeatureEvent('feature-deleted', { before, variants: variants.get(before.name) ?? [] })
    events.push({ ...event, undo: { flag: states.get(before.name) } })
  }
  return { result: undefined, events }
}

/**
 * Marks flags as stale or not stale. An unchanged flag creates no event. Throws NotFoundError for a missing or archived
 * flag.
 */
export const markStale: Change<FeatureRefs & { stale: boolean }, void> = async (tx, { stale, ...refs }) => {
  const rows = await requireFeatures(tx, refs)
  const archived = rows.find((row) => row.archived_at !== null)
  if (archived !== undefined) throw notFound(`The flag "${archived.name}" is archived.`)
  const variants = await readVariantsOfFeatures(tx, getNames(rows))
  const type = stale ? 'feature-stale-on' : 'feature-stale-off'
  const events: NewEvent[] = []
  for (const before of rows.filter((row) => (row.stale === 1) !== stale)) {
    const after = { ...before, stale: Number(stale) }
    await tx.updateTable('features').set({ stale: after.stale }).where('name', '=', before.name).execute()
    events.push(buildFeatureEvent(type, { before, after, variants: variants.get(before.name) ?? [] }))
  }
  return { result: undefined, events }
}
