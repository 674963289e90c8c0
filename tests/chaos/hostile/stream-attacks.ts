import type { Socket } from 'node:net'
import { TOKENS } from '../server-node.ts'
import { type Attack, formatStatuses } from './attack.ts'
import { headOf, holdSockets, openSocket, type Route } from './hostile-client.ts'
import type { HostileScene } from './scene.ts'

const STREAM = 'GET /api/client/streaming'
const ADMIN_STREAM = 'GET /api/admin/event-stream'
const HOST = '127.0.0.1'
/** Number of streams that one network opens for each connection of the other attacks. */
const STREAMS_PER_CONNECTION = 10
const REPLY_LIMIT_MS = 10_000
const CHANGES = 20

const streamHead = (authorization: string): string => headOf(STREAM, { authorization, accept: 'text/event-stream' })
const adminHead = ({ viewer: cookie }: HostileScene): string =>
  headOf(ADMIN_STREAM, { cookie, accept: 'text/event-stream' })

const parseStatus = (reply: Buffer): number => Number(/^HTTP\/1\.1 (\d+)/.exec(reply.toString('latin1'))?.[1] ?? 0)

/**
 * Opens a connection, sends a head, and returns the status of the reply. Closes the connection immediately afterwards.
 */
function openAndAbandon(route: Route, head: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = openSocket(route)
    const finish = (status: number): void => {
      socket.destroy()
      resolve(status)
    }
    socket.setTimeout(REPLY_LIMIT_MS, () => finish(0))
    socket.once('connect', () => socket.write(head))
    socket.once('data', (reply) => finish(parseStatus(reply)))
    socket.once('close', () => finish(0))
  })
}

/**
 * Opens streams and leaves them open. `statuses` resolves once each stream has a status; 0 means that the connection
 * was closed.
 */
function openStreams(route: Route, count: number, head: string) {
  const statuses: Record<number, number> = {}
  const opened = Array.from({ length: count }, () => {
    const socket = openSocket(route)
    const status = new Promise<number>((resolve) => {
      socket.setTimeout(REPLY_LIMIT_MS, () => resolve(0))
      socket.once('connect', () => socket.write(head))
      socket.once('data', (reply) => resolve(parseStatus(reply)))
      socket.once('close', () => resolve(0))
    }).then((code) => {
      statuses[code] = (statuses[code] ?? 0) + 1
    })
    return { socket, status }
  })
  return {
    statuses: Promise.all(opened.map(({ status }) => status)).then(() => statuses),
    close(): void {
      for (const { socket } of opened) socket.destroy()
    },
  }
}

/** Changes a flag of each project, so that every stream has something to send. */
async function changeFlags({ node }: HostileScene): Promise<void> {
  for (let index = 0; index < CHANGES; index += 1) {
    const state = index % 2 === 0 ? 'off' : 'on'
    for (const flag of ['large/features/large-0', 'default/features/known']) {
      const reply = await node.admin('POST', `projects/${flag}/environments/development/${state}`)
      if (!reply.ok) throw new Error(`Change during the attack: ${reply.status} ${await reply.text()}`)
    }
  }
}

/** Returns the statuses of streams that another network opens. Throws if any of them was refused. */
async function requireStreams(ports: readonly number[]): Promise<string> {
  const statuses = await Promise.all(
    ports.map((port) => openAndAbandon({ port, from: HOST }, streamHead(TOKENS.client))),
  )
  if (statuses.some((status) => status !== 200)) throw new Error(`Streams of others got ${statuses.join(' and ')}`)
  return statuses.join(' and ')
}

/** Attacks on streams of server and edge. */
export const STREAM_ATTACKS: readonly Attack[] = [
  {
    name: 'streams of a server and an edge that nobody reads',
    async run(scene, { connections: count, holdMs }) {
      const begin = (head: string) => (socket: Socket) => {
        socket.pause()
        socket.write(head)
      }
      const large = begin(streamHead(scene.largeToken))
      const holding = Promise.all([
        holdSockets({ port: scene.serverPort, from: '127.0.4.1' }, { count, holdMs, begin: large }),
        holdSockets({ port: scene.serverPort, from: '127.0.4.2' }, { count, holdMs, begin: begin(adminHead(scene)) }),
        holdSockets(
          { port: scene.edgePort, from: '127.0.4.3' },
          { count, holdMs, begin: begin(streamHead(TOKENS.client)) },
        ),
      ])
      await changeFlags(scene)
      const others = await requireStreams([scene.serverPort, scene.edgePort])
      const closed = (await holding).reduce((sum, one) => sum + one, 0)
      return `${3 * count} connections, ${closed} closed; ${CHANGES} changes meanwhile; streams of others ${others}`
    },
  },
  {
    name: 'streams that are opened and abandoned',
    async run(scene, { flood: { count, connections, limitMs } }) {
      const endMs = performance.now() + limitMs
      const statuses: Record<number, number> = {}
      const rows = [
        { port: scene.serverPort, head: streamHead(scene.largeToken) },
        { port: scene.serverPort, head: adminHead(scene) },
        { port: scene.edgePort, head: streamHead(TOKENS.client) },
      ]
      let sent = 0
      const send = async (): Promise<void> => {
        while (sent < count && performance.now() < endMs) {
          const { port, head } = rows[sent % rows.length] as (typeof rows)[number]
          sent += 1
          const status = await openAndAbandon({ port, from: '127.0.4.4' }, head)
          statuses[status] = (statuses[status] ?? 0) + 1
        }
      }
      await Promise.all(Array.from({ length: connections }, send))
      const others = await requireStreams([scene.serverPort, scene.edgePort])
      return `${formatStatuses(statuses)}; streams of others ${others}`
    },
  },
  {
    name: 'thousands of streams from one network',
    async run(scene, { connections }) {
      const count = STREAMS_PER_CONNECTION * connections
      const server = openStreams({ port: scene.serverPort, from: '127.0.4.5' }, count, streamHead(scene.largeToken))
      const edge = openStreams({ port: scene.edgePort, from: '127.0.4.6' }, count, streamHead(TOKENS.client))
      const statuses = await Promise.all([server.statuses, edge.statuses])
      await changeFlags(scene)
      const others = await requireStreams([scene.serverPort, scene.edgePort])
      server.close()
      edge.close()
      const [atServer = {}, atEdge = {}] = statuses
      return `server ${formatStatuses(atServer)}; edge ${formatStatuses(atEdge)}; streams of others ${others}`
    },
  },
]
