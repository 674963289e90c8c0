import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { casesOf } from '../support/cases.ts'
import { until } from '../support/wait.ts'
import { report } from './report.ts'
import { runServer, type ServerNode, serverNode } from './server-node.ts'

const ROUNDS = casesOf('rounds of SIGKILL while change requests are applied', { some: 2, full: 4, long: 8 })
/** Number of changes in each request: one strategy per flag. */
const FLAGS = 6
const SOON_MS = 600
const PASSWORD = 'a good password'
const PROJECT = 'projects/default'
const dataDir = mkdtempSync(join(tmpdir(), 'burgee-change-requests-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const start = () => serverNode(runServer({ DATA_DIR: dataDir }))

/** Logs a user in. Sessions remain valid after a restart of the server, but its URL changes. */
async function logIn({ base }: ServerNode, username: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ username, password: PASSWORD })
  const reply = await fetch(`${base}/auth/simple/login`, { method: 'POST', headers, body })
  expect(reply.status).toBe(200)
  return String(reply.headers.get('set-cookie')).split(';', 1)[0] ?? ''
}

async function act({ base }: ServerNode, cookie: string, [method, path]: readonly [string, string], body: unknown) {
  const headers = { cookie, origin: base, 'content-type': 'application/json' }
  const reply = await fetch(`${base}/api/admin/${path}`, { method, headers, body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as { id: number }
}

const flagOf = (round: number, index: number) => `round-${round}-${index}`

/** Creates an approved request for one round. Returns its id. */
async function approved(node: ServerNode, round: number, author: string, approver: string): Promise<number> {
  const names = Array.from({ length: FLAGS }, (_, index) => flagOf(round, index))
  for (const name of names) expect((await node.admin('POST', `${PROJECT}/features`, { name })).status).toBe(201)
  const changes = names.map((feature) => ({ feature, action: 'addStrategy', payload: { name: 'default' } }))
  const { id } = await act(node, author, ['POST', `${PROJECT}/environments/production/change-requests`], changes)
  const step = ['PUT', `${PROJECT}/change-requests/${id}/state`] as const
  await act(node, author, step, { state: 'In review' })
  await act(node, approver, step, { state: 'Approved' })
  return id
}

async function stateOf(node: ServerNode, id: number): Promise<string> {
  const reply = await node.admin('GET', `${PROJECT}/change-requests/${id}`)
  return ((await reply.json()) as { state: string }).state
}

/** Returns the state of a request, and the total number of strategies of its flags. */
async function outcome(node: ServerNode, round: number, id: number) {
  const state = await stateOf(node, id)
  let strategies = 0
  for (let index = 0; index < FLAGS; index += 1) {
    const path = `${PROJECT}/features/${flagOf(round, index)}/environments/production/strategies`
    strategies += ((await (await node.admin('GET', path)).json()) as unknown[]).length
  }
  return { state, strategies }
}

test(`${ROUNDS} rounds of SIGKILL: a change request is applied whole or not at all, and once at its time`, {
  timeout: 180_000,
}, async () => {
  let node = await start()
  expect((await node.admin('POST', 'user-admin', { username: 'author', rootRole: 3, password: PASSWORD })).status).toBe(
    201,
  )
  const [author, approver] = [await logIn(node, 'author'), await logIn(node, 'admin')]
  const counts = { whole: 0, notAtAll: 0, scheduled: 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    const [now, later] = [2 * round, 2 * round + 1]
    const ids = [await approved(node, now, author, approver), await approved(node, later, author, approver)] as const
    const stepOf = (id: number) => ['PUT', `${PROJECT}/change-requests/${id}/state`] as const
    const scheduledAt = new Date(Date.now() + SOON_MS).toISOString()
    await act(node, approver, stepOf(ids[1]), { state: 'Scheduled', scheduledAt })
    const applying = act(node, approver, stepOf(ids[0]), { state: 'Applied' }).then(
      () => true,
      () => false,
    )
    // the process is killed before, during or after the application of one of the two requests
    await sleep(round % 2 === 0 ? Math.random() * 25 : SOON_MS + Math.random() * 25)
    node.process.kill('SIGKILL')
    await node.process.ended
    const isAcknowledged = await applying
    node = await start()
    const first = await outcome(node, now, ids[0])
    expect(first).toEqual({ state: first.state, strategies: first.state === 'Applied' ? FLAGS : 0 })
    if (isAcknowledged) expect(first.state).toBe('Applied')
    counts[first.state === 'Applied' ? 'whole' : 'notAtAll'] += 1
    const restarted = node
    await until(async () => (await stateOf(restarted, ids[1])) === 'Applied')
    expect(await outcome(node, later, ids[1])).toEqual({ state: 'Applied', strategies: FLAGS })
    counts.scheduled += 1
  }
  const { events } = (await (
    await node.admin('GET', 'search/events?type=IS:change-request-scheduled-application-success&limit=1000')
  ).json()) as { events: { data: { changeRequestId: number } }[] }
  const applied = events.map(({ data }) => data.changeRequestId)
  expect(applied.length).toBe(ROUNDS)
  expect(new Set(applied).size).toBe(ROUNDS)
  node.process.kill('SIGTERM')
  await node.process.ended
  report(
    'P2',
    'SIGKILL, change requests',
    `${ROUNDS} rounds, ${counts.whole} applied whole, ${counts.notAtAll} not at all, ${counts.scheduled} once at their time`,
  )
})
