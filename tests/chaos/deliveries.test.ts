import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startReceiver } from '../http/integrations/receiver.ts'
import { casesOf } from '../support/cases.ts'
import { until } from '../support/wait.ts'
import { report } from './report.ts'
import { runServer, serverNode } from './server-node.ts'

const ROUNDS = casesOf('rounds of SIGKILL in deliveries', { some: 3, full: 5, long: 15 })
const EACH = 10
const TOKEN = '*:*.admin-secret'
const dataDir = mkdtempSync(join(tmpdir(), 'burgee-deliveries-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test(`${ROUNDS} rounds of SIGKILL: every event is delivered in its order, and at most one is repeated each time`, {
  timeout: 120_000,
}, async () => {
  const receiver = await startReceiver()
  receiver.answer = (response) => void setTimeout(() => response.end(), 5)
  const start = async () => {
    const env = { DATA_DIR: dataDir, INIT_ADMIN_API_TOKENS: TOKEN, INTEGRATION_ALLOW_PRIVATE_ADDRESSES: 'true' }
    const node = await serverNode(runServer(env))
    const post = async (path: string, body: object) => {
      const headers = { authorization: TOKEN, 'content-type': 'application/json' }
      const reply = await fetch(`${node.base}/api/admin/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      expect([path, reply.status]).toEqual([path, 201])
    }
    return { ...node, post }
  }
  let node = await start()
  const parameters = { url: receiver.url }
  await node.post('addons', { provider: 'webhook', enabled: true, events: ['feature-created'], parameters })
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = receiver.received.length
    for (let index = 0; index < EACH; index += 1) {
      await node.post('projects/default/features', { name: `r${round}-${index}` })
    }
    await until(() => receiver.received.length >= before + 1 + Math.floor(Math.random() * EACH))
    node.process.kill('SIGKILL')
    await node.process.ended
    node = await start()
  }
  await node.post('projects/default/features', { name: 'last' })
  const names = () => receiver.received.map(({ body }) => String(JSON.parse(body).featureName))
  await until(() => names().includes('last'))
  node.process.kill('SIGTERM')
  await node.process.ended
  await receiver.close()
  const expected = Array.from({ length: ROUNDS }, (_, round) =>
    Array.from({ length: EACH }, (_each, index) => `r${round}-${index}`),
  )
  const came = names()
  expect(came.filter((name, index) => name !== came[index - 1])).toEqual([...expected.flat(), 'last'])
  expect(came.length).toBeLessThanOrEqual(ROUNDS * EACH + 1 + ROUNDS)
  report(
    'P2',
    'SIGKILL, deliveries',
    `${ROUNDS} rounds, ${came.length} requests for ${ROUNDS * EACH + 1} events, none lost`,
  )
})
