import type { Unleash } from 'unleash-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { nodeSdk } from '../support/sdks.ts'
import { until } from '../support/wait.ts'
import { IS_LONG, report } from './report.ts'
import { runServer, type ServerNode, serverNode, TOKENS } from './server-node.ts'

/** P4: a change reaches every node, and every polling SDK within one polling interval. */
const FLIPS = IS_LONG ? 200 : 12
const NODES = 3
const INTERVAL_MS = 1000
const NODE_LIMIT_MS = 1000
const FLAG = 'projects/default/features/flipped'

let database: FreshDatabase
let nodes: readonly ServerNode[] = []
let sdks: readonly Unleash[] = []
beforeAll(async () => {
  database = await freshDatabase()
  const env = { DATABASE_URL: database.url, KEEP_DOCUMENTS: 'false' }
  nodes = await Promise.all(Array.from({ length: NODES }, () => serverNode(runServer(env))))
  await nodes[0]?.makeOn('flipped')
  sdks = nodes.map(({ base }) =>
    nodeSdk({ url: `${base}/api/`, refreshInterval: INTERVAL_MS, customHeaders: { Authorization: TOKENS.client } }),
  )
  for (const sdk of sdks) sdk.on('error', () => {})
  await until(() => sdks.every((sdk) => sdk.isEnabled('flipped')))
})
afterAll(async () => {
  for (const sdk of sdks) sdk.destroy()
  for (const { process } of nodes) {
    process.kill('SIGKILL')
    await process.ended
  }
  await database.remove()
})

test(`${FLIPS} flips through ${NODES} nodes in turn arrive on all of them and in an SDK of each`, async () => {
  const [onNodes, inSdks]: [number[], number[]] = [[], []]
  for (let flip = 0; flip < FLIPS; flip += 1) {
    const isOn = flip % 2 === 1
    const writer = nodes[flip % NODES]
    const reply = await writer?.admin('POST', `${FLAG}/environments/development/${isOn ? 'on' : 'off'}`)
    expect(reply?.status).toBe(200)
    const since = performance.now()
    const arrived = async (is: () => boolean | Promise<boolean>, times: number[]): Promise<void> => {
      await until(is)
      times.push(performance.now() - since)
    }
    await Promise.all([
      ...nodes
        .filter((node) => node !== writer)
        .map((node) => arrived(async () => (await node.download()).on.includes('flipped') === isOn, onNodes)),
      ...sdks.map((sdk) => arrived(() => sdk.isEnabled('flipped') === isOn, inSdks)),
    ])
  }
  expect([onNodes.length, inSdks.length]).toEqual([FLIPS * (NODES - 1), FLIPS * NODES])
  const text = (times: readonly number[]) => `p50 ${at(times, 0.5)} ms, p99 ${at(times, 0.99)} ms`
  report(
    'P4',
    `${FLIPS} flips, ${NODES} nodes`,
    `other nodes ${text(onNodes)}; SDKs (every ${INTERVAL_MS} ms) ${text(inSdks)}`,
  )
  if (IS_LONG) expect(at(onNodes, 0.99)).toBeLessThan(NODE_LIMIT_MS)
}, 600_000)

function at(times: readonly number[], share: number): number {
  return Math.round(times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? 0)
}
