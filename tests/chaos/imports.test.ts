import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { casesOf } from '../support/cases.ts'
import { report } from './report.ts'
import { runServer, type ServerNode, serverNode } from './server-node.ts'

const ROUNDS = casesOf('rounds of SIGKILL in imports', { some: 2, full: 30 })
const FLAGS = 150
const dataDir = mkdtempSync(join(tmpdir(), 'burgee-imports-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const start = () => serverNode(runServer({ DATA_DIR: dataDir }))
const namesOf = (round: number) => Array.from({ length: FLAGS }, (_, index) => `r${round}-${index}`)

/** An import of a round: of a whole installation with a project of its own, or of flags into the one that is there. */
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
  const features = namesOf(round).map((name) => ({ name }))
  const featureStrategies = namesOf(round).map((featureName) => ({ featureName, name: 'flexibleRollout', parameters }))
  const data = { features, featureStrategies, tagTypes: [] }
  return ['features-batch/import', { project: 'default', environment: 'development', data }]
}

/** How many flags of a round there are, and whether events name any. */
async function foundOf(node: ServerNode, round: number) {
  const ofRound = (name: unknown) => String(name).startsWith(`r${round}-`)
  const { features } = (await (await node.admin('GET', 'features')).json()) as { features: { name: string }[] }
  const search = await node.admin('POST', 'events/search', { query: `r${round}-`, limit: 1 })
  const { totalEvents = 0 } = (await search.json()) as { totalEvents?: number }
  return { flags: features.filter(({ name }) => ofRound(name)).length, hasEvents: totalEvents > 0 }
}

test(`${ROUNDS} rounds of SIGKILL: an import is there whole, with its events, or not at all`, {
  timeout: 240_000,
}, async () => {
  let node = await start()
  // how long one takes, so that the next ones are cut in the middle
  const begunMs = performance.now()
  expect((await node.admin('POST', ...importOf(0))).ok).toBe(true)
  const wholeMs = performance.now() - begunMs
  const outcomes = { none: 0, whole: 0 }
  for (let round = 1; round <= ROUNDS; round += 1) {
    const asked = node.admin('POST', ...importOf(round)).then(
      ({ ok }) => ok,
      () => false,
    )
    await sleep((wholeMs * (round + Math.random())) / (ROUNDS + 1))
    node.process.kill('SIGKILL')
    await node.process.ended
    const isAcknowledged = await asked
    node = await start()
    const { flags, hasEvents } = await foundOf(node, round)
    expect([0, FLAGS], `flags of round ${round}`).toContain(flags)
    expect([round, hasEvents]).toEqual([round, flags > 0])
    if (isAcknowledged) expect([round, flags]).toEqual([round, FLAGS])
    outcomes[flags === 0 ? 'none' : 'whole'] += 1
  }
  expect((await foundOf(node, 0)).flags).toBe(FLAGS)
  node.process.kill('SIGTERM')
  await node.process.ended
  report(
    'P2',
    'SIGKILL, imports',
    `${ROUNDS} rounds, ${outcomes.whole} whole, ${outcomes.none} not there, none in part`,
  )
})
