import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../../packages/kit/src/free-port.ts'
import { runServer, type ServerNode, serverNode, TOKENS } from '../chaos/server-node.ts'
import { findHelm } from '../setup/helm.ts'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { until } from '../support/wait.ts'
import { makeCertificate } from './front-door.ts'
import { type Container, type Manifest, render } from './kubernetes.ts'

/**
 * Commands and variables of rendered containers, run without a cluster: processes listen where probes, monitors and
 * test pods call them, and a backup of the CronJob can be restored. Only folders and addresses differ from a pod.
 */
const run = promisify(execFile)
const helm = findHelm() ?? ''
const folder = temporaryFolder()
const running: BurgeeProcess[] = []
let upstream: ServerNode

beforeAll(async () => {
  upstream = await serverNode(runServer({ DATA_DIR: join(folder.path, 'upstream') }))
})
afterAll(async () => {
  for (const one of [...running, upstream.process]) one.kill('SIGTERM')
  await Promise.all([...running, upstream.process].map(({ ended }) => ended))
  folder.remove()
})

const literals = ({ env }: Container): Record<string, string> =>
  Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
const find = (manifests: readonly Manifest[], kind: string, name: string): Manifest => {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === `demo-burgee-${name}`)
  if (found === undefined) throw new Error(`No ${kind} ${name}`)
  return found
}

interface Case {
  readonly part: 'server' | 'proxy' | 'edge'
  readonly title: string
  /** Variables for `env` in the values, which select a free port. */
  readonly env: (port: number) => Record<string, unknown>
}
const CASES: readonly Case[] = [
  { part: 'server', title: 'its own port', env: (HTTP_PORT) => ({ HTTP_PORT }) },
  { part: 'server', title: 'a base path', env: (PORT) => ({ PORT, BASE_URI_PATH: '/base/' }) },
  { part: 'proxy', title: 'its own port', env: (PROXY_PORT) => ({ PROXY_PORT }) },
  { part: 'proxy', title: 'a base path', env: (PORT) => ({ PORT, PROXY_BASE_PATH: '/base' }) },
  { part: 'edge', title: 'its own port', env: (PORT) => ({ PORT }) },
  { part: 'edge', title: 'a base path', env: (PROXY_PORT) => ({ PROXY_PORT, BASE_PATH: 'base' }) },
]
/** Variables that a pod would get from its secrets, and folders that exist here. */
const local = (part: Case['part'], path: string): Record<string, string> =>
  ({
    server: { DATA_DIR: path },
    proxy: { FLAG_API_TOKEN: TOKENS.client, FLAG_PROXY_CLIENT_KEYS: 'key-of-a-page', FLAG_BACKUP_FOLDER: path },
    edge: { TOKENS: TOKENS.client, BACKUP_FOLDER: path },
  })[part]

describe.skipIf(helm === '')('rendered containers (need Go and its module proxy)', { timeout: 60_000 }, () => {
  test.each(CASES)('$part with $title listens where probes and the monitor call it', async ({ part, env }) => {
    const port = await findFreePort()
    const urls = { FLAG_URL: `${upstream.base}/api`, UPSTREAM_URL: upstream.base }
    const needed =
      part === 'proxy' ? { FLAG_URL: urls.FLAG_URL } : part === 'edge' ? { UPSTREAM_URL: urls.UPSTREAM_URL } : {}
    const manifests = render(helm, {
      server: { enabled: part === 'server' },
      [part]: { enabled: true, env: { ...needed, ...env(port) } },
      serviceMonitor: { enabled: true },
    })
    const kind = part === 'server' ? 'StatefulSet' : 'Deployment'
    const [container] = find(manifests, kind, part).spec.template.spec.containers
    const path = join(folder.path, `${part}-${port}`)
    mkdirSync(path)
    const process = runBurgee(container.args, { ...literals(container), ...local(part, path), SHUTDOWN_DELAY: '0' })
    running.push(process)
    const ports = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]))
    const monitors = find(manifests, 'ServiceMonitor', part).spec.endpoints
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe]
    const asked = [...probes.map(({ httpGet }) => httpGet), ...monitors]
    for (const { port: name, path: at } of asked) {
      await until(
        async () => (await fetch(`http://127.0.0.1:${ports[name]}${at}`).catch(() => undefined))?.status === 200,
      )
    }
    const testPod = find(manifests, 'Pod', `${part}-test`).spec.containers[0].args
    const url = new URL(testPod[2] ?? '')
    expect(testPod.slice(0, 2)).toEqual(['health', '--url'])
    const health = runBurgee([...testPod.slice(0, 2), `http://127.0.0.1:${ports.http}${url.pathname}`])
    expect(await health.ended).toBe(0)
  })

  test('an edge with TLS serves the monitor over TLS where it redirects', async () => {
    const [port, tlsPort] = [await findFreePort(), await findFreePort()]
    const { key, certificate } = await makeCertificate(folder.path, 'localhost')
    const tls = { TLS_ENABLE: true, TLS_SERVER_PORT: tlsPort, TLS_SERVER_KEY: key, TLS_SERVER_CERT: certificate }
    const env = { UPSTREAM_URL: upstream.base, PORT: port, REDIRECT_HTTP_TO_HTTPS: true, ...tls }
    const values = { server: { enabled: false }, edge: { enabled: true, env }, serviceMonitor: { enabled: true } }
    const manifests = render(helm, values)
    const [container] = find(manifests, 'Deployment', 'edge').spec.template.spec.containers
    const path = join(folder.path, `edge-${port}`)
    mkdirSync(path)
    running.push(runBurgee(container.args, { ...literals(container), ...local('edge', path), SHUTDOWN_DELAY: '0' }))
    const ports = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]))
    await until(async () => {
      const reply = await fetch(`http://127.0.0.1:${ports.http}${container.readinessProbe.httpGet.path}`).catch(
        () => undefined,
      )
      return reply?.status === 200
    })
    const [endpoint] = find(manifests, 'ServiceMonitor', 'edge').spec.endpoints
    const url = `https://127.0.0.1:${ports[endpoint?.port ?? '']}${endpoint?.path}`
    const { stdout } = await run('curl', ['--silent', '--insecure', '--fail', url])
    expect(stdout).toContain('burgee_edge_ready 1')
    expect(find(manifests, 'Service', 'edge').spec.ports.map(({ name, port: own }) => [name, own])).toEqual([
      ['http', 80],
      ['https', 443],
    ])
  })

  test('the CronJob backs up a running server, keeps the newest files, and a backup can be restored', async () => {
    const manifests = render(helm, { backup: { enabled: true, keep: 2 } })
    const [container] = find(manifests, 'CronJob', 'backup').spec.jobTemplate.spec.template.spec.containers
    const [shell = '', options = '', script = ''] = container.command ?? []
    const data = join(folder.path, 'data')
    const backups = join(folder.path, 'backups')
    mkdirSync(backups)
    const server = await serverNode(runServer({ DATA_DIR: data }))
    await server.makeOn('from-the-backup')
    const env = { ...literals(container), PATH: process.env.PATH ?? '', DATA_DIR: data, BACKUP_FOLDER: backups }
    const here = script.replace('/app/burgee.mjs', join(import.meta.dirname, '..', '..', 'bin', 'burgee.mjs'))
    for (let time = 1; time <= 3; time += 1) {
      // the file's name contains the time in seconds
      const named = here.replace('$(date -u +%Y%m%dT%H%M%SZ)', `20260101T00000${time}Z`)
      const { stdout } = await run(shell, [options, named], { env })
      expect(stdout.trim().split('\n').at(-1)).toBe(`Saved ${join(backups, `burgee-20260101T00000${time}Z.sqlite`)}`)
    }
    const names = readdirSync(backups).filter((name) => name.endsWith('.sqlite'))
    expect(names.sort()).toEqual(['burgee-20260101T000002Z.sqlite', 'burgee-20260101T000003Z.sqlite'])
    server.process.kill('SIGTERM')
    await server.process.ended
    const restored = join(folder.path, 'restored')
    expect(await runBurgee(['restore', join(backups, names[1] ?? '')], { DATA_DIR: restored }).ended).toBe(0)
    const again = await serverNode(runServer({ DATA_DIR: restored }))
    running.push(again.process)
    expect(await again.download()).toEqual({ status: 200, on: ['from-the-backup'] })
  })
})
