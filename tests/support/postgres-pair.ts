import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { findFreePort } from '../../packages/kit/src/free-port.ts'
import { type Binaries, findBinaries } from './postgres-binaries.ts'
import { postgresOwner } from './postgres-cluster.ts'
import { until } from './wait.ts'

const run = promisify(execFile)

/** PostgreSQL server of a pair. */
export interface PairServer {
  readonly host: string
  readonly port: number
  /** URL of a database on this server, without a relay in between. */
  url(database: string): string
  /** Runs statements as the superuser, on the database `postgres` by default. */
  sql(text: string, database?: string): Promise<readonly Record<string, unknown>[]>
  /** Suspends all processes of the server without closing connections. `thaw` resumes them. */
  freeze(): void
  thaw(): void
  /** Kills the server as if the machine had failed. */
  kill(): Promise<void>
  stop(): Promise<void>
  /** Promotes a standby to primary. */
  promote(): Promise<void>
  /** Starts the server again, optionally as a standby of the other server. */
  start(as?: 'primary' | 'standby'): Promise<void>
}

/** Primary and standby with streaming replication. */
export interface Pair {
  readonly primary: PairServer
  readonly standby: PairServer
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const SETTINGS = [
  ...['wal_level=replica', 'max_wal_senders=8', 'hot_standby=on', 'wal_log_hints=on', 'max_connections=100'],
  ...[`listen_addresses=${HOST}`, 'fsync=off', 'full_page_writes=on', 'wal_keep_size=256', 'hot_standby_feedback=on'],
]

/** Only the superuser may connect without a password. */
const ACCESS = ['postgres', 'all']
  .map((user) => {
    const method = user === 'postgres' ? 'trust' : 'scram-sha-256'
    return `host all,replication ${user} ${HOST}/32 ${method}\n`
  })
  .join('')

/** Single server that requires a password for every role but the superuser. */
export interface LoneServer extends PairServer {
  close(): Promise<void>
}

/** Starts one server. */
export async function startLone(): Promise<LoneServer> {
  const scratch = makeScratch()
  const { server } = await initialised(await binariesFor(scratch), scratch)
  await server.start()
  const close = async (): Promise<void> => {
    await server.kill()
    rmSync(scratch, { recursive: true, force: true })
  }
  return { ...server, close }
}

function makeScratch(): string {
  const scratch = mkdtempSync(join(tmpdir(), 'burgee-pair-'))
  chmodSync(scratch, 0o755)
  const as = postgresOwner()
  if (as.uid !== undefined && as.gid !== undefined) chownSync(scratch, as.uid, as.gid)
  return scratch
}

async function binariesFor(scratch: string): Promise<Binaries> {
  const { value: binaries } = await findBinaries(scratch).next()
  if (binaries === undefined) throw new Error('There is no PostgreSQL to start')
  return binaries
}

/** Creates a server with a new data directory. */
async function initialised(binaries: Binaries, scratch: string): Promise<Made> {
  const made = await makeServer(binaries, scratch, 'one')
  const options = ['-D', made.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  await run(join(binaries.folder, 'initdb'), options, { ...postgresOwner(), cwd: scratch })
  writeFileSync(join(made.data, 'pg_hba.conf'), ACCESS)
  return made
}

/** Starts two servers. With `synchronous`, a commit waits until the standby has applied the commit. */
export async function startPair({ synchronous = false } = {}): Promise<Pair> {
  const scratch = makeScratch()
  const as = postgresOwner()
  const binaries = await binariesFor(scratch)
  const primary = await initialised(binaries, scratch)
  await primary.server.start()
  const standby = await makeServer(binaries, scratch, 'two')
  const source = ['-h', HOST, '-p', String(primary.server.port), '-U', 'postgres']
  await run(
    join(binaries.folder, 'pg_basebackup'),
    [...source, '-D', standby.data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
    {
      ...as,
      cwd: scratch,
    },
  )
  primary.setOther(standby.server.port)
  standby.setOther(primary.server.port)
  await standby.server.start()
  if (synchronous) {
    await primary.server.sql(`alter system set synchronous_standby_names = '*'`)
    await primary.server.sql(`alter system set synchronous_commit = 'remote_apply'`)
    await primary.server.sql('select pg_reload_conf()')
  }
  await until(async () => (await primary.server.sql('select from pg_stat_replication')).length > 0)
  const close = async (): Promise<void> => {
    for (const { server } of [standby, primary]) await server.kill()
    rmSync(scratch, { recursive: true, force: true })
  }
  return { primary: primary.server, standby: standby.server, close }
}

interface Made {
  readonly server: PairServer
  readonly data: string
  setOther(port: number): void
}

async function makeServer({ folder }: Binaries, scratch: string, name: string): Promise<Made> {
  const as = postgresOwner()
  const home = join(scratch, name)
  const data = join(home, 'data')
  mkdirSync(data, { recursive: true, mode: 0o700 })
  if (as.uid !== undefined && as.gid !== undefined) for (const path of [home, data]) chownSync(path, as.uid, as.gid)
  const port = await findFreePort(HOST)
  let other = 0
  let child: ReturnType<typeof spawn> | undefined
  const url = (database: string): string => `postgres://postgres@${HOST}:${port}/${database}`
  const sql: PairServer['sql'] = async (text, database = 'postgres') => {
    const client = new Client({ connectionString: url(database), connectionTimeoutMillis: 2000 })
    client.on('error', () => {})
    try {
      await client.connect()
      const result = await client.query(text)
      return (Array.isArray(result) ? result.at(-1) : result).rows
    } finally {
      await client.end().catch(() => {})
    }
  }
  const signal = (kind: 'STOP' | 'CONT'): void => {
    // backends are children of the postmaster, not of this process
    const found = spawnSync('ps', ['-o', 'pid=', '--ppid', String(child?.pid)]).stdout.toString()
    const pids = found
      .trim()
      .split(/\s+/)
      .filter((pid) => pid !== '')
    for (const pid of [...pids.map(Number), child?.pid ?? 0]) if (pid > 1) trySignal(pid, `SIG${kind}`)
  }
  const end = async (how: NodeJS.Signals): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(how)
    await ended
  }
  const server: PairServer = {
    host: HOST,
    port,
    url,
    sql,
    freeze: () => signal('STOP'),
    thaw: () => signal('CONT'),
    kill: async () => {
      signal('CONT')
      await end('SIGQUIT')
    },
    stop: () => end('SIGINT'),
    promote: async () => {
      await sql('select pg_promote(true, 30)')
      await until(async () => (await sql('select pg_is_in_recovery() as is'))[0]?.is === false)
    },
    start: async (role) => {
      if (role === 'standby') {
        appendFileSync(join(data, 'standby.signal'), '')
        if (as.uid !== undefined && as.gid !== undefined) chownSync(join(data, 'standby.signal'), as.uid, as.gid)
      }
      const conninfo = `primary_conninfo=host=${HOST} port=${other} user=postgres`
      const flags = [...SETTINGS, ...(other === 0 ? [] : [conninfo])].flatMap((setting) => ['-c', setting])
      child = spawn(join(folder, 'postgres'), ['-D', data, '-p', String(port), '-k', home, ...flags], {
        ...as,
        cwd: home,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let log = ''
      child.stderr?.on('data', (bytes) => {
        log = `${log}${bytes}`.slice(-4000)
      })
      await until(() => sql('select 1'), 30_000).catch((error: unknown) => {
        throw new Error(`PostgreSQL did not start: ${String(error)}\n${log}`)
      })
    },
  }
  return {
    server,
    data,
    setOther: (value) => {
      other = value
    },
  }
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // already exited
  }
}
