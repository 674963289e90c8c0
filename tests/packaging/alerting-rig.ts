import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { type ReadyProcess, runUntilReady } from '../support/monitoring-process.ts'
import { until } from '../support/wait.ts'

/** Alert as Alertmanager sends it to a webhook. */
export interface Notification {
  readonly status: 'firing' | 'resolved'
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/** Process that Prometheus scrapes. */
export interface ScrapeTarget {
  readonly job: string
  /** Host and port. */
  readonly address: string
  readonly path: string
}

/** Prometheus and Alertmanager with a webhook. */
export interface AlertingRig {
  /** Waits for a notification about an alert of an instance. */
  notified(alert: string, instance: string, status: Notification['status']): Promise<Notification>
  /** Returns the first value in the result of a query, as a string; undefined if the result is empty. */
  query(expression: string): Promise<string | undefined>
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const LIMIT_MS = 40_000

/** Returns variants of the rules that fire within seconds, with no waiting time, short ranges and short ages. */
export function shortenRules(text: string): string {
  return text
    .replace(/\bfor: \d+m/g, 'for: 1s')
    .replace(/\[\d+m\]/g, '[15s]')
    .replace(/_age_seconds\) > \d+/g, '_age_seconds) > 5')
}

/** Starts Prometheus with these rules and targets, and Alertmanager, which notifies a webhook of this process. */
export async function startAlerting(
  folder: string,
  { rules, targets }: { readonly rules: string; readonly targets: readonly ScrapeTarget[] },
): Promise<AlertingRig> {
  const notifications: Notification[] = []
  const webhook = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += String(part)
    })
    request.on('end', () => {
      notifications.push(...(JSON.parse(body) as { readonly alerts: readonly Notification[] }).alerts)
      response.end()
    })
  })
  await new Promise<void>((resolve) => webhook.listen(0, HOST, resolve))
  const alertmanager = await startAlertmanager(folder, (webhook.address() as AddressInfo).port)
  const prometheus = await startPrometheus(folder, {
    rules: shortenRules(readFileSync(rules, 'utf8')),
    targets,
    alertmanager,
  })
  return {
    notified: (alert, instance, status) =>
      until(
        () =>
          notifications.find(
            (one) => one.labels.alertname === alert && one.labels.instance === instance && one.status === status,
          ),
        LIMIT_MS,
      ),
    async query(expression) {
      const url = `http://${HOST}:${prometheus.port}/api/v1/query?query=${encodeURIComponent(expression)}`
      const { data } = (await (await fetch(url)).json()) as { data: { result: { value: [number, string] }[] } }
      return data.result[0]?.value[1]
    },
    async close() {
      await prometheus.stop()
      await alertmanager.stop()
      webhook.closeAllConnections()
      await new Promise((resolve) => webhook.close(resolve))
    },
  }
}

async function startAlertmanager(folder: string, webhookPort: number): Promise<ReadyProcess> {
  const file = join(folder, 'alertmanager.yaml')
  const route = { receiver: 'hook', group_by: ['...'], group_wait: '0s', group_interval: '1s', repeat_interval: '1h' }
  const receivers = [{ name: 'hook', webhook_configs: [{ url: `http://${HOST}:${webhookPort}/` }] }]
  writeFileSync(file, stringify({ route, receivers }))
  const storage = `--storage.path=${join(folder, 'alertmanager')}`
  return runUntilReady('prometheus-alertmanager', [`--config.file=${file}`, storage, '--cluster.listen-address='])
}

async function startPrometheus(
  folder: string,
  { rules, targets, alertmanager }: { rules: string; targets: readonly ScrapeTarget[]; alertmanager: ReadyProcess },
): Promise<ReadyProcess> {
  writeFileSync(join(folder, 'rules.yaml'), rules)
  const file = join(folder, 'prometheus.yaml')
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yaml'],
    alerting: { alertmanagers: [{ static_configs: [{ targets: [`${HOST}:${alertmanager.port}`] }] }] },
    scrape_configs: targets.map(({ job, address, path }) => ({
      job_name: job,
      metrics_path: path,
      static_configs: [{ targets: [address] }],
    })),
  }
  writeFileSync(file, stringify(config))
  const storage = `--storage.tsdb.path=${join(folder, 'prometheus')}`
  return runUntilReady('prometheus', [`--config.file=${file}`, storage])
}
