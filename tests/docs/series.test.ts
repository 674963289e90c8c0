import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { edgeNode, runEdge } from '../edge/processes/edge-node.ts'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { callAs } from '../support/call-as.ts'
import { until } from '../support/wait.ts'

/** Every metric in the dashboard and the alerts is exported by a running server, proxy or edge. */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const ADMIN = '*:*.admin-secret'
const CLIENT = '*:development.client-secret'
const FRONTEND = '*:development.frontend-secret'
const KEY = 'some-key'
/** Series that only a server on PostgreSQL exports; the failover tests read them. */
const ON_POSTGRESQL = ['burgee_database_writable']
const NAME = /\b(?:burgee|nodejs|process)_[a-z0-9_]+/g
const folder = temporaryFolder()
const processes: BurgeeProcess[] = []
let emitted: Set<string>

const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')
const named = (expressions: readonly string[]) => [...new Set(expressions.flatMap((one) => one.match(NAME) ?? []))]
const start = (args: readonly string[], env: Readonly<Record<string, string>>): BurgeeProcess => {
  const one = runBurgee(args, env)
  processes.push(one)
  return one
}
const namesAt = async (url: string): Promise<string[]> =>
  [...(await (await fetch(url)).text()).matchAll(/^(\w+)(?:\{[^}]*\})? \S+$/gm)].map(([, name = '']) => name)

beforeAll(async () => {
  const server = start(['server'], {
    DATA_DIR: folder.path,
    HTTP_PORT: '0',
    HTTP_HOST: '127.0.0.1',
    INIT_ADMIN_API_TOKENS: ADMIN,
    INIT_CLIENT_API_TOKENS: CLIENT,
    INIT_FRONTEND_API_TOKENS: FRONTEND,
  })
  const url = `http://127.0.0.1:${await server.find(/listening on port (\d+)/)}`
  const edgeProcess = runEdge({ UPSTREAM_URL: url, TOKENS: CLIENT })
  processes.push(edgeProcess)
  const edge = await edgeNode(edgeProcess)
  const proxyProcess = start(['proxy'], {
    FLAG_URL: `${url}/api`,
    FLAG_API_TOKEN: CLIENT,
    FLAG_PROXY_CLIENT_KEYS: KEY,
    PROXY_PORT: '0',
    FLAG_REFRESH_INTERVAL: '200',
  })
  const proxy = `http://127.0.0.1:${await proxyProcess.find(/listening on port (\d+)/)}/proxy`
  await edge.ready()
  await until(async () => (await fetch(`${proxy}/health`)).ok)

  await callAs(ADMIN, 'POST', `${url}/api/admin/projects/default/features`, { name: 'a-flag' })
  await fetch(`${url}/api/client/features`, { headers: { authorization: CLIENT } })
  await edge.download(CLIENT)
  await edge.frontend(FRONTEND)
  await fetch(`${proxy}?userId=7`, { headers: { authorization: KEY } })
  const server1 = await namesAt(`${url}/internal-backstage/prometheus`)
  server.kill('SIGKILL')
  const ofProxy = () => namesAt(`${proxy}/internal-backstage/prometheus`)
  await until(async () => (await ofProxy()).includes('burgee_proxy_upstream_failures_total'))
  const others = [await ofProxy(), await namesAt(`${edge.base}/internal-backstage/metrics`)]
  emitted = new Set([server1, ...others].flat())
})
afterAll(async () => {
  for (const one of processes) one.kill('SIGKILL')
  await Promise.all(processes.map(({ ended }) => ended))
  folder.remove()
})

test('the dashboard', () => {
  const { panels } = JSON.parse(read('deploy/grafana/dashboard.json')) as Dashboard
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  expect(expressions.length).toBeGreaterThan(15)
  expect(named(expressions).filter((name) => !emitted.has(name))).toEqual([])
  expect(expressions.filter((one) => !one.includes('{job=~"$job",instance=~"$instance"'))).toEqual([])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
})
interface Dashboard {
  readonly panels: readonly { readonly id: number; readonly targets?: readonly { readonly expr: string }[] }[]
}

test('the alerts', () => {
  const { groups } = parse(read('deploy/grafana/alerts.yaml')) as Alerts
  const rules = groups.flatMap((group) => group.rules)
  expect(rules.length).toBeGreaterThan(8)
  expect(named(rules.map(({ expr }) => expr)).filter((name) => !emitted.has(name))).toEqual(ON_POSTGRESQL)
  const hasSeries = (expr: string) => named([expr]).length > 0 || /\bup\{/.test(expr)
  expect(
    rules.filter(({ expr, labels, annotations }) => !hasSeries(expr) || !labels.severity || !annotations.summary),
  ).toEqual([])
})
interface Alerts {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly expr: string
      readonly labels: { readonly severity?: string }
      readonly annotations: { readonly summary?: string }
    }[]
  }[]
}

test('the page of series names all that were given out', () => {
  const page = new Set(read('docs/series.md').match(/\b[a-z]+_[a-z0-9_]+/g))
  const base = (name: string) => name.replace(/_(bucket|sum|count)$/, '')
  expect([...emitted].filter((name) => !page.has(name) && !page.has(base(name)))).toEqual([])
})
