import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { COMPILED } from '../support/burgee.ts'

/** A server in another process. */
export interface Child {
  readonly process: ChildProcess
  readonly pid: number
  /** Undefined when it did not start. */
  readonly port: number | undefined
  readonly failed: string | undefined
  /** Ends it by SIGKILL and waits until it is gone. */
  kill(): Promise<void>
}

const SCRIPT = fileURLToPath(new URL('server-child.ts', import.meta.url))

/** Starts a server, as it was built, in another process and waits until it listens or says why it does not. */
export async function startChild(dataDir: string, token: string): Promise<Child> {
  const process_ = spawn(process.execPath, ['--no-warnings', SCRIPT, dataDir, token], {
    // its input ends with this process, and then it ends as well: no test leaves a server behind
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
