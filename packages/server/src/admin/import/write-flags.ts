import type { SourceFlag, SourceState, SourceStrategy } from '@burgee/import/model/source-flags'
import { describeUnguarded, guardFlag, isUnguarded } from '@burgee/import/model/unguarded-flags'
import { chunks } from '@burgee/storage/chunks'
import { insertAll } from '@burgee/storage/queries/import/explicit-ids'
import { readRemovedEnvironments } from '@burgee/storage/queries/projects/removed-environments'
import type { ImportContext } from './import-order.ts'
import { noteLongLists } from './long-lists.ts'
import { writeEnvironments } from './write-environments.ts'
import { listMissing, readNames } from './write-material.ts'

/** Number of states that are prepared at a time. */
const STATES_PER_PART = 10_000
const STAGES: readonly string[] = ['pre-live', 'live', 'completed']

/**
 * Writes flags with their states, strategies, dependencies and tags. A flag that is on without an enabled strategy gets
 * an explicit strategy for everyone, or is turned off if `closeUnguarded` is set. `projects` contains the imported
 * projects.
 */
export async function writeFlags(writing: ImportContext, projects: readonly { readonly id: string }[]): Promise<void> {
  const { tx } = writing
  const { flags: found, orphans } = await flagsToWrite(writing)
  const brought = new Set(projects.map(({ id }) => id))
  const placed = await withoutRemoved(writing, found, brought)
  const flags = placed.map((flag) => (orphans.has(flag.name) ? flag : withExplicitStrategies(flag, writing)))
  await insertAll(
    tx,
    'features',
    flags.map((flag) => toFeatureRow(flag, findCreator(flag, writing))),
  )
  const environments = await readNames(writing, 'environments', 'name')
  const states = flags.flatMap((flag) =>
    flag.states.filter(({ environment }) => environments.has(environment)).map((state) => ({ flag, state })),
  )
  await writeStates(writing, states, orphans)
  await writeEnvironments(writing, flags, brought)
  await writeStrategies(writing, states)
  await writeDependencies(writing, flags)
  await writeTags(writing, flags)
  noteLongLists(writing, flags)
  await insertAll(
    tx,
    'feature_stages',
    flags.flatMap(({ name, stages }) => toStageRows(name, stages)),
  )
}

interface PlacedState {
  readonly flag: SourceFlag
  readonly state: SourceState
}

/** Writes states in parts and reports the progress. A large installation has millions of states. */
async function writeStates(
  writing: ImportContext,
  states: readonly PlacedState[],
  orphans: ReadonlySet<string>,
): Promise<void> {
  const { tx, order } = writing
  let done = 0
  for (const part of chunks(states, STATES_PER_PART)) {
    await insertAll(
      tx,
      'feature_environments',
      part.map(({ flag, state }) => ({
        feature_name: flag.name,
        environment: state.environment,
        enabled: Number(!orphans.has(flag.name) && isOn(state, writing)),
        variants: JSON.stringify(state.variants),
        last_seen_at: state.lastSeenAt,
      })),
    )
    done += part.length
    order.progress('flag state', done, states.length)
  }
}

/**
 * Drops states of flags in environments that the existing projects have removed, so that an import does not restore
 * these environments.
 */
async function withoutRemoved(
  { tx, tally }: ImportContext,
  flags: readonly SourceFlag[],
  brought: ReadonlySet<string>,
): Promise<SourceFlag[]> {
  const removed = await readRemovedEnvironments(tx)
  return flags.map((flag) => {
    if (brought.has(flag.project)) return flag
    const isGone = ({ environment }: SourceState) => removed.get(flag.project)?.has(environment) === true
    for (const { environment } of flag.states.filter(isGone)) {
      const words = `the project "${flag.project}" has removed this environment here`
      tally.addNote('flag', `${flag.name} in ${environment}`, 'not carried', words)
    }
    return { ...flag, states: flag.states.filter((state) => !isGone(state)) }
  })
}

/** Returns a flag with explicit strategies, and adds a note for each environment that had no enabled strategy. */
function withExplicitStrategies(flag: SourceFlag, { order, tally }: ImportContext): SourceFlag {
  // an archived flag is off when it is revived, so it needs no strategy
  if (isArchived(flag)) return flag
  const fidelity = order.closeUnguarded ? 'approximated' : 'exact'
  for (const state of flag.states.filter(isUnguarded)) {
    const words = describeUnguarded(state, order.closeUnguarded)
    tally.addNote('flag', `${flag.name} in ${state.environment}`, fidelity, words)
  }
  return guardFlag(flag, order.closeUnguarded)
}

/** Returns the id of a flag's creator. For a creator who no longer exists, returns the id from the source. */
function findCreator({ createdByUserId }: SourceFlag, { users, installation }: ImportContext) {
  if (createdByUserId === null) return { created_by: null, created_by_user_id: null }
  const user = installation.users.find(({ id }) => id === createdByUserId)
  const created_by = user?.email ?? user?.username ?? user?.name ?? null
  return { created_by, created_by_user_id: users.get(createdByUserId) ?? createdByUserId }
}

function toFeatureRow(flag: SourceFlag, maker: ReturnType<typeof findCreator>) {
  return {
    ...maker,
    name: flag.name,
    project: flag.project,
    type: flag.type,
    description: flag.description,
    stale: Number(flag.stale),
    impression_data: Number(flag.impressionData),
    created_at: flag.createdAt,
    archived_at: flag.archivedAt,
    last_seen_at: flag.lastSeenAt,
    potentially_stale: Number(flag.potentiallyStale),
  }
}

/**
 * Returns the flags to write. Omits flags whose project is missing. A flag whose parent is missing or archived was off
 * for everyone in the source, so the import turns it off.
 */
async function flagsToWrite(writing: ImportContext): Promise<{ flags: SourceFlag[]; orphans: ReadonlySet<string> }> {
  const { installation, tally } = writing
  const there = await readNames(writing, 'features', 'name')
  const projects = await readNames(writing, 'projects', 'id')
  const placed = installation.flags.filter(({ project }) => projects.has(project))
  tally.count('flag', installation.flags.length - placed.length, 0)
  for (const { name, project } of installation.flags) {
    if (!projects.has(project)) tally.addNote('flag', name, 'not carried', `there is no project "${project}"`)
  }
  const flags = await listMissing(writing, 'flag', placed, ({ name }) => name, { there })
  const known = new Set([...there, ...flags.map(({ name }) => name)])
  const archived = new Set([...(await archivedFlags(writing)), ...flags.filter(isArchived).map(({ name }) => name)])
  const orphans = flags.filter((flag) =>
    flag.dependencies.some(({ parent }) => !known.has(parent) || (archived.has(parent) && !isArchived(flag))),
  )
  for (const { name, dependencies } of orphans) {
    const what = dependencies.every(({ parent }) => known.has(parent)) ? 'archived' : 'missing'
    tally.addNote('flag', name, 'approximated', `its parent is ${what}, so no one got it: it is off here`)
  }
  return { flags, orphans: new Set(orphans.map(({ name }) => name)) }
}

const isArchived = ({ archivedAt }: SourceFlag) => archivedAt !== null

async function archivedFlags({ tx }: ImportContext): Promise<string[]> {
  const rows = await tx.selectFrom('features').select('name').where('archived_at', 'is not', null).execute()
  return rows.map(({ name }) => name)
}

function isOn({ enabled, strategies }: SourceState, writing: ImportContext): boolean {
  return enabled && strategies.some((one) => !one.disabled && hasAllSegments(one, writing))
}

/** Returns false for a strategy that refers to an unknown segment, because such a strategy matches no one. */
function hasAllSegments({ segments: own }: SourceStrategy, { segments }: ImportContext): boolean {
  return own.every((id) => segments.has(id))
}

function toStageRows(feature_name: string, stages: SourceFlag['stages']) {
  // a flag can enter a lifecycle stage repeatedly; the first time counts
  const first = new Map(stages.toReversed().map(({ stage, enteredAt }) => [stage, enteredAt]))
  return [...first]
    .filter(([stage]) => STAGES.includes(stage))
    .map(([stage, entered_at]) => ({
      feature_name,
      stage: stage as 'pre-live' | 'live' | 'completed',
      entered_at,
      status: stage === 'completed' ? 'kept' : null,
      status_value: null,
    }))
}

type FlagEnvironment = { readonly flag: SourceFlag; readonly state: SourceState }

async function writeStrategies(writing: ImportContext, places: readonly FlagEnvironment[]): Promise<void> {
  const { tx, moment, segments, tally } = writing
  const taken = new Set<string>()
  const made = places.flatMap(({ flag, state }) =>
    state.strategies.map((strategy, index) => {
      const id = strategy.id === undefined || taken.has(strategy.id) ? moment.newId() : strategy.id
      taken.add(id)
      const isWhole = hasAllSegments(strategy, writing)
      if (!isWhole) {
        const words =
          'one of its strategies names a segment that does not exist, so no one matched it: the strategy is disabled here'
        tally.addNote('flag', `${flag.name} in ${state.environment}`, 'approximated', words)
      }
      const row = {
        id,
        feature_name: flag.name,
        environment: state.environment,
        name: strategy.name,
        title: strategy.title,
        disabled: Number(strategy.disabled || !isWhole),
        sort_order: index,
        parameters: JSON.stringify(strategy.parameters),
        constraints: JSON.stringify(strategy.constraints),
        variants: JSON.stringify(strategy.variants),
        created_at: strategy.createdAt,
      }
      return { row, segments: new Set(strategy.segments.flatMap((one) => segments.get(one) ?? [])) }
    }),
  )
  await insertAll(
    tx,
    'feature_strategies',
    made.map(({ row }) => row),
  )
  await insertAll(
    tx,
    'feature_strategy_segments',
    made.flatMap(({ row, segments: ids }) => [...ids].map((segment_id) => ({ strategy_id: row.id, segment_id }))),
  )
}

async function writeDependencies(writing: ImportContext, flags: readonly SourceFlag[]): Promise<void> {
  const { tx, tally } = writing
  const there = await readNames(writing, 'features', 'name')
  const all = flags.flatMap(({ name, dependencies }) => dependencies.map((one) => ({ child: name, ...one })))
  const rows = all.filter(({ parent }) => there.has(parent))
  for (const { child, parent } of all) {
    if (there.has(parent)) continue
    tally.addNote('dependency', `${child} → ${parent}`, 'not carried', 'the parent does not exist')
  }
  tally.count('dependency', all.length, rows.length)
  await insertAll(
    tx,
    'feature_dependencies',
    rows.map((one) => ({
      child: one.child,
      parent: one.parent,
      enabled: Number(one.enabled),
      variants: JSON.stringify(one.variants),
    })),
  )
}

/** Writes tags, even if their values exceed the current length limit. */
async function writeTags({ tx, installation, tally }: ImportContext, flags: readonly SourceFlag[]): Promise<void> {
  const keyOf = ({ type, value }: { type: string; value: string }): string => JSON.stringify([type, value])
  const types = new Set((await tx.selectFrom('tag_types').select('name').execute()).map(({ name }) => name))
  const there = new Set((await tx.selectFrom('tags').select(['type', 'value']).execute()).map(keyOf))
  const all = new Map([...installation.tags, ...flags.flatMap(({ tags }) => tags)].map((one) => [keyOf(one), one]))
  await insertAll(
    tx,
    'tag_types',
    [...new Set([...all.values()].map(({ type }) => type))]
      .filter((name) => !types.has(name))
      .map((name) => ({ name, description: null, icon: null })),
  )
  const missing = [...all].filter(([key]) => !there.has(key)).map(([, { type, value }]) => ({ type, value }))
  await insertAll(tx, 'tags', missing)
  tally.count('tag', all.size)
  await insertAll(
    tx,
    'feature_tags',
    flags.flatMap(({ name, tags }) =>
      [...new Map(tags.map((tag) => [keyOf(tag), tag])).values()].map(({ type, value }) => ({
        feature_name: name,
        type,
        value,
      })),
    ),
  )
}
