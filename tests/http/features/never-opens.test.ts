import { compile } from '@burgee/engine'
import { createCombinations } from '@burgee/server/admin/playground/playground-contexts'
import { readEnvironment } from '@burgee/storage/document-flags'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ENVIRONMENTS, KINDS, type Place, type Step, stepsOf, take, type Walk } from '../access/administration-walk.ts'
import { beginWalk } from '../access/walk-start.ts'
import { type Guest, openGuest } from '../guest.ts'
import { resultOf, within } from '../playground/playground-result.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { walksOf } from '../walks.ts'

/**
 * Random walks through the admin API. Only operations that are meant to enable a flag may enable it for anyone:
 * enabling the flag, adding, enabling or replacing a strategy, and removing segments or a parent. BURGEE_FUZZ_RUNS sets
 * the number of walks, and BURGEE_FUZZ_SEED the seed.
 */
const { runs: RUNS, seed: SEED } = walksOf('walks that may open a flag', { some: 40, full: 40 }, 20260101)
const TIMEOUT = RUNS * 3000 + 60_000
/** Explanations are compared only after one in this many steps. */
const SHARE = 4
const USERS = ['1', '2', '3', '4', '5', '6']
const TOKENS = { development: '*:development.walk', production: '*:production.walk' }

let server: TestServer
let walks = 0
const done = new Map(KINDS.map((kind) => [kind, 0]))
const counts = { steps: 0, opened: 0, closed: 0 }

let database: Guest

beforeAll(async () => {
  server = await startServer({ initClientApiTokens: Object.values(TOKENS) })
  database = await openGuest(server.databaseOptions)
})
afterAll(async () => {
  await database.close()
  await server.close()
})

/** Checks that the incrementally updated document equals a full read. */
async function expectCurrent(step: string): Promise<void> {
  for (const environment of ENVIRONMENTS) {
    const read = await readEnvironment(database.reader, environment)
    const { document } = await server.server.features({ environment, projects: ['*'] })
    expect(document.features, step).toEqual(read.flags.map(({ feature }) => feature))
  }
}

/** Checks that the playground's in-memory explanations equal the explanations after a full read. */
async function expectExplained(step: string, { projects }: Walk): Promise<void> {
  const context = { appName: 'walk', userId: '2' }
  const environments = [...ENVIRONMENTS]
  const call = 'POST /api/admin/playground/advanced'
  const { features } = (await server.call({ as: 'admin', call, body: { environments, projects, context } })).json()
  const [contextOf] = createCombinations(context, true).make()
  if (contextOf === undefined) throw new Error('There is no context')
  for (const environment of environments) {
    const read = await readEnvironment(database.reader, environment, 'explain')
    const document = { features: read.flags.map(({ feature }) => feature), segments: read.segments }
    const { engine } = compile(document, { caches: false })
    for (const { name, projectId: project, environments: results } of features) {
      const truth = resultOf({ name, project }, environment, engine, within(environment, contextOf), '')
      expect(results[environment], `${step}, ${name}`).toEqual([JSON.parse(JSON.stringify(truth))])
    }
  }
}

const nameOf = ({ flag, environment }: Place, user: string) => `${flag} in ${environment} for user ${user}`

/** Evaluates with the engine the flags that SDKs get, and returns for each flag the users for whom it is on. */
async function decisions({ flags }: Walk): Promise<Set<string>> {
  const on = new Set<string>()
  for (const environment of ENVIRONMENTS) {
    const call = `GET /api/client/features?namePrefix=${flags[0]?.slice(0, -1)}`
    const headers = { 'unleash-client-spec': '5.1.0' }
    const document = (await server.call({ as: TOKENS[environment], call, headers })).json()
    const { engine } = compile(document)
    for (const flag of flags) {
      for (const user of USERS) {
        if (engine.evaluate(flag, { userId: user }).enabled) on.add(nameOf({ flag, environment }, user))
      }
    }
  }
  return on
}

async function walk(steps: readonly Step[]): Promise<void> {
  walks += 1
  const own = await beginWalk(server, walks)
  let before = await decisions(own)
  for (const [index, step] of steps.entries()) {
    const { opens, isDone } = await take(own, step)
    await expectCurrent(`step ${index}, ${step.kind}`)
    if (index % SHARE === 0) await expectExplained(`step ${index}, ${step.kind}`, own)
    const after = await decisions(own)
    const said = new Set(opens.flatMap((place) => USERS.map((user) => nameOf(place, user))))
    const opened = [...after].filter((one) => !before.has(one))
    const silently = opened.filter((one) => !said.has(one))
    expect(silently, `step ${index}, ${step.kind}: turned on without saying so`).toEqual([])
    counts.steps += 1
    counts.opened += opened.length
    counts.closed += [...before].filter((one) => !after.has(one)).length
    if (isDone) done.set(step.kind, (done.get(step.kind) ?? 0) + 1)
    before = after
  }
}

test(
  `no flag opens unless a change opens it, in ${RUNS} walks, seed ${SEED}`,
  async () => {
    await fc.assert(fc.asyncProperty(stepsOf, walk), { seed: SEED, numRuns: RUNS })
    process.stdout.write(`walks: ${JSON.stringify(counts)}\n`)
  },
  TIMEOUT,
)

// fewer walks, as on PostgreSQL, need not include every kind
test.runIf(RUNS >= 40)('the random walks include every kind of operation', () => {
  expect([...done].filter(([, times]) => times === 0)).toEqual([])
  expect(counts.opened).toBeGreaterThan(counts.steps / 10)
  expect(counts.closed).toBeGreaterThan(counts.steps / 10)
})
