import type { Socket } from 'node:net'
import { TOKENS } from '../server-node.ts'
import { type Attack, formatStatuses } from './attack.ts'
import { headOf, holdSockets, openSocket, type Route } from './hostile-client.ts'
import type { HostileScene } from './scene.ts'

const STREAM = 'GET /api/client/streaming'
const ADMIN_STREAM = 'GET /api/admin/event-stream'
const HOST = '127.0.0.1'
/** Streams of one network in proportion to the connections of other attacks. */
const STREAMS_PER_CONNECTION = 10
const REPLY_LIMIT_MS = 10_000
const CHANGES = 20

const streamHead = (authorization: string): string => headOf(STREAM, { authorization, accept: 'text/event-stream' })
const adminHead = ({ viewer: cookie }: HostileScene): string =>
  headOf(ADMIN_STREAM, { cookie, accept: 'text/event-stream' })

const parseStatus = (reply: Buffer): number => Number(/^HTTP\/1\.1 (\d+)/.exec(reply.toString('latin1'))?.[1] ?? 0)

/** Opens a connection, sends a head, and returns the status of the reply. Closes the connection at once. */
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

/** Changes large flags, so that every stream has something to send. */
async function changeFlags({ node }: HostileScene): Promise<void> {
  for (let index = 0; index < CHANGES; index += 1) {
    const state = index % 2 === 0 ? 'on' : 'off'
    const reply = await node.admin('POST', `projects/large/features/large-0/environments/development/${state}`)
    if (!reply.ok) throw new Error(`Change during the attack: ${reply.status} ${await reply.text()}`)
  }
}

/** Returns the statuses that streams of another network get. Throws if one was refused. */
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
        holdSockets({ port: scene.edgePort, from: '127.0.4.3' }, { count, holdMs, begin: large }),
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
        { port: scene.edgePort, head: streamHead(scene.largeToken) },
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
    async run(scene, { connections, holdMs }) {
      const count = STREAMS_PER_CONNECTION * connections
      const statuses: Record<number, number> = {}
      const begin = (socket: Socket): void => {
        socket.once('data', (reply) => {
          const status = parseStatus(reply)
          statuses[status] = (statuses[status] ?? 0) + 1
        })
        socket.write(streamHead(scene.largeToken))
      }
      const holding = Promise.all([
        holdSockets({ port: scene.serverPort, from: '127.0.4.5' }, { count, holdMs, begin }),
        holdSockets({ port: scene.edgePort, from: '127.0.4.6' }, { count, holdMs, begin }),
      ])
      await changeFlags(scene)
      const others = await requireStreams([scene.serverPort, scene.edgePort])
      await holding
      return `${2 * count} connections: ${formatStatuses(statuses)}; streams of others ${others}`
    },
  },
]
