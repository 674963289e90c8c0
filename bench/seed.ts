import { createHash } from 'node:crypto'
import { createRandom, type Random } from '@burgee/kit/seeded-random'
import type { Constraint, VariantDefinition } from '@burgee/protocol/feature'
import type { Database, Tx } from '@burgee/storage/database'

/** Size of an instance. */
export interface InstanceSize {
  readonly features: number
  /** Number of environments, at least the two built-in ones. */
  readonly environments: number
  /** Number of strategies of each flag in each environment. */
  readonly strategies: number
  /** Random seed; the same seed gives the same instance. */
  readonly seed: number
  /** Number of projects; with several, `default` has half of the flags. By default, all flags are in `default`. */
  readonly projects?: number
}

/** Size at which lists and searches must still be fast. */
export const LARGE: InstanceSize = { features: 5000, environments: 3, strategies: 2, seed: 1 }

const DEFAULT_PROJECT = 'default'
const TYPES = ['release', 'experiment', 'operational', 'kill-switch', 'permission']
const TAGS = ['checkout', 'search', 'mobile', 'billing', 'internal']
const SEGMENTS = 20
const ROWS_AT_ONCE = 500
const START = Date.UTC(2026, 0, 1)
const MINUTE_MS = 60_000

/** Returns the name of the n-th flag, from 0. */
export const featureName = (index: number): string => `feature-${String(index).padStart(5, '0')}`

/** Returns the id of the n-th project, from 0. */
export const projectName = (index: number): string => (index === 0 ? DEFAULT_PROJECT : `project-${index}`)

/** Returns the project of the n-th flag. */
function getProject(index: number, projects: number): string {
  if (projects === 1 || index % 2 === 0) return DEFAULT_PROJECT
  return projectName(1 + (Math.floor(index / 2) % (projects - 1)))
}

/**
 * Fills an empty database with flags, strategies, segments, tags and one event per flag. The rows depend only on
 * `size`. Writes rows directly, because the server would use a transaction for each change. Uses many transactions,
 * because each holds its statements in memory.
 */
export async function seedInstance(db: Database, size: InstanceSize): Promise<void> {
  const random = createRandom(size.seed)
  const { projects = 1 } = size
  const { environments, segments } = await db.write(async (tx) => {
    const names = await seedEnvironments(tx, size.environments)
    await seedProjects(tx, projects, names)
    const ids = await seedSegments(tx)
    await seedTags(tx)
    return { environments: names, segments: ids }
  })
  for (let from = 0; from < size.features; from += ROWS_AT_ONCE) {
    const count = Math.min(ROWS_AT_ONCE, size.features - from)
    const indexes = Array.from({ length: count }, (_, offset) => from + offset)
    const features = indexes.map((index) => ({ index, project: getProject(index, projects) }))
    await db.write((tx) => seedFeatures(tx, features, environments, random))
    for (const environment of environments) {
      await db.write(async (tx) => {
        for (let order = 0; order < size.strategies; order += 1) {
          await seedStrategies(tx, indexes, { environment, order, segments }, random)
        }
      })
    }
  }
}

async function seedEnvironments(tx: Tx, count: number): Promise<string[]> {
  const known = await tx.selectFrom('environments').select('name').orderBy('sort_order').execute()
  const names = known.map((row) => row.name)
  while (names.length < count) {
    const name = `stage-${names.length - known.length + 1}`
    const row = { name, type: 'preproduction', sort_order: 1000 + names.length, enabled: 1, protected: 0 }
    await tx.insertInto('environments').values(row).execute()
    await tx.insertInto('project_environments').values({ project: DEFAULT_PROJECT, environment: name }).execute()
    names.push(name)
  }
  return names
}

async function seedProjects(tx: Tx, count: number, environments: readonly string[]): Promise<void> {
  const ids = Array.from({ length: count - 1 }, (_, index) => projectName(index + 1))
  if (ids.length === 0) return
  const common = { description: null, mode: 'open', default_stickiness: 'default', created_at: START }
  await tx
    .insertInto('projects')
    .values(ids.map((id) => ({ ...common, id, name: id })))
    .execute()
  const links = ids.flatMap((project) => environments.map((environment) => ({ project, environment })))
  await tx.insertInto('project_environments').values(links).execute()
}

async function seedSegments(tx: Tx): Promise<number[]> {
  const rows = Array.from({ length: SEGMENTS }, (_, index) => ({
    name: `segment-${index}`,
    description: null,
    project: null,
    constraints: JSON.stringify([constraintOn('companyId', [`company-${index}`, `company-${index + 1}`])]),
    created_by: 'seed',
    created_at: START,
  }))
  return (await tx.insertInto('segments').values(rows).returning('id').execute()).map((row) => row.id)
}

async function seedTags(tx: Tx): Promise<void> {
  await tx
    .insertInto('tags')
    .values(TAGS.map((value) => ({ type: 'simple', value })))
    .execute()
}

interface NewFeature {
  readonly index: number
  readonly project: string
}

async function seedFeatures(tx: Tx, features: NewFeature[], environments: string[], random: Random): Promise<void> {
  const rows = features.map(({ index, project }) => ({
    name: featureName(index),
    project,
    type: chooseRandom(TYPES, random),
    description: `What feature ${index} is for`,
    stale: bit(random, 0.05),
    impression_data: bit(random, 0.1),
    created_at: START + index * MINUTE_MS,
    archived_at: null,
    last_seen_at: null,
  }))
  await tx.insertInto('features').values(rows).execute()
  await tx
    .insertInto('feature_tags')
    .values(rows.map(({ name }) => ({ feature_name: name, type: 'simple', value: chooseRandom(TAGS, random) })))
    .execute()
  await tx
    .insertInto('events')
    .values(rows.map((row) => createEvent(row.name, row.project, row.created_at)))
    .execute()
  for (const environment of environments) {
    const state = ({ name }: { name: string }) => ({
      feature_name: name,
      environment,
      enabled: bit(random, 0.6),
      variants: JSON.stringify(random() < 0.1 ? twoVariants() : []),
      last_seen_at: null,
    })
    await tx.insertInto('feature_environments').values(rows.map(state)).execute()
  }
}

interface Slot {
  readonly environment: string
  readonly order: number
  readonly segments: readonly number[]
}

async function seedStrategies(tx: Tx, indexes: number[], slot: Slot, random: Random): Promise<void> {
  const rows = indexes.map((index) => {
    const name = featureName(index)
    const rollout = String(Math.floor(random() * 101))
    const users = Array.from({ length: 5 }, () => `user-${Math.floor(random() * 10_000)}`)
    return {
      id: toUuid(`${name} ${slot.environment} ${slot.order}`),
      feature_name: name,
      environment: slot.environment,
      name: 'flexibleRollout',
      title: null,
      disabled: bit(random, 0.1),
      parameters: JSON.stringify({ rollout, stickiness: 'default', groupId: name }),
      constraints: JSON.stringify(random() < 0.5 ? [constraintOn('userId', users)] : []),
      variants: '[]',
      sort_order: slot.order,
      created_at: START + index * MINUTE_MS,
    }
  })
  await tx.insertInto('feature_strategies').values(rows).execute()
  const links = rows
    .filter(() => random() < 0.2)
    .map(({ id }) => ({ strategy_id: id, segment_id: chooseRandom(slot.segments, random) }))
  if (links.length > 0) await tx.insertInto('feature_strategy_segments').values(links).execute()
}

function createEvent(name: string, project: string, at: number) {
  const data = JSON.stringify({ name, project })
  const place = { project, environment: null, feature_name: name, reach: '', address: null }
  const who = { created_by: 'seed', created_by_user_id: -1337, created_at: at }
  return { type: 'feature-created', ...who, ...place, data, pre_data: 'null', tags: '[]' }
}

function constraintOn(contextName: string, values: string[]): Constraint {
  return { contextName, operator: 'IN', values, inverted: false, caseInsensitive: false }
}

function twoVariants(): VariantDefinition[] {
  return ['a', 'b'].map((name) => ({ name, weight: 500, weightType: 'variable', stickiness: 'default' }))
}

function chooseRandom<T>(from: readonly T[], random: Random): T {
  const found = from[Math.floor(random() * from.length)]
  if (found === undefined) throw new RangeError('There is nothing to pick from')
  return found
}

const bit = (random: Random, share: number): number => Number(random() < share)

/** Derives a UUID from a text. */
function toUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}
