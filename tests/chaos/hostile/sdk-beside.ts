import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

/** Input of the thread. */
export interface Polls {
  /** Requests that are sent one after another, as an SDK sends them. */
  readonly targets: readonly { readonly url: string; readonly authorization: string }[]
  readonly intervalMs: number
}

/** Measurements since the last time that they were requested. */
export interface Measured {
  readonly latenciesMs: readonly number[]
  /** Number of replies other than 200 and 304, and of failed connections. */
  readonly failures: readonly string[]
}

const TIMEOUT_MS = 10_000
const agent = new Agent({ keepAlive: true })
const { targets, intervalMs } = workerData as Polls
const etags = new Map<string, string>()
let latenciesMs: number[] = []
let failures: string[] = []

/** Polls one target like an SDK, with the ETag of its current state. */
function poll({ url, authorization }: Polls['targets'][number]): Promise<void> {
  const etag = etags.get(url)
  const headers = { authorization, ...(etag === undefined ? {} : { 'if-none-match': etag }) }
  const beganMs = performance.now()
  return new Promise((resolve) => {
    const finish = (failure?: string): void => {
      latenciesMs.push(performance.now() - beganMs)
      if (failure !== undefined) failures.push(`${url}: ${failure}`)
      resolve()
    }
    const asked = request(url, { agent, headers, timeout: TIMEOUT_MS }, (reply) => {
      if (reply.headers.etag !== undefined) etags.set(url, reply.headers.etag)
      reply.resume()
      const isGood = reply.statusCode === 200 || reply.statusCode === 304
      reply.once('end', () => finish(isGood ? undefined : String(reply.statusCode)))
    })
    asked.once('timeout', () => asked.destroy(new Error(`no reply in ${TIMEOUT_MS} ms`)))
    asked.once('error', (error) => finish(error.message))
    asked.end()
  })
}

parentPort?.on('message', () => {
  parentPort?.postMessage({ latenciesMs, failures } satisfies Measured)
  latenciesMs = []
  failures = []
})

for (let turn = 0; ; turn += 1) {
  const target = targets[turn % targets.length]
  if (target !== undefined) await poll(target)
  await new Promise((resolve) => setTimeout(resolve, intervalMs))
}
