import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { findFreePort } from '@burgee/kit/free-port'
import { temporaryFolder } from './burgee.ts'
import { redisCommand } from './redis.ts'
import { until } from './wait.ts'

/** Redis servers on local ports. */
export interface RedisNodes {
  readonly ports: readonly number[]
  /** Runs `redis-cli` against the first server and returns its output. */
  cli(...words: string[]): string
  /** Closes all connections and restarts with empty servers. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const HOST = '127.0.0.1'

/** Starts `count` servers and waits until they respond. `argsOf` returns additional options for each port.  */
async function startNodes(count: number, argsOf: (port: number) => readonly string[], more: readonly string[] = []) {
  const folder = temporaryFolder()
  const ports = await Promise.all(Array.from({ length: count }, () => findFreePort(HOST)))
  const start = async (port: number) => {
    const dir = join(folder.path, String(port))
    mkdirSync(dir, { recursive: true })
    const args = ['--bind', HOST, '--save', '', '--appendonly', 'no', '--dir', dir, ...argsOf(port)]
    const child = spawn(redisCommand(), args, { stdio: 'ignore' })
    const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
    await until(() => isOpen(port))
    return { child, ended }
  }
  let children = await Promise.all(ports.map(start))
  const kill = async () => {
    for (const { child } of children) child.kill('SIGKILL')
    await Promise.all(children.map(({ ended }) => ended))
  }
  const cli = (...words: string[]) =>
    execFileSync('redis-cli', ['-h', HOST, '-p', String(ports[0]), ...more, ...words], { stdio: 'pipe' }).toString()
  const nodes: RedisNodes = {
    ports,
    cli,
    restart: async () => {
      await kill()
      children = await Promise.all(ports.map(start))
    },
    stop: async () => {
      await kill()
      folder.remove()
    },
  }
  return { nodes, folder }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, HOST)
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('connect', () => end(true)).on('error', () => end(false))
  })
}

/** Starts one server that requires a password. `more` adds options. */
export async function startRedisNode(password: string, more: readonly string[] = []): Promise<RedisNodes> {
  const argsOf = (port: number) => ['--port', String(port), '--requirepass', password, ...more]
  return (await startNodes(1, argsOf, ['--no-auth-warning', '-a', password])).nodes
}

/** Starts one server that accepts only TLS. Returns the certificate to trust. */
export async function startRedisTls(): Promise<RedisNodes & { readonly ca: string }> {
  const own = temporaryFolder()
  const [key, cert] = [join(own.path, 'key.pem'), join(own.path, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const form = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...form, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' })
  const tls = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert, '--tls-auth-clients', 'no']
  const argsOf = (port: number) => ['--port', '0', '--tls-port', String(port), ...tls]
  const { nodes } = await startNodes(1, argsOf, ['--tls', '--cacert', cert])
  const stop = async () => {
    await nodes.stop()
    own.remove()
  }
  return { ...nodes, stop, ca: readFileSync(cert, 'utf8') }
}

/** Starts a cluster of three servers, each of which stores a third of the keys. `more` adds options. */
export async function startRedisCluster(more: readonly string[] = []): Promise<RedisNodes> {
  const argsOf = (port: number) => [
    '--port',
    String(port),
    '--cluster-enabled',
    'yes',
    '--cluster-port',
    String(busOf(port)),
    ...more,
  ]
  const { nodes } = await startNodes(3, argsOf, ['-c'])
  const addresses = nodes.ports.map((port) => `${HOST}:${port}`)
  execFileSync('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'], { stdio: 'ignore' })
  await until(() => nodes.cli('cluster', 'info').includes('cluster_state:ok'))
  return nodes
}

/**
 * Returns the number of the cluster bus port. By default it would be 10,000 above the port, which may exceed the
 * maximum port number.
 */
function busOf(port: number): number {
  return port > 40_000 ? port - 10_000 : port + 10_000
}
