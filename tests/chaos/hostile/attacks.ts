import { connect as connectTls } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { TOKENS } from '../server-node.ts'
import { ADMIN_READS } from './admin-reads.ts'
import { type Attack, type AttackSize, formatStatuses, inventedToken, JSON_TYPE, madeUp } from './attack.ts'
import { flood, type HostileRequest, headOf, holdSockets } from './hostile-client.ts'
import { NAME_FLOODS } from './name-floods.ts'
import { EDGE_REQUEST_TIMEOUT_SECONDS, type HostileScene } from './scene.ts'
import { STREAM_ATTACKS } from './stream-attacks.ts'

const HOST = '127.0.0.1'
const UNPACKED_BYTES = 11_900_000
/** Number of bytes that are never sent, so that a body never ends. */
const GZIP_END_BYTES = 9
const BOMB = gzipSync(Buffer.alloc(UNPACKED_BYTES, ' '))
const GZIP = { ...JSON_TYPE, 'content-encoding': 'gzip' }
const VALIDATED_EACH = 100
const EDIT_VALUE_CHARACTERS = 90
const EDIT_VALUES = 950
const LARGE_REPLIES_EACH = 20
const BYTE_INTERVAL_MS = 200
/** Time limit for closing connections without a handshake, in milliseconds. */
const HANDSHAKE_LIMIT_MS = 2 * EDGE_REQUEST_TIMEOUT_SECONDS * 1000

const SERVER_BOMB_ROUTES = ['/api/admin/imports', '/api/admin/state/import', '/api/client/metrics', '/edge/metrics']
const EDGE_BOMB_ROUTES = ['/api/client/metrics/bulk', '/api/client/metrics', '/api/frontend', '/edge/validate']

function bombAt(routes: readonly string[], headers: Readonly<Record<string, string>>) {
  return (index: number): HostileRequest => ({
    method: 'POST',
    path: routes[index % routes.length] ?? '',
    headers: { ...GZIP, ...headers },
    body: BOMB,
  })
}

/** Sends requests without the last bytes of their bodies, and leaves them open. */
function holdBombs(port: number, from: string, { connections: count, holdMs }: AttackSize, routes: readonly string[]) {
  let index = 0
  return holdSockets(
    { port, from },
    {
      count,
      holdMs,
      begin(socket) {
        const route = routes[index % routes.length]
        index += 1
        socket.write(headOf(`POST ${route}`, { ...GZIP, 'content-length': String(BOMB.length) }))
        socket.write(BOMB.subarray(0, -GZIP_END_BYTES))
      },
    },
  )
}

/** Returns the statuses that the edge returns for valid tokens which have not been used before. */
async function newcomers(scene: HostileScene, count: number): Promise<Record<number, number>> {
  const tokens = scene.newTokens.splice(0, count)
  const bounds = { count: tokens.length, connections: 2, limitMs: 30_000 }
  return flood({ port: scene.edgePort, from: HOST }, bounds, (index) => ({
    method: 'GET',
    path: '/api/client/features',
    headers: { authorization: tokens[index] ?? '' },
  }))
}

/** Requests flags over a new TLS connection. Rejects if there is no reply. */
function askOverTls({ edgeTlsPort: port }: HostileScene): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: HOST, port, rejectUnauthorized: false }, () => {
      socket.write(headOf('GET /api/frontend?userId=7', { authorization: TOKENS.frontend, connection: 'close' }))
    })
    socket.setTimeout(10_000, () => socket.destroy(new Error('No handshake in 10 s')))
    socket.once('data', (bytes) => {
      socket.destroy()
      resolve(String(bytes).split('\r\n', 1)[0] ?? '')
    })
    socket.once('error', reject)
  })
}

async function adminAsViewer({ node, viewer }: HostileScene, method: string, path: string, body: unknown) {
  const headers = { ...JSON_TYPE, cookie: viewer, origin: node.base }
  const reply = await fetch(`${node.base}/api/admin/${path}`, { method, headers, body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as { id: number; features: { changes: { id: number }[] }[] }
}

function proposedStrategy() {
  const values = Array.from({ length: EDIT_VALUES }, () => madeUp(EDIT_VALUE_CHARACTERS / 2))
  const constraints = [{ contextName: 'userId', operator: 'IN', values }]
  return { action: 'addStrategy', payload: { name: 'default', constraints } }
}

const bombs: readonly Attack[] = [
  {
    name: 'bodies of a server that never end and unpack a thousandfold, without credentials',
    async run(scene, size) {
      const closed = await holdBombs(scene.serverPort, '127.0.1.1', size, SERVER_BOMB_ROUTES)
      return `${size.connections} connections of ${BOMB.length} bytes, ${closed} closed by the server`
    },
  },
  {
    name: 'whole bodies of a server that unpack a thousandfold, without credentials and with a token',
    async run(scene, size) {
      const route = { port: scene.serverPort, from: '127.0.1.2' }
      const statuses = await flood(route, size.flood, bombAt(SERVER_BOMB_ROUTES, {}))
      const known = await flood(route, size.flood, bombAt(['/api/client/metrics'], { authorization: TOKENS.client }))
      return `without: ${formatStatuses(statuses)}; with a token: ${formatStatuses(known)}`
    },
  },
  {
    name: 'bodies of an edge that unpack a thousandfold, unfinished and whole',
    async run(scene, size) {
      const closed = await holdBombs(scene.edgePort, '127.0.1.3', size, EDGE_BOMB_ROUTES)
      const statuses = await flood(
        { port: scene.edgePort, from: '127.0.1.3' },
        size.flood,
        bombAt(EDGE_BOMB_ROUTES, {}),
      )
      return `${size.connections} connections, ${closed} closed by the edge; ${formatStatuses(statuses)}`
    },
  },
]

const connections: readonly Attack[] = [
  {
    name: 'TLS connections of an edge without a handshake',
    async run(scene, { connections: count, holdMs }) {
      const hello = Buffer.from([0x16, 0x03, 0x01])
      let index = 0
      const holding = holdSockets(
        { port: scene.edgeTlsPort, from: '127.0.2.1' },
        {
          count,
          holdMs: Math.max(holdMs, HANDSHAKE_LIMIT_MS),
          begin(socket) {
            index += 1
            if (index % 2 === 0) socket.write(hello)
          },
        },
      )
      const status = await askOverTls(scene)
      if (!status.includes('200')) throw new Error(`Over TLS the edge answered ${status}`)
      const closed = await holding
      if (closed < count) throw new Error(`The edge closed ${closed} of ${count} connections`)
      return `${count} connections, ${closed} closed by the edge; others over TLS: ${status}`
    },
  },
  {
    name: 'heads and bodies that come byte by byte',
    async run(scene, { connections: count, holdMs }) {
      const head = headOf('POST /api/client/metrics', {
        ...JSON_TYPE,
        authorization: TOKENS.client,
        'content-length': '90000',
      })
      const begin = (isBody: boolean) => (socket: Parameters<Parameters<typeof holdSockets>[1]['begin']>[0]) => {
        socket.write(isBody ? `${head}{` : 'GET /api/client/features HTTP/1.1\r\nx-slow: ')
        const timer = setInterval(() => socket.write(isBody ? ' ' : 'x'), BYTE_INTERVAL_MS)
        socket.once('close', () => clearInterval(timer))
      }
      const half = Math.ceil(count / 2)
      const ports = [scene.serverPort, scene.edgePort]
      const held = ports.flatMap((port) => [
        holdSockets({ port, from: '127.0.2.2' }, { count: half, holdMs, begin: begin(false) }),
        holdSockets({ port, from: '127.0.2.3' }, { count: half, holdMs, begin: begin(true) }),
      ])
      const closed = (await Promise.all(held)).reduce((sum, one) => sum + one, 0)
      return `${4 * half} connections, ${closed} closed by server and edge`
    },
  },
  {
    name: 'large replies that nobody reads',
    async run(scene, { connections: count, holdMs }) {
      const head = headOf('GET /api/client/features', { authorization: scene.largeToken })
      const closed = await holdSockets(
        { port: scene.serverPort, from: '127.0.2.4' },
        {
          count,
          holdMs,
          begin(socket) {
            socket.pause()
            socket.write(head.repeat(LARGE_REPLIES_EACH))
          },
        },
      )
      return `${count} connections with ${LARGE_REPLIES_EACH} requests each, ${closed} closed by the server`
    },
  },
]

const floods: readonly Attack[] = [
  {
    name: 'invented tokens at an edge',
    async run(scene, size) {
      const attack = (from: string, make: (index: number) => HostileRequest) =>
        flood({ port: scene.edgePort, from }, size.flood, make)
      const attacking = Promise.all([
        attack('127.0.3.1', () => ({
          method: 'POST',
          path: '/edge/validate',
          headers: JSON_TYPE,
          body: JSON.stringify({ tokens: Array.from({ length: VALIDATED_EACH }, inventedToken) }),
        })),
        attack('127.0.3.2', () => ({
          method: 'GET',
          path: '/api/client/features',
          headers: { authorization: inventedToken() },
        })),
      ])
      const admitted = await newcomers(scene, 10)
      const [validated, asked] = await attacking
      if (Object.keys(admitted).some((status) => status !== '200')) {
        throw new Error(
          `Newcomers with good tokens got ${formatStatuses(admitted)}; the flood got ${formatStatuses(validated)}; ${formatStatuses(asked)}`,
        )
      }
      return `/edge/validate ${formatStatuses(validated)}; flags ${formatStatuses(asked)}; newcomers with good tokens ${formatStatuses(admitted)}`
    },
  },
  {
    name: 'invented tokens at a server',
    async run(scene, size) {
      const statuses = await flood({ port: scene.serverPort, from: '127.0.3.3' }, size.flood, () => ({
        method: 'GET',
        path: '/api/client/features',
        headers: { authorization: inventedToken() },
      }))
      return formatStatuses(statuses)
    },
  },
  {
    name: 'a Viewer who edits a change request and notes what was seen',
    async run(scene, size) {
      const requests = 'projects/default/environments/development/change-requests'
      const proposed = { feature: 'known', ...proposedStrategy() }
      const { id, features } = await adminAsViewer(scene, 'POST', requests, [proposed])
      const change = features[0]?.changes[0]?.id
      // a change of a request has its payload in the history only if the request is in review
      const step = `projects/default/change-requests/${id}/state`
      await adminAsViewer(scene, 'PUT', step, { state: 'In review' })
      const path = `/api/admin/projects/default/change-requests/${id}/changes/${change}`
      const headers = { ...JSON_TYPE, cookie: scene.viewer, origin: scene.node.base }
      const route = { port: scene.serverPort, from: '127.0.3.5' }
      const edits = await flood(route, size.flood, () => ({
        method: 'PUT',
        path,
        headers,
        body: JSON.stringify(proposedStrategy()),
      }))
      const notes = await flood(route, size.flood, () => ({
        method: 'POST',
        path: `/api/admin/splash/${madeUp(40)}`,
        headers,
      }))
      return `edits of ${JSON.stringify(proposed).length} bytes ${formatStatuses(edits)}; notes ${formatStatuses(notes)}`
    },
  },
]

/** All attacks, in execution order. */
export const ATTACKS: readonly Attack[] = [
  ...bombs,
  ...connections,
  ...floods,
  ...NAME_FLOODS,
  ...ADMIN_READS,
  ...STREAM_ATTACKS,
]
