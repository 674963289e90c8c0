import { randomBytes } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { sqliteLook } from '../support/test-database.ts'
import { IS_LONG, report } from './report.ts'
import { runServer, type ServerNode, serverNode, TOKENS } from './server-node.ts'

/**
 * P7: callers of a server or proxy cannot make its memory or disk grow without bound, regardless of the names that they
 * send.
 */
const LONG_MS = 8 * 60_000
const SHORT_REQUESTS = 400
const CALLERS = 4
const SAMPLE_MS = IS_LONG ? 5000 : 250
/**
 * Maximum ratio of the last quarter's median to the second quarter's. The second quarter is the baseline, because
 * caches are full by then.
 */
const MOST_GROWTH = 1.15
const NAMES_EACH = 800
const KEY = 'key-of-the-page'
/** Disables rate limits, which would hide unbounded growth. */
const NO_LIMITS = Object.fromEntries(
  ['REGISTER_CLIENT_RATE', 'CLIENT_METRICS_RATE', 'REGISTER_FRONTEND_RATE', 'FRONTEND_METRICS_RATE', 'TOKEN_GUESS'].map(
    (name) => [`${name}_LIMIT_PER_MINUTE`, '1000000'],
  ),
)

const folder = temporaryFolder()
const dataDir = join(folder.path, 'data')
let node: ServerNode
let proxy: BurgeeProcess
let proxyBase: string
beforeAll(async () => {
  node = await serverNode(runServer({ DATA_DIR: dataDir, ...NO_LIMITS }))
  await node.makeOn('known')
  const own = { FLAG_URL: `${node.base}/api`, FLAG_API_TOKEN: TOKENS.client, FLAG_PROXY_CLIENT_KEYS: KEY }
  proxy = runBurgee(['proxy'], { ...own, PROXY_PORT: '0', PROXY_HOST: '127.0.0.1', FLAG_METRICS_INTERVAL: '1000' })
  proxyBase = `http://127.0.0.1:${await proxy.find(/port (\d+)/)}`
})
afterAll(async () => {
  for (const process of [proxy, node.process]) {
    process.kill('SIGKILL')
    await process.ended
  }
  folder.remove()
})

const madeUp = (length = 12): string => randomBytes(length).toString('hex')
const toggles = () => Object.fromEntries(Array.from({ length: NAMES_EACH }, () => [madeUp(), { yes: 1, no: 0 }]))
const bucket = () => ({ start: new Date().toISOString(), stop: new Date().toISOString(), toggles: toggles() })
const post = (url: string, authorization: string, body: unknown) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Requests that require only a public key, or no key. */
const HOSTILE: readonly (() => Promise<Response>)[] = [
  () =>
    post(`${node.base}/api/frontend/client/metrics`, TOKENS.frontend, {
      appName: madeUp(),
      instanceId: madeUp(),
      bucket: bucket(),
    }),
  () =>
    post(`${node.base}/api/frontend/client/register`, TOKENS.frontend, {
      appName: madeUp(),
      instanceId: madeUp(),
      strategies: [madeUp()],
      started: new Date().toISOString(),
      interval: 1,
    }),
  () =>
    post(`${node.base}/api/client/metrics`, TOKENS.client, {
      appName: madeUp(),
      instanceId: madeUp(),
      bucket: bucket(),
    }),
  () => node.ask(`/api/frontend?userId=${madeUp()}&properties[${madeUp()}]=${madeUp(200)}`, TOKENS.frontend),
  () => node.ask(`/api/client/features?namePrefix=${madeUp()}&tag=${madeUp()}:${madeUp()}`, TOKENS.client),
  () => node.ask('/api/client/features', `default:development.${madeUp(28)}`),
  () => node.ask(`/${madeUp()}?${madeUp()}`),
  () =>
    node.ask('/api/frontend', TOKENS.frontend, { origin: `https://${madeUp()}.example`, 'user-agent': madeUp(500) }),
  () => post(`${proxyBase}/proxy/client/metrics`, KEY, { appName: madeUp(), instanceId: madeUp(), bucket: bucket() }),
  () =>
    post(`${proxyBase}/proxy`, KEY, {
      context: { userId: madeUp(), properties: { [madeUp()]: madeUp(200) } },
      toggles: [madeUp()],
    }),
  () => fetch(`${proxyBase}/proxy?userId=${madeUp()}&sessionId=${madeUp()}`, { headers: { authorization: KEY } }),
  () => fetch(`${proxyBase}/proxy/all?${madeUp()}=${madeUp()}`, { headers: { authorization: madeUp() } }),
]

interface Sample {
  readonly server: number
  readonly proxy: number
  readonly disk: number
}

const residentBytes = (pid: number): number =>
  1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
const diskBytes = (): number =>
  globSync('**/*', { cwd: dataDir }).reduce(
    (sum, name) => sum + (statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
const sample = (): Sample => ({
  server: residentBytes(node.process.pid),
  proxy: residentBytes(proxy.pid),
  disk: diskBytes(),
})

test(
  'names that callers make up: memory and disk stay within bounds',
  async () => {
    const samples: Sample[] = []
    const beganMs = performance.now()
    let [sent, isOver] = [0, false]
    const sampling = (async () => {
      while (!isOver) {
        samples.push(sample())
        await sleep(SAMPLE_MS)
      }
    })()
    const serverErrors: string[] = []
    const isDone = () => (IS_LONG ? performance.now() - beganMs > LONG_MS : sent >= SHORT_REQUESTS)
    await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        while (!isDone()) {
          sent += 1
          const reply = await HOSTILE[sent % HOSTILE.length]?.()
          const text = await reply?.text()
          if (reply !== undefined && reply.status >= 500) serverErrors.push(`${reply.status} ${reply.url} ${text}`)
        }
      }),
    )
    isOver = true
    await sampling
    expect(serverErrors).toEqual([])
    await sleep(2000)
    const look = sqliteLook(join(dataDir, 'burgee.sqlite'))
    const rows = async (table: string) => Number((await look.row(`select count(*) as n from ${table}`))?.n)
    const counts = {
      unknown_flags: await rows('unknown_flags'),
      client_applications: await rows('client_applications'),
      client_instances: await rows('client_instances'),
      client_metrics: await rows('client_metrics'),
    }
    await look.close()
    expect(counts.unknown_flags).toBeLessThanOrEqual(5000)
    expect(counts.client_applications).toBeLessThanOrEqual(5000)
    expect(counts.client_instances).toBeLessThanOrEqual(20_000)
    // none of the invented names is a flag
    expect(counts.client_metrics).toBe(0)
    expect(await node.series('burgee_usage_dropped_total')).toBeGreaterThan(0)
    expect((await node.download()).on).toEqual(['known'])
    const grown = growthOf(samples)
    report(
      'P7',
      `${sent} hostile requests, ${Math.round((performance.now() - beganMs) / 1000)} s`,
      figuresOf(grown, samples, counts),
    )
    if (IS_LONG)
      for (const [what, growth] of Object.entries(grown)) expect([what, growth < MOST_GROWTH]).toEqual([what, true])
  },
  LONG_MS + 120_000,
)

/** Compares the medians of the last and the second quarter. */
function growthOf(samples: readonly Sample[]): Record<keyof Sample, number> {
  const quarter = Math.floor(samples.length / 4)
  const of = (key: keyof Sample) =>
    median(samples.slice(-quarter), key) / median(samples.slice(quarter, 2 * quarter), key)
  return { server: of('server'), proxy: of('proxy'), disk: of('disk') }
}

function median(samples: readonly Sample[], key: keyof Sample): number {
  return samples.map((one) => one[key]).toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? Number.NaN
}

function figuresOf(
  grown: Record<keyof Sample, number>,
  samples: readonly Sample[],
  counts: Record<string, number>,
): string {
  const last = samples.at(-1)
  const mib = (bytes = 0) => `${Math.round(bytes / 2 ** 20)} MiB`
  const one = (key: keyof Sample) => `${key} ${mib(last?.[key])} (× ${grown[key].toFixed(2)})`
  return `${one('server')}, ${one('proxy')}, ${one('disk')}; rows: ${Object.entries(counts)
    .map(([table, n]) => `${table} ${n}`)
    .join(', ')}`
}
