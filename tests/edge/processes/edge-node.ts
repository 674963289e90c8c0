import { type BurgeeProcess, runBurgee } from '../../support/burgee.ts'
import { until } from '../../support/wait.ts'

/** `burgee edge` in a separate process, with helpers for requests. */
export interface EdgeNode {
  readonly process: BurgeeProcess
  readonly base: string
  ask(path: string, authorization?: string, init?: RequestInit): Promise<Response>
  /** Returns the names of the flags that are on for a front end, or the status of an error. */
  frontend(token: string, query?: string): Promise<string[] | number>
  /** Returns the names of the flags that are on in the document of a backend token, or the status of an error. */
  download(token: string): Promise<string[] | number>
  /** Waits until the edge reports that it is ready. */
  ready(): Promise<void>
  /** Returns the sum of a metric. */
  series(name: string): Promise<number>
}

const HOST = '127.0.0.1'

/** Starts an edge with the given variables, its address and a free port. Does not wait until the edge is ready. */
export function runEdge(env: Readonly<Record<string, string>>, args: readonly string[] = ['edge']): BurgeeProcess {
  return runBurgee(args, { PORT: '0', INTERFACE: HOST, ...env })
}

/** Waits until an edge listens and returns its helpers. Rejects if the edge exits before that. */
export async function edgeNode(process: BurgeeProcess): Promise<EdgeNode> {
  const base = `http://${HOST}:${await process.find(/listening on port (\d+)/)}`
  const ask: EdgeNode['ask'] = (path, authorization, init = {}) =>
    fetch(`${base}${path}`, {
      ...init,
      headers: { ...(authorization === undefined ? {} : { authorization }), ...(init.headers as object | undefined) },
    })
  return {
    process,
    base,
    ask,
    async frontend(token, query = '?userId=7') {
      const reply = await ask(`/api/frontend${query}`, token)
      if (reply.status !== 200) return reply.status
      const { toggles } = (await reply.json()) as { toggles: { name: string }[] }
      return toggles.map(({ name }) => name).sort()
    },
    async download(token) {
      const reply = await ask('/api/client/features', token)
      if (reply.status !== 200) return reply.status
      const { features } = (await reply.json()) as { features: { name: string; enabled: boolean }[] }
      return features
        .filter(({ enabled }) => enabled)
        .map(({ name }) => name)
        .sort()
    },
    async ready() {
      await until(async () => (await ask('/internal-backstage/ready')).status === 200)
    },
    async series(name) {
      const text = await (await ask('/internal-backstage/metrics')).text()
      const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))]
      return values.reduce((sum, [, value]) => sum + Number(value), 0)
    },
  }
}

/** Stops a process as an operator would. Resolves with the exit code. */
export async function ended(process: BurgeeProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  process.kill(signal)
  return process.ended
}
