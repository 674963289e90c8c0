import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { findFreePort } from '../../packages/kit/src/free-port.ts'
import { type Binaries, findBinaries } from './postgres-binaries.ts'
import { until } from './wait.ts'

const run = promisify(execFile)

/** PostgreSQL server for tests. */
export interface Cluster {
  /** URL without a database: `postgres://user@host:port`. */
  readonly url: string
  /** Origin of its programs. */
  readonly from: string
  stop(): Promise<void>
}

/**
 * With `durable`, commits survive a machine crash. Measurements must include the cost of durability; tests need not.
 */
export type Durability = 'careless' | 'durable'

/**
 * Starts a PostgreSQL server for this run. Uses TEST_DATABASE_URL, or else a temporary server from installed programs,
 * the npm package, or apt (as root). Throws with the reason of each failed attempt, so tests are never skipped.
 */
export async function startCluster(durability: Durability = 'careless'): Promise<Cluster> {
  const given = process.env.TEST_DATABASE_URL
  if (given !== undefined && given !== '') return { url: given, from: 'TEST_DATABASE_URL', stop: async () => {} }
  const scratch = mkdtempSync(join(tmpdir(), 'burgee-postgres-'))
  chmodSync(scratch, 0o755)
  const reasons: string[] = []
  for await (const binaries of findBinaries(scratch)) {
    try {
      return await startFrom(binaries, scratch, durability)
    } catch (error) {
      reasons.push(`${binaries.folder}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  rmSync(scratch, { recursive: true, force: true })
  const tried = reasons.length === 0 ? 'There is none installed, from npm or by apt.' : reasons.join('\n')
  throw new Error(`No PostgreSQL of 14 or newer could be started for the tests.\n${tried}`)
}

/** Returns the user that PostgreSQL is run as, because it refuses to run as root. */
export function postgresOwner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, name]).stdout.toString() || Number.NaN))
    if (uid !== undefined && gid !== undefined && uid > 0 && !Number.isNaN(gid)) return { uid, gid }
  }
  throw new Error('There is neither a user postgres nor nobody')
}

async function startFrom({ from, folder }: Binaries, scratch: string, durability: Durability): Promise<Cluster> {
  const as = postgresOwner()
  const home = mkdtempSync(join(scratch, 'cluster-'))
  const data = join(home, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (as.uid !== undefined && as.gid !== undefined)
    for (const path of [scratch, home, data]) chownSync(path, as.uid, as.gid)
  await initialise(join(folder, 'initdb'), data, { ...as, cwd: home })
  const port = await findFreePort('127.0.0.1')
  const settings = [
    ...(durability === 'careless' ? ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'] : []),
    ...['wal_level=minimal', 'max_wal_senders=0', 'max_connections=300', 'listen_addresses=127.0.0.1'],
  ]
  const flags = settings.flatMap((setting) => ['-c', setting])
  // the server stops when the pipe to this process closes, even if this process is killed
  const script = 'scratch=$1; shift; "$@" >log 2>&1 & cat >/dev/null; kill -INT $!; wait $!; rm -rf "$scratch"'
  const program = [join(folder, 'postgres'), '-D', data, '-p', String(port), '-k', home, ...flags]
  const args = ['-c', script, 'sh', scratch, ...program]
  const child = spawn('sh', args, { ...as, cwd: home, detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = once(child, 'exit')
  child.unref()
  const url = `postgres://postgres@127.0.0.1:${port}`
  const stop = async (): Promise<void> => {
    child.ref()
    child.stdin.end()
    await ended
    rmSync(scratch, { recursive: true, force: true })
  }
  try {
    await until(() => answers(url))
  } catch (error) {
    const log = readFileSync(join(home, 'log'), 'utf8')
    await stop()
    mkdirSync(scratch, { mode: 0o755 })
    throw new Error(`${String(error)}\n${log}`)
  }
  return { url, from, stop }
}

/**
 * Uses a linguistic collation if possible, like production databases, to expose queries that lack an explicit "C"
 * collation.
 */
async function initialise(initdb: string, data: string, options: object): Promise<void> {
  const common = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']
  try {
    await run(initdb, [...common, '--locale=C', '--locale-provider=icu', '--icu-locale=en'], options)
  } catch {
    await run(initdb, [...common, '--locale=C'], options)
  }
}

async function answers(url: string): Promise<true> {
  const client = new Client({ connectionString: `${url}/postgres`, connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } finally {
    await client.end().catch(() => {})
  }
}
