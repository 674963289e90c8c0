import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { BurgeeProcess } from '../support/burgee.ts'
import { casesOf } from '../support/cases.ts'
import { report } from './report.ts'
import { runServer, type ServerNode, serverNode } from './server-node.ts'

/** Number of rounds, each of which interrupts an import and a clone. */
const ROUNDS = casesOf('rounds of SIGKILL in imports and clones of environments', { some: 2, full: 4, long: 10 })
const FLAGS = 100
const dataDir = mkdtempSync(join(tmpdir(), 'burgee-imports-'))
let running: BurgeeProcess | undefined
afterAll(async () => {
  running?.kill('SIGKILL')
  await running?.ended
  rmSync(dataDir, { recursive: true, force: true })
})

function start(): Promise<ServerNode> {
  running = runServer({ DATA_DIR: dataDir })
  return serverNode(running)
}
const namesOf = (round: number) => Array.from({ length: FLAGS }, (_, index) => `r${round}-${index}`)

/** Returns the import of a round: a whole installation with a new project, or flags for the existing project. */
function importOf(round: number): readonly [path: string, body: object] {
  const parameters = { rollout: '50' }
  if (round % 2 === 0) {
    const project = `p${round}`
    const features = namesOf(round).map((name) => ({ name, project }))
    const environment = 'development'
    const featureStrategies = namesOf(round).map((featureName) => {
      return { featureName, environment, strategyName: 'flexibleRollout', parameters }
    })
    const featureEnvironments = namesOf(round).map((featureName) => ({ featureName, environment, enabled: true }))
    const parts = { features, featureStrategies, featureEnvironments, projects: [{ id: project, name: project }] }
    return ['state/import', { version: 4, ...parts }]
  }
  return ['features-batch/import', { project: 'default', environment: 'development', data: flagsOf(round) }]
}

function flagsOf(round: number) {
  const features = namesOf(round).map((name) => ({ name }))
  const strategy = { name: 'flexibleRollout', parameters: { rollout: '50' } }
  return {
    features,
    featureStrategies: namesOf(round).map((featureName) => ({ featureName, ...strategy })),
    tagTypes: [],
  }
}

const cloneOf = (round: number) =>
  ['environments/production/clone', { name: `clone-${round}-`, type: 'test', cloneEnabled: true }] as const

/** Returns the number of flags from a round, and whether any event refers to them. */
async function foundOf(node: ServerNode, round: number) {
  const ofRound = (name: unknown) => String(name).startsWith(`r${round}-`)
  const { features } = (await (await node.admin('GET', 'features')).json()) as { features: { name: string }[] }
  return {
    flags: features.filter(({ name }) => ofRound(name)).length,
    hasEvents: await hasEventsOf(node, `r${round}-`),
  }
}

/** Returns whether the clone of a round exists, how many strategies it has, and whether events refer to it. */
async function cloneFound(node: ServerNode, round: number) {
  const environment = `clone-${round}-`
  const { ok: isThere } = await node.admin('GET', `environments/${environment}`)
  const exported = await node.admin('POST', 'features-batch/export', { environment, features: [] })
  const { featureStrategies = [] } = (await exported.json()) as { featureStrategies?: object[] }
  return { isThere, strategies: featureStrategies.length, hasEvents: await hasEventsOf(node, environment) }
}

async function hasEventsOf(node: ServerNode, query: string): Promise<boolean> {
  const search = await node.admin('POST', 'events/search', { query, limit: 1 })
  const { totalEvents = 0 } = (await search.json()) as { totalEvents?: number }
  return totalEvents > 0
}

/** Returns for each request whether it was eventually acknowledged. */
function acknowledged(node: ServerNode, requests: readonly (readonly [path: string, body: object])[]) {
  return Promise.all(
    requests.map((request) =>
      node.admin('POST', ...request).then(
        ({ ok }) => ok,
        () => false,
      ),
    ),
  )
}

test(`${ROUNDS} rounds of SIGKILL: imports and clones of environments are there whole, with their events, or not at all`, {
  timeout: 240_000,
}, async () => {
  let node = await start()
  const first = { project: 'default', environment: 'production', data: flagsOf(-1) }
  expect((await node.admin('POST', 'features-batch/import', first)).ok).toBe(true)
  // measures how long an import and a clone take, so that later imports and clones are interrupted midway
  const begunMs = performance.now()
  expect(await acknowledged(node, [importOf(0), cloneOf(0)])).toEqual([true, true])
  const wholeMs = performance.now() - begunMs
  const outcomes = { none: 0, whole: 0 }
  for (let round = 1; round <= ROUNDS; round += 1) {
    // the writer processes the requests in order of arrival
    const isImportFirst = round % 4 < 2
    const both = isImportFirst ? [importOf(round), cloneOf(round)] : [cloneOf(round), importOf(round)]
    const asked = acknowledged(node, both)
    await sleep((wholeMs * (round + Math.random())) / (ROUNDS + 1))
    node.process.kill('SIGKILL')
    await node.process.ended
    const [isImported, isCloned] = isImportFirst ? await asked : (await asked).toReversed()
    node = await start()
    const { flags, hasEvents } = await foundOf(node, round)
    const { isThere, ...clone } = await cloneFound(node, round)
    expect([0, FLAGS], `flags of round ${round}`).toContain(flags)
    expect([round, hasEvents]).toEqual([round, flags > 0])
    expect([round, clone]).toEqual([round, { strategies: isThere ? FLAGS : 0, hasEvents: isThere }])
    const found = [flags > 0, isThere]
    if (isImported) expect([round, found[0]]).toEqual([round, true])
    if (isCloned) expect([round, found[1]]).toEqual([round, true])
    for (const isWhole of found) outcomes[isWhole ? 'whole' : 'none'] += 1
  }
  expect([(await foundOf(node, 0)).flags, (await cloneFound(node, 0)).strategies]).toEqual([FLAGS, FLAGS])
  node.process.kill('SIGTERM')
  await node.process.ended
  report(
    'P2',
    'SIGKILL, imports and clones of environments',
    `${ROUNDS} rounds, ${outcomes.whole} whole, ${outcomes.none} not there, none in part`,
  )
})
