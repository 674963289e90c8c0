import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EdgeNode, edgeNode, runEdge } from '../edge/processes/edge-node.ts'
import { temporaryFolder } from '../support/burgee.ts'
import { until } from '../support/wait.ts'
import { IS_LONG, report } from './report.ts'
import { runServer, type ServerNode, serverNode, TOKENS } from './server-node.ts'

/** P4: the deletion of a token reaches its server, and an edge that follows the stream of the server. */
const DELETIONS = IS_LONG ? 50 : 4
const LIMIT_MS = 1000
const KINDS = ['client', 'frontend'] as const
const PATHS = { client: '/api/client/features', frontend: '/api/frontend?userId=7' } as const

const folder = temporaryFolder()
let node: ServerNode
let edge: EdgeNode
beforeAll(async () => {
  node = await serverNode(runServer({ DATA_DIR: folder.path }))
  await node.makeOn('known')
  // the edge would validate its tokens once an hour
  edge = await edgeNode(runEdge({ UPSTREAM_URL: node.base, TOKENS: TOKENS.client }))
  await edge.ready()
})
afterAll(async () => {
  for (const { process } of [edge, node]) {
    process.kill('SIGKILL')
    await process.ended
  }
  folder.remove()
})

async function addToken(type: (typeof KINDS)[number], index: number): Promise<string> {
  const token = { tokenName: `${type}-${index}`, type, environment: 'development', projects: ['default'] }
  const reply = await node.admin('POST', 'api-tokens', token)
  return ((await reply.json()) as { secret: string }).secret
}

test(`${DELETIONS} deleted tokens of each kind are rejected by the server and by the edge`, async () => {
  const latenciesMs: Record<'server' | 'edge', number[]> = { server: [], edge: [] }
  for (let index = 0; index < DELETIONS; index += 1) {
    for (const kind of KINDS) {
      const token = await addToken(kind, index)
      const statusAt = {
        server: async () => (await node.ask(PATHS[kind], token)).status,
        edge: async () => (await edge.ask(PATHS[kind], token)).status,
      }
      await until(async () => (await statusAt.edge()) === 200)
      expect((await node.admin('DELETE', `api-tokens/${token}`)).status).toBe(200)
      const since = performance.now()
      await Promise.all(
        (['server', 'edge'] as const).map(async (at) => {
          await until(async () => [401, 403].includes(await statusAt[at]()))
          latenciesMs[at].push(performance.now() - since)
        }),
      )
    }
  }
  const format = (times: readonly number[]) => `p50 ${pick(times, 0.5)} ms, p99 ${pick(times, 0.99)} ms`
  const figures = `server ${format(latenciesMs.server)}; edge ${format(latenciesMs.edge)}`
  report('P4', `${KINDS.length * DELETIONS} deleted tokens`, figures)
  if (IS_LONG) expect(pick(latenciesMs.edge, 0.99)).toBeLessThan(LIMIT_MS)
}, 300_000)

function pick(times: readonly number[], share: number): number {
  return Math.round(times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? 0)
}
