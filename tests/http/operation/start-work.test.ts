import { randomBytes } from 'node:crypto'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { createServer } from '@burgee/server'
import { openDatabase } from '@burgee/server/boot/open-database'
import type { Database } from '@burgee/storage/database'
import { insertToken } from '@burgee/storage/queries/access/tokens'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { featureName, seedInstance } from '../../../bench/seed.ts'
import { CHEAP } from '../../support/password-cost.ts'
import { emptyPlace } from '../../support/place.ts'
import { optionsOf } from '../scenario.ts'

interface Size {
  readonly features: number
  readonly environments: number
}

/** Work that a start on an existing database does. */
interface StartWork {
  readonly statements: readonly string[]
  /** Flags that were written as JSON. */
  readonly writtenFlags: number
  /** Number of strings that were parsed as JSON. */
  readonly parsedTexts: number
}

const FLAGS = 60
const START_LIMIT_MS = 120_000
const FEW_ENVIRONMENTS = 2
const MANY_ENVIRONMENTS = 100
/** Statements that read a part of the flags: states, strategies, their segments, parents and tags. */
const STATEMENTS_PER_PART = 5
/** On or off, with or without variants. */
const STATES_PER_FLAG = 4
/** Environments and variants of each state of a flag. Fewer than there are environments. */
const TEXTS_PER_FLAG = 2 * STATES_PER_FLAG
/** Parameters, constraints and variants. */
const TEXTS_PER_STRATEGY = 3
/** Statements of background work, which may or may not begin before the start has ended. */
const BACKGROUND = 5

/** Every fifth flag has one strategy, in the first environment, as in an installation with many environments. */
const STRATEGY_DISTANCE = 5

async function seed(db: Database, { features, environments }: Size): Promise<void> {
  await seedInstance(db, { features, environments, strategies: 0, seed: 1 })
  await db.write(async (tx) => {
    const names = (await tx.selectFrom('environments').select('name').orderBy('sort_order').execute()).map(
      ({ name }) => name,
    )
    for (const environment of names) await insertToken(tx, createUsedToken(environment))
    for (let index = 0; index < features; index += STRATEGY_DISTANCE) {
      const [environment = ''] = names
      await tx
        .insertInto('feature_strategies')
        .values(createStrategy(featureName(index), environment))
        .execute()
    }
  })
}

const createUsedToken = (environment: string) => ({
  id: environment,
  hash: environment,
  masked: '',
  name: environment,
  type: 'client' as const,
  environment,
  projects: ['*'],
  expires_at: null,
  created_at: 0,
  seen_at: Date.now(),
})

const createStrategy = (feature: string, environment: string) => ({
  id: feature,
  feature_name: feature,
  environment,
  name: 'default',
  title: null,
  disabled: 0,
  sort_order: 0,
  parameters: '{}',
  constraints: '[]',
  variants: '[]',
  created_at: 0,
})

const isFlag = (value: unknown) => typeof value === 'object' && value !== null && 'impressionData' in value

/**
 * Starts a server twice on a database of this size, and returns the work that the second start does until the server
 * listens.
 */
async function measureStart(size: Size): Promise<StartWork> {
  const place = await emptyPlace()
  const options = optionsOf({ ...place.options, port: 0, host: '127.0.0.1', defaultAdminPassword: 'a good password' })
  const db = await openDatabase(options, { clock: Date.now })
  await seed(db, size)
  await db.close()
  const statements: string[] = []
  const start = async () => {
    const server = await createServer({
      options,
      clock: Date.now,
      monotonic: PROCESS_CLOCK,
      random: randomBytes,
      logger: SILENT,
      passwordCost: CHEAP,
      onQuery: (text) => void statements.push(text),
    })
    await server.listen()
    return server
  }
  await (await start()).close()
  statements.length = 0
  const writes = vi.spyOn(JSON, 'stringify')
  const reads = vi.spyOn(JSON, 'parse')
  const server = await start()
  const work = {
    statements: [...statements],
    writtenFlags: writes.mock.calls.filter(([value]) => isFlag(value)).length,
    parsedTexts: reads.mock.calls.length,
  }
  writes.mockRestore()
  reads.mockRestore()
  await server.close()
  await place.remove()
  return work
}

describe('a start on an existing database with 100 environments', { timeout: START_LIMIT_MS }, () => {
  let small: StartWork
  let wide: StartWork
  let large: StartWork
  beforeAll(async () => {
    small = await measureStart({ features: FLAGS, environments: FEW_ENVIRONMENTS })
    wide = await measureStart({ features: FLAGS, environments: MANY_ENVIRONMENTS })
    large = await measureStart({ features: 5 * FLAGS, environments: MANY_ENVIRONMENTS })
  }, START_LIMIT_MS)

  test('creates no table and changes no flag', () => {
    const changes = /^(?:create|alter|drop|insert|update|delete)\b.*(?:table|index|feature)/i
    expect(large.statements.filter((text) => changes.test(text)).map((text) => text.slice(0, 80))).toEqual([])
  })

  test('reads all environments in one pass, with one more statement for each', () => {
    const parts = (flags: number) => Math.ceil(flags / 20)
    const passes = STATEMENTS_PER_PART * (parts(FLAGS) - 1)
    expect(wide.statements.length - small.statements.length).toBeLessThanOrEqual(
      MANY_ENVIRONMENTS - FEW_ENVIRONMENTS + passes + BACKGROUND,
    )
    const more = STATEMENTS_PER_PART * (parts(5 * FLAGS) - parts(FLAGS))
    expect(large.statements.length - wide.statements.length).toBeLessThanOrEqual(more + BACKGROUND)
  })

  test('writes a flag once for all environments in which it is equal', () => {
    const bound = (flags: number) => flags * STATES_PER_FLAG + flags / STRATEGY_DISTANCE
    expect(wide.writtenFlags).toBeGreaterThanOrEqual(FLAGS)
    expect(wide.writtenFlags).toBeLessThanOrEqual(bound(FLAGS))
    expect(large.writtenFlags).toBeLessThanOrEqual(bound(5 * FLAGS))
  })

  test('parses no JSON for each flag and environment', () => {
    const flags = 4 * FLAGS
    const strategies = flags / STRATEGY_DISTANCE
    expect(large.parsedTexts - wide.parsedTexts).toBeLessThanOrEqual(
      flags * TEXTS_PER_FLAG + strategies * TEXTS_PER_STRATEGY,
    )
  })
})
