import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Load balancer that follows readiness, uses keep-alive connections and never retries requests. */
export interface Balancer {
  readonly url: string
  /** Returns the number of nodes that receive requests. */
  readonly ready: () => number
  close(): Promise<void>
}

const PROBE_MS = 100
const PROBE_LIMIT_MS = 2000

interface Node {
  readonly port: number
  readonly agent: Agent
  isReady: boolean
}

/** Balances over local nodes, round robin. If a node does not respond, the balancer returns 502 with the reason. */
export async function openBalancer(ports: readonly number[], readyPath: string): Promise<Balancer> {
  const nodes: readonly Node[] = ports.map((port) => ({ port, agent: new Agent({ keepAlive: true }), isReady: false }))
  const probe = async (node: Node): Promise<void> => {
    const limit = AbortSignal.timeout(PROBE_LIMIT_MS)
    node.isReady = await fetch(`http://127.0.0.1:${node.port}${readyPath}`, { signal: limit }).then(
      async (reply) => {
        await reply.arrayBuffer()
        return reply.ok
      },
      () => false,
    )
  }
  await Promise.all(nodes.map(probe))
  const probing = setInterval(() => void Promise.all(nodes.map(probe)), PROBE_MS)
  let turn = 0
  const server = createServer((near, reply) => {
    const ready = nodes.filter(({ isReady }) => isReady)
    turn += 1
    const node = ready[turn % ready.length]
    if (node === undefined) refuse(reply, 503, 'no node is ready')
    else pass(near, reply, node)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => nodes.filter(({ isReady }) => isReady).length,
    close: () =>
      new Promise((resolve) => {
        clearInterval(probing)
        for (const { agent } of nodes) agent.destroy()
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function pass(near: IncomingMessage, reply: ServerResponse, { port, agent }: Node): void {
  const { method, url: path } = near
  const headers = { ...near.headers, connection: 'keep-alive' }
  const far = request({ host: '127.0.0.1', port, agent, method, path, headers }, (answer) => {
    const { connection: _own, 'keep-alive': _time, ...kept } = answer.headers
    reply.writeHead(answer.statusCode ?? 502, kept)
    answer.pipe(reply)
  })
  far.on('error', (error) => refuse(reply, 502, error.message))
  near.pipe(far)
}

function refuse(reply: ServerResponse, status: number, reason: string): void {
  if (reply.headersSent) reply.destroy()
  else reply.writeHead(status).end(reason)
}
