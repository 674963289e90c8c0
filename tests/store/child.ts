import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { COMPILED } from '../support/burgee.ts'

/** Server in another process. */
export interface Child {
  readonly process: ChildProcess
  readonly pid: number
  /** Undefined if the server did not start. */
  readonly port: number | undefined
  readonly failed: string | undefined
  /** Kills the server with SIGKILL and waits until its process has ended. */
  kill(): Promise<void>
}

const SCRIPT = fileURLToPath(new URL('server-child.ts', import.meta.url))

/** Starts the built server in another process. Waits until the server listens or reports why it cannot. */
export async function startChild(dataDir: string, token: string): Promise<Child> {
  const process_ = spawn(process.execPath, ['--no-warnings', SCRIPT, dataDir, token], {
    // the child's standard input is closed when this process ends, which ends the child, so no test leaves a server
    // behind
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE: COMPILED },
  })
  const ended = once(process_, 'exit')
  const line = await firstLine(process_)
  const { port, failed } = JSON.parse(line) as { port?: number; failed?: string }
  return {
    process: process_,
    pid: process_.pid ?? 0,
    port,
    failed,
    kill: async () => {
      process_.kill('SIGKILL')
      await ended
    },
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk)
    const end = text.indexOf('\n')
    if (end >= 0) return text.slice(0, end)
  }
  throw new Error(`The child ended without a word: ${text}`)
}
