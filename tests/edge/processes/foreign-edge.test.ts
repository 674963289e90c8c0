import { spawn } from 'node:child_process'
import { findFreePort } from '@burgee/kit/free-port'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { until } from '../../support/wait.ts'
import { type EdgeNode, edgeNode, ended, runEdge } from './edge-node.ts'
import {
  fillUpstream,
  START_TOKENS,
  seenBy,
  startUpstreamServer,
  type TokenName,
  type UpstreamServer,
} from './upstream-server.ts'

/**
 * Unleash Edge in a chain with Burgee's server and edge. Building Unleash Edge takes most of an hour, so the tests run
 * only if `EDGE_BIN` names a binary (`cargo install unleash-edge`).
 */
const BINARY = process.env.EDGE_BIN
const REASON = 'Unleash Edge skipped: EDGE_BIN names no binary'
const TOKENS = Object.values(START_TOKENS).join()
const TOKEN_NAMES: readonly TokenName[] = ['shopBackend', 'bankBackend', 'shopWeb', 'bankWeb', 'allWeb', 'twoWeb']
const folder = temporaryFolder()
const ends: (() => Promise<unknown>)[] = []
let server: UpstreamServer
let tokens: Readonly<Record<TokenName, string>>

/** Starts Unleash Edge in front of an upstream. Returns its URL. */
async function startForeignEdge(upstream: string): Promise<string> {
  const port = await findFreePort('127.0.0.1')
  const base = `http://127.0.0.1:${port}`
  const own = { PORT: String(port), INTERFACE: '127.0.0.1', UPSTREAM_URL: upstream, TOKENS, STRICT: 'true' }
  const env = { PATH: process.env.PATH ?? '', ...own, FEATURES_REFRESH_INTERVAL_SECONDS: '1' }
  const child = spawn(BINARY ?? '', ['edge'], { env, stdio: 'ignore' })
  const closed = new Promise((resolve) => child.on('close', resolve))
  ends.unshift(() => {
    child.kill('SIGTERM')
    return closed
  })
  await until(async () => (await fetch(`${base}/internal-backstage/ready`)).status === 200)
  return base
}

async function startOwnEdge(upstream: string): Promise<EdgeNode> {
  const edge = await edgeNode(runEdge({ UPSTREAM_URL: upstream, TOKENS, FEATURES_REFRESH_INTERVAL_SECONDS: '1' }))
  ends.unshift(() => ended(edge.process))
  await edge.ready()
  return edge
}

/** Returns the names of the flags that are on for a token. */
async function listFlags(base: string, name: TokenName): Promise<string[]> {
  const isBackend = name.endsWith('Backend')
  const path = isBackend ? '/api/client/features' : '/api/frontend?userId=7'
  const reply = await fetch(`${base}${path}`, { headers: { authorization: tokens[name] } })
  const { features, toggles } = (await reply.json()) as Readonly<Record<string, readonly Listed[] | undefined>>
  const on = [...(features ?? []), ...(toggles ?? [])].filter(({ enabled }) => enabled)
  return on.map((flag) => flag.name).sort()
}

interface Listed {
  readonly name: string
  readonly enabled: boolean
}

beforeAll(async () => {
  if (BINARY === undefined) return
  server = await startUpstreamServer(folder.path)
  tokens = await fillUpstream(server)
})
afterAll(async () => {
  for (const end of ends) await end()
  if (BINARY !== undefined) await ended(server.process)
  folder.remove()
})

const CHAINS: Readonly<Record<string, () => Promise<string>>> = {
  'Unleash Edge at the server': () => startForeignEdge(server.url),
  'an edge behind Unleash Edge': async () => (await startOwnEdge(await startForeignEdge(server.url))).base,
  'Unleash Edge behind an edge': async () => startForeignEdge((await startOwnEdge(server.url)).base),
}

describe.for(Object.entries(CHAINS))('%s', ([, chain]) => {
  let base: string
  beforeAll(async () => {
    if (BINARY !== undefined) base = await chain()
  })

  test.for(TOKEN_NAMES)('%s sees its own flags and no others, and a change', async (name, { skip }) => {
    if (BINARY === undefined) process.stdout.write(`${REASON}\n`)
    skip(BINARY === undefined, REASON)
    await until(async () => (await listFlags(base, name)).join() === seenBy(name).join())
    const [flag = ''] = seenBy(name)
    const [project = '', environment] = flag.split('-in-') as [string, 'development' | 'production']
    await server.turn(project, flag, environment, 'off')
    await until(async () => !(await listFlags(base, name)).includes(flag))
    await server.turn(project, flag, environment, 'on')
    await until(async () => (await listFlags(base, name)).join() === seenBy(name).join())
    expect(await listFlags(base, name)).toEqual(seenBy(name))
  })
})
