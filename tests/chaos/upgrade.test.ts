import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '@burgee/kit/free-port'
import { afterEach, expect, test } from 'vitest'
import { temporaryFolder } from '../support/burgee.ts'
import { freshDatabase } from '../support/postgres.ts'
import { until } from '../support/wait.ts'
import { openBalancer } from './balancer.ts'
import { makeNextVersion, NEXT_MIGRATION } from './next-version.ts'
import { IS_LONG, report } from './report.ts'
import { runServer, serverNode, TOKENS } from './server-node.ts'

/** P6: three nodes are upgraded one by one behind a load balancer, without retries, and no SDK request fails. */
const NODES = 3
const CALLERS = 6
const DELAY_SECONDS = 1
const PAUSE_MS = IS_LONG ? 10 : 40
const HOST = '127.0.0.1'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

test('N to N + 1, which adds to the tables: every request is answered while both versions change flags', async () => {
  const [database, folder, next] = [await freshDatabase(), temporaryFolder(), makeNextVersion()]
  endings.push(
    () => database.remove(),
    () => folder.remove(),
    () => next.remove(),
  )
  const ports = await Promise.all(Array.from({ length: NODES }, () => findFreePort(HOST)))
  const run = (port: number, command?: string) => {
    const more = { HTTP_PORT: String(port), KEEP_DOCUMENTS_FOLDER: folder.path, SHUTDOWN_DELAY: String(DELAY_SECONDS) }
    const process = runServer({ DATABASE_URL: database.url, ...more }, command)
    endings.push(async () => {
      process.kill('SIGKILL')
      await process.ended
    })
    return process
  }
  const nodes = await Promise.all(ports.map((port) => serverNode(run(port))))
  const balancer = await openBalancer(ports, '/ready')
  endings.push(() => balancer.close())
  await until(() => balancer.ready() === NODES)

  const requests = [
    { path: '/api/client/features', authorization: TOKENS.client },
    { path: '/api/frontend?userId=7', authorization: TOKENS.frontend },
  ]
  const outcomes: Record<string, number> = {}
  let isOver = false
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let turn = caller; !isOver; turn += 1) {
      const { path = '/', authorization = '' } = requests[turn % requests.length] ?? {}
      const reply = await fetch(`${balancer.url}${path}`, { headers: { authorization } })
      const text = await reply.text()
      const outcome = reply.ok ? 'answered' : `${reply.status} ${text}`
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      await sleep(PAUSE_MS)
    }
  })
  for (const [index, port] of ports.entries()) {
    nodes[index]?.process.kill('SIGTERM')
    expect(await nodes[index]?.process.ended).toBe(0)
    const upgraded = await serverNode(run(port, next.command))
    nodes[index] = upgraded
    await until(() => balancer.ready() === NODES, 60_000)
    // nodes of the previous version keep working after the tables have been migrated
    for (const [writer, node] of nodes.entries()) await node.makeOn(`flag-${index}-${writer}`)
    for (const node of nodes) await until(async () => (await node.download()).on.length === NODES * (index + 1))
  }
  isOver = true
  await Promise.all(callers)
  expect(Object.keys(outcomes)).toEqual(['answered'])
  expect(outcomes.answered).toBeGreaterThan(100)

  const late = run(await findFreePort(HOST))
  expect(await late.ended).toBe(1)
  expect(late.errors()).toContain(NEXT_MIGRATION)
  report('P6', `${NODES} nodes upgraded from N to N + 1`, `${outcomes.answered} of ${outcomes.answered} replies good`)
}, 180_000)
