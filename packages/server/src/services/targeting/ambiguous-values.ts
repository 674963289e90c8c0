import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import {
  payloadDifferences,
  READING_DIFFERENCES,
  type ReadingDifference,
  type ReadVariant,
  strategyDifferences,
} from '@burgee/protocol/targeting/reading-differences'
import type { Reader } from '../../store/database.ts'
import { defaultStrategies } from '../../store/projects/environments.ts'

/** Rows per query. */
const PAGE = 1000

/**
 * Describes stored values that SDKs in different languages interpret differently. Checks segments, default strategies,
 * strategies and variants, and returns up to `most` sentences. Earlier versions and imports stored such values.
 */
export async function findAmbiguousValues(reader: Reader, most: number): Promise<string[]> {
  const found = [...(await ofSegments(reader)), ...(await ofDefaults(reader))]
  for await (const sentences of pagesOfStrategies(reader)) {
    found.push(...sentences)
    if (found.length >= most) return found.slice(0, most)
  }
  found.push(...(await ofVariants(reader)))
  return found.slice(0, most)
}

async function ofSegments(reader: Reader): Promise<string[]> {
  const rows = await reader.selectFrom('segments').select(['name', 'constraints']).execute()
  return rows.flatMap(({ name, constraints }) =>
    sentencesOf(
      `the segment "${name}"`,
      toConstraints(constraints),
      strategyDifferences({ name, ...toConstraintPart(constraints) }),
    ),
  )
}

async function ofDefaults(reader: Reader): Promise<string[]> {
  return (await defaultStrategies(reader)).flatMap(({ project, environment, strategy }) => {
    const place = `the default strategy of project "${project}" in ${environment}`
    const parts = { ...strategy, ...toConstraintPart(strategy.constraints) }
    return sentencesOf(place, parts.constraints, strategyDifferences(parts))
  })
}

async function* pagesOfStrategies(reader: Reader): AsyncGenerator<string[]> {
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
      return sentencesOf(`"${feature_name}" in ${environment}`, parts.constraints, strategyDifferences(parts))
    })
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

/** Checks payloads of flag variants; payloads of strategy variants are checked together with the strategies. */
async function ofVariants(reader: Reader): Promise<string[]> {
  const rows = await reader
    .selectFrom('feature_environments')
    .select(['feature_name', 'environment', 'variants'])
    .where('variants', '!=', '[]' as never)
    .orderBy('feature_name')
    .orderBy('environment')
    .execute()
  return rows.flatMap(({ feature_name, environment, variants }) =>
    sentencesOf(`"${feature_name}" in ${environment}`, [], payloadDifferences(readVariants(variants))),
  )
}

const readVariants = (variants: unknown) => (variants ?? []) as readonly ReadVariant[]
const toConstraints = (constraints: unknown) => (constraints ?? []) as readonly ConstraintInput[]
const toConstraintPart = (constraints: unknown) => ({ constraints: toConstraints(constraints) })

function sentencesOf(
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
