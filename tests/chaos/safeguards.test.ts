import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { casesOf } from '../support/cases.ts'
import { report } from './report.ts'
import { runServer, type ServerNode, serverNode } from './server-node.ts'

const ROUNDS = casesOf('rounds of SIGKILL while a safeguard trips', { some: 4, full: 5, long: 20 })
const FEATURES = 'projects/default/features'
/** Events of a trip that takes the plan one step back, in order. */
const TRIP = [
  'safeguard-tripped',
  'release-plan-progressions-paused',
  'release-plan-milestone-started',
  'feature-strategy-add',
  'feature-strategy-remove',
]
const dataDir = mkdtempSync(join(tmpdir(), 'burgee-safeguards-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const start = () => serverNode(runServer({ DATA_DIR: dataDir }))

async function send<T>(node: ServerNode, method: string, path: string, body?: unknown): Promise<T> {
  const reply = await node.admin(method, path, body)
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as T
}

/** Creates a flag whose plan is at its second milestone, with a safeguard that waits for an alert. */
async function prepare(node: ServerNode, flag: string, templateId: string): Promise<void> {
  await send(node, 'POST', FEATURES, { name: flag })
  const environment = `${FEATURES}/${flag}/environments/development`
  interface Plan {
    readonly id: string
    readonly milestones: readonly { readonly id: string }[]
  }
  const { id, milestones } = await send<Plan>(node, 'POST', `${environment}/release-plans`, { templateId })
  await send(node, 'POST', `${environment}/release-plans/${id}/milestones/${milestones[1]?.id}/start`, {})
  await send(node, 'PUT', `${environment}/release-plans/${id}/safeguards`, {
    impactMetric: { source: 'alert', metricName: flag },
    action: { type: 'previousMilestone' },
  })
}

function alarm({ base }: ServerNode, flag: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ rule: flag })
  return fetch(`${base}/api/signal-endpoint/alerts`, { method: 'POST', headers, body }).then(
    ({ status }) => status,
    () => 0,
  )
}

/** Returns the types of the events since the safeguard was set, oldest first. */
async function listEvents(node: ServerNode, flag: string): Promise<string[]> {
  const { events } = await send<{ events: { type: string }[] }>(node, 'GET', `events/${flag}?limit=100`)
  const types = events.map(({ type }) => type).reverse()
  return types.slice(types.indexOf('safeguard-changed') + 1)
}

test(`${ROUNDS} rounds of SIGKILL: a safeguard trips whole or not at all, and once`, { timeout: 180_000 }, async () => {
  let node = await start()
  const step = (rollout: string) => ({
    name: rollout,
    strategies: [{ strategyName: 'flexibleRollout', parameters: { rollout } }],
  })
  const template = await send<{ id: string }>(node, 'POST', 'release-plan-templates', {
    name: 'Two steps',
    milestones: [step('25'), step('100')],
  })
  const { token } = await send<{ token: string }>(node, 'POST', 'signal-endpoints', { name: 'alerts' })
  let whole = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const flag = `round-${round}`
    await prepare(node, flag, template.id)
    const alarming = alarm(node, flag, token)
    await sleep(Math.random() * 25)
    node.process.kill('SIGKILL')
    await node.process.ended
    const status = await alarming
    node = await start()
    const after = await listEvents(node, flag)
    expect([[], TRIP]).toContainEqual(after)
    if (status === 202) expect(after).toEqual(TRIP)
    if (after.length > 0) whole += 1
    for (let again = 0; again < 2; again += 1) expect(await alarm(node, flag, token)).toBe(202)
    expect(await listEvents(node, flag)).toEqual(TRIP)
  }
  node.process.kill('SIGTERM')
  await node.process.ended
  report('P2', 'SIGKILL, safeguards', `${ROUNDS} rounds, ${whole} tripped before the kill, all once`)
})
