import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { until } from '../support/wait.ts'
import { type Node, startNode } from './nodes.ts'

/** SIGKILL in the middle of a step of a release plan, while another node is running. */
const NODES = ['first', 'second'] as const
const FEATURES = 'projects/default/features'
const STEP = ['release-plan-milestone-started', 'feature-strategy-add', 'feature-strategy-remove']
const LIMIT_MS = 120_000

let place: FreshDatabase
const nodes = new Map<string, Node>()
let own: Client
let ownPid = 0

beforeAll(async () => {
  place = await freshDatabase()
  for (const name of NODES) nodes.set(name, await start(name))
  own = new Client({ connectionString: place.url })
  await own.connect()
  ownPid = (await own.query('select pg_backend_pid() as pid')).rows[0].pid
}, LIMIT_MS)
afterAll(async () => {
  await own.end()
  for (const node of nodes.values()) await node.kill()
  await place.remove()
})

/** Starts a node whose PostgreSQL connections have an application name. */
function start(name: string): Promise<Node> {
  const url = new URL(place.url)
  url.searchParams.set('application_name', name)
  return startNode(url.href)
}

async function send<T>(node: Node, method: string, path: string, body?: unknown): Promise<T> {
  const reply = await node.admin(method, path, body)
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as T
}

function getNode(name: string): Node {
  const node = nodes.get(name)
  if (node === undefined) throw new Error(`No node has the name ${name}`)
  return node
}

/** Creates a flag that is on, and whose plan of three milestones has reached the first one. */
async function addPlan(node: Node, flag: string): Promise<string> {
  const milestone = (rollout: string) => ({
    name: rollout,
    transitionCondition: { intervalMinutes: 60 },
    strategies: [{ strategyName: 'flexibleRollout', parameters: { rollout } }],
  })
  const template = await send<{ id: string }>(node, 'POST', 'release-plan-templates', {
    name: flag,
    milestones: ['25', '50', '100'].map(milestone),
  })
  const environment = `${FEATURES}/${flag}/environments/development`
  await send(node, 'POST', FEATURES, { name: flag })
  await send(node, 'POST', `${environment}/release-plans`, { templateId: template.id })
  await node.admin('POST', `${environment}/on`)
  return environment
}

/** Locks the strategy that the next step will remove after it has added the strategy of the next milestone. */
async function lockStrategy(flag: string): Promise<void> {
  await own.query('begin')
  await own.query('select id from feature_strategies where feature_name = $1 for update', [flag])
}

/** Makes the next milestone due, and turns on another flag, whereupon both nodes look for due plans. */
async function makeDue(node: Node, flag: string, other: string): Promise<void> {
  await query('update release_plans set due_at = 1 where feature_name = $1', [flag])
  // this change waits for the step if the step has begun
  void node.admin('POST', `${FEATURES}/${other}/environments/development/on`).catch(() => undefined)
}

/** Runs a statement outside of the transaction that holds the lock. */
async function query(text: string, values: readonly unknown[]): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: place.url })
  await client.connect()
  try {
    return (await client.query(text, [...values])).rows
  } finally {
    await client.end()
  }
}

/** Returns the name of the node whose transaction waits for the locked strategy. */
async function findWaiting(): Promise<string | undefined> {
  const text = 'select application_name as name from pg_stat_activity where $1 = any(pg_blocking_pids(pid))'
  const [waiting] = await query(text, [ownPid])
  return waiting?.name
}

async function listSteps(flag: string): Promise<string[]> {
  const { rows } = await own.query('select type from events where feature_name = $1 order by id', [flag])
  return rows.map(({ type }) => type).filter((type) => STEP.includes(type))
}

test('a node is killed in a step of a plan: another node takes the step, once', { timeout: LIMIT_MS }, async () => {
  const flag = 'stepping'
  const environment = await addPlan(getNode('first'), flag)
  const before = await listSteps(flag)
  await send(getNode('first'), 'POST', FEATURES, { name: 'other' })
  await lockStrategy(flag)
  await makeDue(getNode('second'), flag, 'other')
  const killed = await until(findWaiting)
  expect(NODES).toContain(killed)
  await getNode(killed).kill()
  await own.query('rollback')
  const rest = NODES.find((name) => name !== killed) ?? 'first'
  await until(async () => (await listSteps(flag)).length > before.length, 60_000)
  expect((await listSteps(flag)).slice(before.length)).toEqual(STEP)
  nodes.set(killed, await start(killed))
  interface Plan {
    readonly activeMilestoneId: string
    readonly milestones: readonly { readonly id: string; readonly name: string }[]
  }
  for (const name of [rest, killed]) {
    const [plan] = await send<Plan[]>(getNode(name), 'GET', `${environment}/release-plans`)
    expect(plan?.milestones.find(({ id }) => id === plan.activeMilestoneId)?.name).toBe('50')
  }
  const { rows } = await own.query('select parameters from feature_strategies where feature_name = $1', [flag])
  expect(rows.map(({ parameters }) => JSON.parse(parameters).rollout)).toEqual(['50'])
  expect((await listSteps(flag)).slice(before.length)).toEqual(STEP)
})
