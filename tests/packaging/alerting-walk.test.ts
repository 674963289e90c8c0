import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runServer, type ServerNode, serverNode, TOKENS } from '../chaos/server-node.ts'
import { type EdgeNode, edgeNode, runEdge } from '../edge/processes/edge-node.ts'
import { haveDebian } from '../setup/debian.ts'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { until } from '../support/wait.ts'
import { type AlertingRig, type Notification, startAlerting } from './alerting-rig.ts'

/**
 * Steps that an operator takes from a failure to its end, with Prometheus and Alertmanager (Debian packages): the alert
 * names the process, the runbook has an entry for the alert, following the entry shows the cause, and the alert ends.
 */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const RULES = join(ROOT, 'deploy', 'grafana', 'alerts.yaml')
const RUNBOOK = readFileSync(join(ROOT, 'docs', 'runbook.md'), 'utf8')
const MEGABYTES = 24
const run = promisify(execFile)
const PROXY_KEY = 'proxy-key'
const hasTools = haveDebian(
  ['prometheus', 'prometheus-alertmanager', 'curl'],
  ['prometheus', 'prometheus-alertmanager', 'curl'],
)
const disk = hasTools ? mountSmallDisk(MEGABYTES) : undefined

/** Returns the row of the runbook for an alert. */
const readRow = (alert: string): string => RUNBOOK.split('\n').find((line) => line.startsWith(`| \`${alert}\` |`)) ?? ''

/** Runs the command that the runbook gives for a component, with the instance of an alert. Returns its output. */
async function ask(component: string, instance: string): Promise<string> {
  const command = RUNBOOK.split('\n').find((line) => line.trim().startsWith('curl') && line.endsWith(`# ${component}`))
  if (command === undefined) throw new Error(`The runbook has no command for ${component}`)
  const { stdout } = await run('sh', ['-c', command.replace('HOST:PORT', instance)])
  return stdout
}

/**
 * Checks that an alert names the process and leads to its row in the runbook, and that the row mentions these texts.
 */
function expectGuidance({ labels, annotations }: Notification, instance: string, mentioned: readonly string[]): void {
  expect(annotations.description).toContain(`${instance} of job ${labels.job}. What to do: docs/runbook.md#alerts`)
  const row = readRow(labels.alertname ?? '')
  for (const text of mentioned) expect(row).toContain(text)
}

describe.skipIf(disk === undefined)(
  'alerts (need prometheus, prometheus-alertmanager and a mount)',
  { timeout: 90_000 },
  () => {
    const folder = temporaryFolder()
    const running: BurgeeProcess[] = []
    const tracked = (process: BurgeeProcess): BurgeeProcess => {
      running.push(process)
      return process
    }
    let server: ServerNode
    let edge: EdgeNode
    let proxy: { readonly process: BurgeeProcess; readonly base: string }
    let rig: AlertingRig
    const data = join(disk?.path ?? '', 'data')
    const startServer = (port: string) => runServer({ DATA_DIR: data, HTTP_PORT: port })

    beforeAll(async () => {
      server = await serverNode(tracked(startServer('0')))
      const following = { FLAG_URL: `${server.base}/api`, FLAG_API_TOKEN: TOKENS.client }
      const own = {
        FLAG_PROXY_CLIENT_KEYS: PROXY_KEY,
        PROXY_PORT: '0',
        FLAG_FETCH_INTERVAL: '500',
        FLAG_STREAMING: 'off',
      }
      const proxyProcess = tracked(runBurgee(['proxy'], { ...following, ...own }))
      const port = await proxyProcess.find(/listening on port (\d+)/)
      proxy = { process: proxyProcess, base: `http://127.0.0.1:${port}` }
      const upstream = { UPSTREAM_URL: server.base, TOKENS: TOKENS.client, FEATURES_REFRESH_INTERVAL_SECONDS: '1' }
      edge = await edgeNode(tracked(runEdge(upstream)))
      await edge.ready()
      rig = await startAlerting(folder.path, {
        rules: RULES,
        targets: [
          { job: 'burgee-server', address: getAddress(server), path: '/internal-backstage/prometheus' },
          { job: 'burgee-proxy', address: getAddress(proxy), path: '/proxy/internal-backstage/prometheus' },
          { job: 'burgee-edge', address: getAddress(edge), path: '/internal-backstage/metrics' },
        ],
      })
      await until(async () => (await rig.query('sum(up)')) === '3')
    }, 60_000)
    afterAll(async () => {
      await rig?.close()
      for (const process of running) process.kill('SIGKILL')
      await Promise.all(running.map(({ ended }) => ended))
      disk?.remove()
      folder.remove()
    })

    test('a full database alerts while SDKs are served, and the reason is in the place that the runbook names', async () => {
      const instance = getAddress(server)
      disk?.fill()
      let changes = 0
      const stop = new AbortController()
      const changing = (async () => {
        while (!stop.signal.aborted) {
          changes += 1
          await server.admin('POST', 'projects/default/features', { name: `flag-${changes}` })
          await new Promise((resolve) => setTimeout(resolve, 200))
        }
      })()
      try {
        const firing = await rig.notified('BurgeeDatabaseErrors', instance, 'firing')
        expectGuidance(firing, instance, [
          'The database is temporarily unavailable: …',
          '`burgee doctor`: `disk space`',
        ])
        expect(server.process.output()).toMatch(/The database is temporarily unavailable: .*disk is full/)
        const doctor = runBurgee(['doctor'], { DATA_DIR: data })
        expect(await doctor.ended).toBe(1)
        expect(doctor.output()).toMatch(/^fail {2}disk space/m)
        expect(JSON.parse(await ask('server', instance))).toEqual({ health: 'GOOD' })
        expect((await server.download()).status).toBe(200)
      } finally {
        disk?.free()
        stop.abort()
        await changing
      }
      await until(
        async () => (await server.admin('POST', 'projects/default/features', { name: 'after' })).status === 201,
      )
      await rig.notified('BurgeeDatabaseErrors', instance, 'resolved')
    })

    test('a killed server alerts, as do the proxy and the edge behind it, until it is back', async () => {
      const instance = getAddress(server)
      server.process.kill('SIGKILL')
      await server.process.ended
      const down = await rig.notified('BurgeeDown', instance, 'firing')
      expect([down.labels.severity, down.annotations.summary]).toEqual(['critical', expect.stringContaining(instance)])
      await expect(ask('server', instance)).rejects.toThrow()
      expectGuidance(down, instance, ['`curl` as in step 1', 'If the process hangs, restart it'])

      const stale = await rig.notified('BurgeeProxyStale', getAddress(proxy), 'firing')
      expectGuidance(stale, getAddress(proxy), ['/proxy/health/ready', '"origin"', '"lastError"', 'kill -HUP'])
      const health: unknown = JSON.parse(await ask('proxy', getAddress(proxy)))
      expect(health).toMatchObject({
        stale: true,
        origin: expect.any(String),
        lastError: { message: expect.stringContaining('ECONNREFUSED') },
      })

      const edgeStale = await rig.notified('BurgeeEdgeStale', getAddress(edge), 'firing')
      expect(edgeStale.annotations.summary).toContain('development')
      expectGuidance(edgeStale, getAddress(edge), ['Cannot get features from the upstream: …'])
      expect(edge.process.output()).toMatch(/Cannot get features from the upstream: .*ECONNREFUSED/)

      server = await serverNode(tracked(startServer(new URL(server.base).port)))
      proxy.process.kill('SIGHUP')
      await rig.notified('BurgeeDown', instance, 'resolved')
      await rig.notified('BurgeeProxyStale', getAddress(proxy), 'resolved')
      await rig.notified('BurgeeEdgeStale', getAddress(edge), 'resolved')
    })
  },
)

const getAddress = ({ base }: { readonly base: string }): string => new URL(base).host
