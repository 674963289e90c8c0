import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type StartedEdge, startOfflineEdge } from '@burgee/edge/edge-process'
import { PROFILE_HEADER } from '@burgee/protocol/evaluation-profile'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { KEY, startProxy } from '../../support/proxy.ts'
import { until } from '../../support/wait.ts'
import { ask } from './edge-scene.ts'
import { runEdge } from './running-edge.ts'

/** Evaluation profile of an edge or a proxy, and how it changes. */
const rollout = { rollout: '50', stickiness: 'userId', groupId: 'g' }
const FLAG = {
  name: 'f',
  project: 'default',
  enabled: true,
  strategies: [{ name: 'flexibleRollout', parameters: rollout }],
}
const DOCUMENT = { version: 2, features: [FLAG], segments: [] }
/** User id for which the flag is on with the profile `yggdrasil` and off with the profile `node`. */
const USER = encodeURIComponent('jürgen-1')
const TOKEN = '*:development.secret'

/** Starts a server of the wire protocol that announces the evaluation profile that the test sets. */
async function startUpstream(first: string | undefined) {
  let announced = first
  let isAway = false
  const server = createServer((request, response) => {
    if (isAway) return void response.writeHead(503).end()
    const headers = announced === undefined ? {} : { [PROFILE_HEADER]: announced }
    const path = request.url?.split('?')[0]
    if (path === '/edge/validate') {
      const tokens = [{ token: TOKEN, type: 'client', environment: 'development', projects: ['*'] }]
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ tokens }))
    }
    if (path !== '/api/client/features') return void response.writeHead(request.method === 'POST' ? 202 : 404).end()
    if (request.headers['if-none-match'] === '"1"')
      return void response.writeHead(304, { etag: '"1"', ...headers }).end()
    response
      .writeHead(200, { 'content-type': 'application/json', etag: '"1"', ...headers })
      .end(JSON.stringify(DOCUMENT))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    announce: (name: string) => {
      announced = name
    },
    goAway: () => {
      isAway = true
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Upstream = Awaited<ReturnType<typeof startUpstream>>
type Front = { readonly isOn: () => Promise<boolean>; readonly close: () => Promise<void> }

const folder = temporaryFolder()
afterAll(folder.remove)
let place = ''
beforeEach(() => {
  place = join(folder.path, crypto.randomUUID())
})
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

const FRONTS: Readonly<Record<string, (upstream: Upstream, option?: string) => Promise<Front>>> = {
  edge: async ({ url }, option) => {
    const env = option === undefined ? {} : { EVALUATION_PROFILE: option }
    const edge = await runEdge({
      UPSTREAM_URL: url,
      TOKENS: TOKEN,
      STREAMING: 'off',
      FEATURES_REFRESH_INTERVAL_SECONDS: '1',
      PRETRUSTED_TOKENS: 'web@development',
      BACKUP_FOLDER: place,
      ...env,
    })
    return { isOn: () => isOnAt(edge), close: () => edge.close() }
  },
  proxy: async ({ url }, option) => {
    const evaluationProfile = option as 'node' | undefined
    const proxy = await startProxy({
      flagUrl: `${url}/api`,
      refreshInterval: 20,
      backupFolder: place,
      evaluationProfile,
    })
    const isOn = async () => {
      const { json } = await ask(proxy.url, `GET /proxy?userId=${USER}`, { token: KEY })
      return (json as { toggles: unknown[] }).toggles.length > 0
    }
    return { isOn, close: () => proxy.close() }
  },
}

async function isOnAt({ url }: Pick<StartedEdge, 'url'>): Promise<boolean> {
  const { json } = await ask(url, `GET /api/frontend?userId=${USER}`, { token: 'web' })
  return (json as { toggles: unknown[] }).toggles.length > 0
}

async function started(kind: string, announced: string | undefined, option?: string) {
  const upstream = await startUpstream(announced)
  open.push(upstream)
  const front = await (FRONTS[kind] as (typeof FRONTS)[string])(upstream, option)
  open.push(front)
  return { upstream, front }
}

describe('decides by the profile', () => {
  test.each<[kind: string, announced: string | undefined, option: string | undefined, profile: string]>([
    ['edge', undefined, undefined, 'yggdrasil'],
    ['edge', 'node', undefined, 'node'],
    ['edge', 'yggdrasil', undefined, 'yggdrasil'],
    ['edge', 'of a later version', undefined, 'yggdrasil'],
    ['edge', undefined, 'node', 'node'],
    ['edge', 'node', 'yggdrasil', 'yggdrasil'],
    ['proxy', undefined, undefined, 'node'],
    ['proxy', 'yggdrasil', undefined, 'yggdrasil'],
    ['proxy', 'node', undefined, 'node'],
    ['proxy', undefined, 'yggdrasil', 'yggdrasil'],
    ['proxy', 'yggdrasil', 'node', 'node'],
  ])('%s, upstream announces %s, option %s: %s', async (kind, announced, option, profile) => {
    const { front } = await started(kind, announced, option)
    expect(await front.isOn()).toBe(profile === 'yggdrasil')
  })
})

describe.each(['edge', 'proxy'])('%s', (kind) => {
  test('takes another profile over while the flags stay the same', async () => {
    const { upstream, front } = await started(kind, 'node')
    expect(await front.isOn()).toBe(false)
    upstream.announce('yggdrasil')
    await until(() => front.isOn())
    upstream.announce('node')
    await until(async () => !(await front.isOn()))
  })

  test('starts with the profile of before while the upstream is away', async () => {
    const other = kind === 'edge' ? 'node' : 'yggdrasil'
    const { upstream, front } = await started(kind, other)
    await front.close()
    open.pop()
    upstream.goAway()
    const next = await (FRONTS[kind] as (typeof FRONTS)[string])(upstream)
    open.push(next)
    expect(await next.isOn()).toBe(other === 'yggdrasil')
  })
})

describe('an edge without an upstream', () => {
  test.each<[string | undefined, boolean]>([
    [undefined, true],
    ['node', false],
  ])('EVALUATION_PROFILE %s: on %s', async (option, expected) => {
    const path = `${folder.path}/flags.json`
    writeFileSync(path, JSON.stringify(DOCUMENT))
    const edge = await startOfflineEdge({
      env: {
        PORT: '0',
        INTERFACE: '127.0.0.1',
        LOG_LEVEL: 'fatal',
        SHUTDOWN_DELAY: '0',
        BOOTSTRAP_FILE: path,
        FRONTEND_TOKENS: 'web',
        CLIENT_TOKENS: 'sdk',
        ...(option === undefined ? {} : { EVALUATION_PROFILE: option }),
      },
    })
    open.push(edge)
    expect(await isOnAt(edge)).toBe(expected)
    const { headers } = await ask(edge.url, 'GET /api/client/features', { token: 'sdk' })
    expect(headers.get(PROFILE_HEADER)).toBe(option ?? 'yggdrasil')
  })
})
