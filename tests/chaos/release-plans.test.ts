import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { casesOf } from '../support/cases.ts'
import { until } from '../support/wait.ts'
import { report } from './report.ts'
import { runServer, type ServerNode, serverNode } from './server-node.ts'

const ROUNDS = casesOf('rounds of SIGKILL while a milestone starts', { some: 4, full: 5, long: 20 })
const FEATURES = 'projects/default/features'
const STEP = ['release-plan-milestone-started', 'feature-strategy-add', 'feature-strategy-remove']
const dataDir = mkdtempSync(join(tmpdir(), 'burgee-plans-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const run = () => runServer({ DATA_DIR: dataDir })

async function send<T>(node: ServerNode, method: string, path: string, body?: unknown): Promise<T> {
  const reply = await node.admin(method, path, body)
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as T
}

/** Makes the next milestone of a plan due, as if its interval had passed while no server ran. */
function makeDue(flag: string): void {
  const database = new DatabaseSync(join(dataDir, 'burgee.sqlite'))
  database.prepare('update release_plans set due_at = 1 where feature_name = ?').run(flag)
  database.close()
}

/** Returns the types of the events since the flag was turned on, oldest first. */
async function listEvents(node: ServerNode, flag: string): Promise<string[]> {
  const { events } = await send<{ events: { type: string }[] }>(node, 'GET', `events/${flag}?limit=100`)
  const types = events.map(({ type }) => type).reverse()
  return types.slice(types.indexOf('feature-environment-enabled') + 1)
}

test(`${ROUNDS} rounds of SIGKILL: a due milestone starts whole, and once`, { timeout: 240_000 }, async () => {
  let node = await serverNode(run())
  const step = (rollout: string, intervalMinutes: number) => ({
    name: rollout,
    transitionCondition: { intervalMinutes },
    strategies: [{ strategyName: 'flexibleRollout', parameters: { rollout } }],
  })
  const template = await send<{ id: string }>(node, 'POST', 'release-plan-templates', {
    name: 'Three steps',
    milestones: [step('25', 60), step('50', 60), step('100', 60)],
  })
  let early = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const flag = `round-${round}`
    const environment = `${FEATURES}/${flag}/environments/development`
    await send(node, 'POST', FEATURES, { name: flag })
    await send(node, 'POST', `${environment}/release-plans`, { templateId: template.id })
    await node.admin('POST', `${environment}/on`)
    node.process.kill('SIGKILL')
    await node.process.ended
    makeDue(flag)
    const killed = run()
    await killed.find(/listening on port (\d+)/)
    await sleep(Math.random() * 60)
    killed.kill('SIGKILL')
    await killed.ended
    if (isStarted(flag)) early += 1
    node = await serverNode(run())
    await until(async () => (await listEvents(node, flag)).length > 0)
    expect(await listEvents(node, flag)).toEqual(STEP)
    interface Plan {
      readonly activeMilestoneId: string
      readonly milestones: readonly { readonly id: string; readonly name: string }[]
    }
    const [plan] = await send<Plan[]>(node, 'GET', `${environment}/release-plans`)
    expect(plan?.milestones.find(({ id }) => id === plan.activeMilestoneId)?.name).toBe('50')
  }
  node.process.kill('SIGTERM')
  await node.process.ended
  report('P2', 'SIGKILL, milestones', `${ROUNDS} rounds, ${early} started before the kill, all once`)
})

/** Returns true if the milestone has started and its time has been reset. */
function isStarted(flag: string): boolean {
  const database = new DatabaseSync(join(dataDir, 'burgee.sqlite'))
  const row = database.prepare('select due_at from release_plans where feature_name = ?').get(flag)
  database.close()
  return row?.due_at !== 1
}
