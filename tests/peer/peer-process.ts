import { fork } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const LAUNCHER = fileURLToPath(new URL('./launch.mjs', import.meta.url))

/** Unleash Proxy in a separate process. */
export interface PeerProcess {
  readonly url: string
  readonly stop: () => Promise<void>
}

/**
 * Starts Unleash Proxy with exactly these variables. Resolves when the proxy listens, even if it is not ready. The
 * proxy writes a backup of its features to `TMPDIR`, by default a new folder below `folder`.
 */
export async function startPeer(env: Readonly<Record<string, string>>, folder: string): Promise<PeerProcess> {
  mkdirSync(folder, { recursive: true })
  const child = fork(LAUNCHER, {
    env: { PATH: process.env.PATH ?? '', TMPDIR: mkdtempSync(join(folder, 'peer-')), ...env },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors += String(chunk)
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { port: number }).port))
    child.once('close', () => reject(new Error(`The peer did not start: ${errors}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
