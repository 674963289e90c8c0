import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type BurgeeProcess, runBurgee } from '../../support/burgee.ts'
import { until } from '../../support/wait.ts'
import { runServer, type ServerNode, serverNode, TOKENS } from '../server-node.ts'
import type { Measures } from './slopes.ts'

/** Process of the scene, with its measurements. */
export interface SoakedProcess {
  readonly name: 'server' | 'edge' | 'proxy'
  readonly base: string
  measure(): Promise<Measures>
}

/** Server with an edge and a proxy in front of it, each in a separate process. */
export interface SoakScene {
  readonly server: ServerNode
  readonly processes: readonly SoakedProcess[]
  close(): Promise<void>
}

/** Key of the pages that call the proxy. */
export const PAGE_KEY = 'key-of-the-page'
/** Maximum number of series about flags. The number is low enough to be reached during the warm-up. */
const FLAG_SERIES_LIMIT = '200'
const HOST = '127.0.0.1'
/** Measurements that a process may export. The proxy exports no metrics of Node.js. */
const SERIES = {
  heap: 'nodejs_heap_size_used_bytes',
  committed: 'nodejs_heap_size_total_bytes',
  external: 'nodejs_external_memory_bytes',
  caches: 'burgee_cache_bytes',
  events: 'burgee_revision',
  statements: 'burgee_database_thread_bytes{kind="statements"}',
  threadHeaps: 'burgee_database_thread_bytes{kind="heap"}',
} as const
/** Index of the user time among those fields of `/proc/<pid>/stat` that follow the name. */
const USER_TICKS = 11
const TICKS_PER_SECOND = 100
/** Disables rate limits, which would hide growth of memory. */
const NO_LIMITS = Object.fromEntries(
  ['REGISTER_CLIENT_RATE', 'CLIENT_METRICS_RATE', 'REGISTER_FRONTEND_RATE', 'FRONTEND_METRICS_RATE'].map((name) => [
    `${name}_LIMIT_PER_MINUTE`,
    '1000000',
  ]),
)

/** Starts the server, the edge and the proxy, with their files below `folder`. */
export async function openSoakScene(folder: string): Promise<SoakScene> {
  const folders = { server: join(folder, 'server'), edge: join(folder, 'edge'), proxy: join(folder, 'proxy') }
  const server = await serverNode(runServer({ DATA_DIR: folders.server, FLAG_SERIES_LIMIT, ...NO_LIMITS }))
  const edge = runBurgee(['edge'], {
    UPSTREAM_URL: server.base,
    TOKENS: TOKENS.client,
    PORT: '0',
    INTERFACE: HOST,
    BACKUP_FOLDER: folders.edge,
    FEATURES_REFRESH_INTERVAL_SECONDS: '5',
    METRICS_INTERVAL_SECONDS: '5',
  })
  const proxy = runBurgee(['proxy'], {
    FLAG_URL: `${server.base}/api`,
    FLAG_API_TOKEN: TOKENS.client,
    FLAG_PROXY_CLIENT_KEYS: PAGE_KEY,
    PROXY_PORT: '0',
    PROXY_HOST: HOST,
    FLAG_METRICS_INTERVAL: '5000',
    FLAG_BACKUP: 'true',
    FLAG_BACKUP_FOLDER: folders.proxy,
  })
  const baseOf = async (process: BurgeeProcess, pattern: RegExp) => `http://${HOST}:${await process.find(pattern)}`
  const soaked = (name: SoakedProcess['name'], { pid }: BurgeeProcess, base: string, path: string) => {
    const measure = async () => measuresOf(await (await fetch(`${base}${path}`)).text(), pid, folders[name])
    return { name, base, measure }
  }
  const series = '/internal-backstage/prometheus'
  const addresses = { edge: await baseOf(edge, /port (\d+)/), proxy: await baseOf(proxy, /port (\d+)/) }
  const processes = [
    soaked('server', server.process, server.base, series),
    soaked('edge', edge, addresses.edge, '/internal-backstage/metrics'),
    soaked('proxy', proxy, addresses.proxy, `/proxy${series}`),
  ]
  const close = async () => {
    for (const process of [proxy, edge, server.process]) {
      process.kill('SIGTERM')
      await process.ended
    }
  }
  try {
    for (const url of [`${addresses.edge}/internal-backstage/ready`, `${addresses.proxy}/proxy/health/ready`]) {
      await until(async () => (await fetch(url)).status === 200)
    }
  } catch (error) {
    await close()
    throw error
  }
  return { server, processes, close }
}

function measuresOf(text: string, pid: number, folder: string): Measures {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const present = Object.entries(SERIES).flatMap(([measure, name]) => {
    const values = lines
      .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
      .map((line) => Number(line.slice(line.lastIndexOf(' '))))
    return values.length === 0 ? [] : [[measure, values.reduce((sum, value) => sum + value, 0)] as const]
  })
  const series: Measures = Object.fromEntries(present)
  const rss = residentBytes(pid, 'VmRSS')
  return {
    ...series,
    rss,
    native: rss - (series.committed ?? 0),
    anonymous: residentBytes(pid, 'RssAnon'),
    file: residentBytes(pid, 'RssFile'),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    series: lines.length,
    disk: diskBytes(folder),
    cpuSeconds: cpuSeconds(pid),
  }
}

/** Returns the CPU time of a process. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // the name, which ends at the last ")", may contain blanks
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER_TICKS]) + Number(fields[USER_TICKS + 1])) / TICKS_PER_SECOND
}

/** Returns the resident memory of a process: all of it, only anonymous memory, or only pages of files. */
function residentBytes(pid: number, field: 'VmRSS' | 'RssAnon' | 'RssFile'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return 1024 * Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1])
}

function diskBytes(folder: string): number {
  return globSync('**/*', { cwd: folder }).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}
