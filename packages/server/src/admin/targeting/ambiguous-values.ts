import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import {
  listPayloadDifferences,
  listStrategyDifferences,
  READING_DIFFERENCES,
  type ReadingDifference,
  type ReadVariant,
} from '@burgee/protocol/targeting/reading-differences'
import type { Reader } from '@burgee/storage/database'
import { listDefaultStrategies } from '@burgee/storage/queries/projects/environments'
import type { StoredMilestone } from '@burgee/storage/queries/releases/release-tables'
import { listTemplates } from '@burgee/storage/queries/releases/release-templates'

/** Rows per query. */
const PAGE = 1000

/**
 * Describes stored values that SDKs in different languages interpret differently. Checks segments, default strategies,
 * milestones, strategies and variants, and returns at most `most` sentences. Such values have been stored by earlier
 * versions and imports.
 */
export async function findAmbiguousValues(reader: Reader, most: number): Promise<string[]> {
  const found = [
    ...(await checkSegments(reader)),
    ...(await checkDefaultStrategies(reader)),
    ...(await checkTemplates(reader)),
    ...(await checkPlans(reader)),
  ]
  for await (const sentences of checkStrategyPages(reader)) {
    found.push(...sentences)
    if (found.length >= most) return found.slice(0, most)
  }
  found.push(...(await checkVariants(reader)))
  return found.slice(0, most)
}

async function checkSegments(reader: Reader): Promise<string[]> {
  const rows = await reader.selectFrom('segments').select(['name', 'constraints']).execute()
  return rows.flatMap(({ name, constraints }) =>
    describeDifferences(
      `the segment "${name}"`,
      toConstraints(constraints),
      listStrategyDifferences({ name, ...toConstraintPart(constraints) }),
    ),
  )
}

async function checkDefaultStrategies(reader: Reader): Promise<string[]> {
  return (await listDefaultStrategies(reader)).flatMap(({ project, environment, strategy }) => {
    const place = `the default strategy of project "${project}" in ${environment}`
    const parts = { ...strategy, ...toConstraintPart(strategy.constraints) }
    return describeDifferences(place, parts.constraints, listStrategyDifferences(parts))
  })
}

async function checkTemplates(reader: Reader): Promise<string[]> {
  const rows = await listTemplates(reader)
  return rows.flatMap(({ name, milestones }) => describeMilestones(`the release template "${name}"`, milestones))
}

/** Checks the milestones of release plans. The strategies of active milestones are also strategies of their flags. */
async function checkPlans(reader: Reader): Promise<string[]> {
  const rows = await reader
    .selectFrom('release_plans')
    .select(['feature_name', 'environment', 'milestones', 'active_milestone_id'])
    .orderBy('feature_name')
    .orderBy('environment')
    .execute()
  return rows.flatMap((plan) =>
    describeMilestones(
      `"${plan.feature_name}" in ${plan.environment}`,
      plan.milestones.filter(({ id }) => id !== plan.active_milestone_id),
    ),
  )
}

function describeMilestones(place: string, milestones: readonly StoredMilestone[]): string[] {
  return milestones.flatMap(({ name, strategies }) =>
    strategies.flatMap(({ strategyName, parameters, constraints, variants }) => {
      const parts = {
        name: strategyName,
        parameters,
        variants: readVariants(variants),
        ...toConstraintPart(constraints),
      }
      return describeDifferences(`${place}, milestone "${name}"`, parts.constraints, listStrategyDifferences(parts))
    }),
  )
}

async function* checkStrategyPages(reader: Reader): AsyncGenerator<string[]> {
  let after = ''
  while (true) {
    const rows = await reader
      .selectFrom('feature_strategies')
      .select(['id', 'name', 'feature_name', 'environment', 'parameters', 'constraints', 'variants'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    yield rows.flatMap(({ feature_name, environment, name, parameters, constraints, variants }) => {
      const parts = { name, parameters, variants: readVariants(variants), ...toConstraintPart(constraints) }
      return describeDifferences(
        `"${feature_name}" in ${environment}`,
        parts.constraints,
        listStrategyDifferences(parts),
      )
    })
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

/** Checks the payloads of flag variants; payloads of strategy variants are checked together with their strategies. */
async function checkVariants(reader: Reader): Promise<string[]> {
  const rows = await reader
    .selectFrom('feature_environments')
    .select(['feature_name', 'environment', 'variants'])
    .where('variants', '!=', '[]' as never)
    .orderBy('feature_name')
    .orderBy('environment')
    .execute()
  return rows.flatMap(({ feature_name, environment, variants }) =>
    describeDifferences(`"${feature_name}" in ${environment}`, [], listPayloadDifferences(readVariants(variants))),
  )
}

const readVariants = (variants: unknown) => (variants ?? []) as readonly ReadVariant[]
const toConstraints = (constraints: unknown) => (constraints ?? []) as readonly ConstraintInput[]
const toConstraintPart = (constraints: unknown) => ({ constraints: toConstraints(constraints) })

function describeDifferences(
  place: string,
  constraints: readonly ConstraintInput[],
  differences: readonly ReadingDifference[],
): string[] {
  return differences.map(({ kind, path }) => {
    const [, index] = /^constraints\/(\d+)\//.exec(path) ?? []
    const constraint = index === undefined ? undefined : constraints[Number(index)]
    const part = constraint === undefined ? path : `${constraint.contextName} ${constraint.operator}`
    return `${place}, ${part}: ${READING_DIFFERENCES[kind]}`
  })
}
