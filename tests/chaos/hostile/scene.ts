import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { findFreePort } from '@burgee/kit/free-port'
import { type EdgeNode, edgeNode, runEdge } from '../../edge/processes/edge-node.ts'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../../support/burgee.ts'
import { runServer, type ServerNode, serverNode, TOKENS } from '../server-node.ts'
import type { Measured, Polls } from './sdk-beside.ts'

/** Server, an edge with TLS and a proxy behind it, and SDKs that poll all three during an attack. */
export interface HostileScene {
  readonly node: ServerNode
  readonly serverPort: number
  readonly edgePort: number
  readonly edgeTlsPort: number
  readonly proxyPort: number
  /** Client key of the proxy. */
  readonly proxyKey: string
  /** Cookie of a read-only user. */
  readonly viewer: string
  /** Client tokens that have not been used. */
  readonly newTokens: string[]
  /** Client token of a project with a large document. */
  readonly largeToken: string
  /** Returns the resident memory of the processes and the size of the data directory, in bytes. */
  sample(): HostileSample
  /** Returns the measurements of the polling SDKs since the last call. */
  measured(): Promise<Measured>
  close(): Promise<void>
}

/** Sizes at one moment, in bytes. */
export interface HostileSample {
  readonly server: number
  readonly edge: number
  readonly proxy: number
  readonly disk: number
}

const POLL_INTERVAL_MS = 10
/**
 * Request timeout, which also limits the TLS handshake. The timeout is so short that even the short form of the test
 * sees the edge close connections.
 */
export const EDGE_REQUEST_TIMEOUT_SECONDS = 2
const NEW_TOKENS = 40
const LARGE_FLAGS = 20
const LARGE_VALUES = 200
const LARGE_VALUE_CHARACTERS = 100
const PROXY_KEY = 'key-of-the-page'
const VIEWER = { username: 'viewer', password: 'a good password' }
const VIEWER_ROLE = 3

const pemFile = (name: string): string => new URL(`../../proxy/fixtures/${name}`, import.meta.url).pathname

/** Starts the server, the edge and the polling SDKs. */
export async function startScene(): Promise<HostileScene> {
  const folder = temporaryFolder()
  const dataDir = join(folder.path, 'data')
  const server = runServer({ DATA_DIR: dataDir })
  const node = await serverNode(server)
  await fillServer(node)
  const newTokens: string[] = []
  for (let index = 0; index < NEW_TOKENS; index += 1) {
    newTokens.push(await makeToken(node, `newcomer-${index}`, 'default'))
  }
  const largeToken = await makeToken(node, 'large', 'large')
  const viewer = await logIn(node)
  const edgeTlsPort = await findFreePort()
  const edge = await startEdge(node, edgeTlsPort)
  const proxy = startProxy(node)
  const proxyPort = Number(await proxy.find(/port (\d+)/))
  const worker = startSdks(node.base, edge.base, proxyPort)
  return {
    node,
    serverPort: Number(new URL(node.base).port),
    edgePort: Number(new URL(edge.base).port),
    edgeTlsPort,
    proxyPort,
    proxyKey: PROXY_KEY,
    viewer,
    newTokens,
    largeToken,
    sample: () => ({
      server: residentBytes(server.pid),
      edge: residentBytes(edge.process.pid),
      proxy: residentBytes(proxy.pid),
      disk: folderBytes(dataDir),
    }),
    measured: () =>
      new Promise((resolve) => {
        worker.once('message', (measured: Measured) => resolve(measured))
        worker.postMessage('measured')
      }),
    async close() {
      await worker.terminate()
      for (const process of [proxy, edge.process, server]) {
        process.kill('SIGKILL')
        await process.ended
      }
      folder.remove()
    },
  }
}

async function fillServer(node: ServerNode): Promise<void> {
  await node.makeOn('known')
  await created(await node.admin('POST', 'projects', { id: 'large', name: 'Large' }))
  const values = Array.from({ length: LARGE_VALUES }, (_, index) => `${index}`.padEnd(LARGE_VALUE_CHARACTERS, 'x'))
  const constraints = [{ contextName: 'userId', operator: 'IN', values }]
  for (let index = 0; index < LARGE_FLAGS; index += 1) {
    const name = `large-${index}`
    await created(await node.admin('POST', 'projects/large/features', { name }))
    const strategies = `projects/large/features/${name}/environments/development/strategies`
    await created(await node.admin('POST', strategies, { name: 'default', constraints }))
  }
  const user = { ...VIEWER, rootRole: VIEWER_ROLE }
  await created(await node.admin('POST', 'user-admin', user))
}

async function created(reply: Response): Promise<unknown> {
  if (!reply.ok) throw new Error(`${reply.url}: ${reply.status} ${await reply.text()}`)
  return reply.json()
}

async function makeToken(node: ServerNode, tokenName: string, project: string): Promise<string> {
  const token = { tokenName, type: 'client', environment: 'development', projects: [project] }
  return ((await created(await node.admin('POST', 'api-tokens', token))) as { secret: string }).secret
}

async function logIn({ base }: ServerNode): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${base}/auth/simple/login`, { method: 'POST', headers, body: JSON.stringify(VIEWER) })
  await created(reply)
  return String(reply.headers.get('set-cookie')).split(';', 1)[0] ?? ''
}

async function startEdge(node: ServerNode, tlsPort: number): Promise<EdgeNode> {
  const process = runEdge({
    UPSTREAM_URL: node.base,
    TOKENS: TOKENS.client,
    TLS_ENABLE: 'true',
    TLS_SERVER_KEY: pemFile('self-signed-key.pem'),
    TLS_SERVER_CERT: pemFile('self-signed.pem'),
    TLS_SERVER_PORT: String(tlsPort),
    EDGE_REQUEST_TIMEOUT: String(EDGE_REQUEST_TIMEOUT_SECONDS),
  })
  const edge = await edgeNode(process)
  await edge.ready()
  return edge
}

function startProxy({ base }: ServerNode): BurgeeProcess {
  return runBurgee(['proxy'], {
    FLAG_URL: `${base}/api`,
    FLAG_API_TOKEN: TOKENS.client,
    FLAG_PROXY_CLIENT_KEYS: PROXY_KEY,
    FLAG_METRICS_INTERVAL: '1000',
    PROXY_PORT: '0',
    PROXY_HOST: '127.0.0.1',
  })
}

function startSdks(serverBase: string, edgeBase: string, proxyPort: number): Worker {
  const targetsOf = (base: string): Polls['targets'] => [
    { url: `${base}/api/client/features`, authorization: TOKENS.client },
    { url: `${base}/api/frontend?userId=7`, authorization: TOKENS.frontend },
  ]
  const polls: Polls = {
    targets: [
      ...targetsOf(serverBase),
      ...targetsOf(edgeBase),
      { url: `http://127.0.0.1:${proxyPort}/proxy?userId=7`, authorization: PROXY_KEY },
    ],
    intervalMs: POLL_INTERVAL_MS,
  }
  return new Worker(new URL('./sdk-beside.ts', import.meta.url), { workerData: polls })
}

function residentBytes(pid: number): number {
  return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

function folderBytes(folder: string): number {
  const sizes = globSync('**/*', { cwd: folder }).map(
    (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
