import { spawn } from 'node:child_process'
import { until } from './wait.ts'

/** Prometheus, Alertmanager or another program of the Prometheus project that has become ready. */
export interface ReadyProcess {
  readonly port: number
  stop(): Promise<void>
}

const HOST = '127.0.0.1'
const LIMIT_MS = 40_000

/** Starts a program on a free port and waits until its readiness endpoint answers. */
export async function runUntilReady(program: string, args: readonly string[]): Promise<ReadyProcess> {
  const child = spawn(program, [...args, `--web.listen-address=${HOST}:0`], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise((resolve) => child.on('close', resolve))
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += String(chunk)
  })
  const port = Number(await until(() => /msg="Listening on" address=\S+:(\d+)/.exec(log)?.[1], LIMIT_MS))
  await until(async () => (await fetch(`http://${HOST}:${port}/-/ready`)).ok, LIMIT_MS)
  return {
    port,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
