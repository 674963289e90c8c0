import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../../packages/kit/src/free-port.ts'
import { haveDebian, whereIs } from '../setup/debian.ts'
import { temporaryFolder } from '../support/burgee.ts'
import { type Pair, type PairServer, startPair } from '../support/postgres-pair.ts'
import { until } from '../support/wait.ts'
import { report } from './report.ts'
import { runServer, type ServerNode, serverNode, TOKENS } from './server-node.ts'

/** P12 behind HAProxy, with a password file and synchronous replication, under continuous changes. */
const IS_THERE = haveDebian(['haproxy'], ['haproxy'])
const DATABASE = 'flags'
const ROLE = 'flags_user'
const FEATURES = 'projects/default/features'
const MAX_UNWRITABLE_MS = 10_000

describe.skipIf(!IS_THERE)('behind HAProxy', () => {
  const folder = temporaryFolder()
  const passwordFile = join(folder.path, 'password')
  let pair: Pair
  let balancer: ChildProcess
  let probes: Server[] = []
  let nodes: ServerNode[] = []
  const acknowledged: string[] = []
  let refused = 0
  const failures: string[] = []
  let reads = 0
  let made = 0
  let isBusy = true
  let busy: Promise<unknown> | undefined

  beforeAll(async () => {
    pair = await startPair({ synchronous: true })
    await rotatePassword('the first one')
    await pair.primary.sql(`create database ${DATABASE} owner ${ROLE}`)
    probes = await Promise.all([pair.primary, pair.standby].map(openProbe))
    const port = await startHaproxy()
    const env = {
      DATABASE_HOST: '127.0.0.1',
      DATABASE_PORT: String(port),
      DATABASE_NAME: DATABASE,
      DATABASE_USERNAME: ROLE,
      DATABASE_PASSWORD_FILE: passwordFile,
      KEEP_DOCUMENTS: 'false',
      RATE_LIMIT_ADMIN: '0',
    }
    for (let count = 0; count < 2; count += 1) nodes.push(await serverNode(runServer(env)))
    busy = Promise.all(nodes.flatMap((node) => [readAllTheTime(node), changeAllTheTime(node)]))
    await until(() => acknowledged.length > 10)
  }, 120_000)
  afterAll(async () => {
    isBusy = false
    await busy
    for (const node of nodes) {
      node.process.kill('SIGKILL')
      await node.process.ended
    }
    nodes = []
    balancer.kill('SIGKILL')
    for (const probe of probes) probe.close()
    await pair.close()
    folder.remove()
  })

  async function rotatePassword(password: string, server = pair.primary): Promise<void> {
    const exists = (await server.sql(`select from pg_roles where rolname = '${ROLE}'`)).length > 0
    await server.sql(`${exists ? 'alter' : 'create'} role ${ROLE} login password '${password}'`)
    writeFileSync(passwordFile, `${password}\n`)
  }

  /** Returns 200 while the server is the primary, like Patroni's `/primary`. */
  async function openProbe(server: PairServer): Promise<Server> {
    const isPrimary = async (): Promise<boolean> =>
      (await server.sql('select pg_is_in_recovery() as is'))[0]?.is === false
    const probe = createServer((_request, reply) => {
      isPrimary().then(
        (is) => reply.writeHead(is ? 200 : 503).end(),
        () => reply.writeHead(503).end(),
      )
    })
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
    return probe
  }

  async function startHaproxy(): Promise<number> {
    const port = await findFreePort('127.0.0.1')
    const servers = [pair.primary, pair.standby].map((server, index) => {
      const probe = probes[index]?.address() as AddressInfo | undefined
      return `  server pg${index} ${server.host}:${server.port} check port ${probe?.port}`
    })
    const file = join(folder.path, 'haproxy.cfg')
    const lines = [
      ...['defaults', '  mode tcp', '  timeout connect 2s', '  timeout client 1h', '  timeout server 1h'],
      ...[
        'listen postgres',
        `  bind 127.0.0.1:${port}`,
        '  option httpchk GET /primary',
        '  http-check expect status 200',
      ],
      '  default-server inter 300ms fall 2 rise 1 on-marked-down shutdown-sessions',
      ...servers,
    ]
    writeFileSync(file, `${lines.join('\n')}\n`)
    balancer = spawn(whereIs('haproxy') ?? '', ['-db', '-f', file], { stdio: 'ignore' })
    return port
  }

  async function readAllTheTime(node: ServerNode): Promise<void> {
    while (isBusy) {
      reads += 1
      const status = await node.ask('/api/client/features', TOKENS.client).then(
        (reply) => reply.text().then(() => reply.status),
        (error: unknown) => String(error),
      )
      if (status !== 200) failures.push(String(status))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async function changeAllTheTime(node: ServerNode): Promise<void> {
    while (isBusy) {
      made += 1
      const name = `made-${made}`
      const reply = await node.admin('POST', FEATURES, { name }).catch(() => undefined)
      await reply?.text()
      if (reply?.status === 201) acknowledged.push(name)
      else {
        refused += 1
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }

  /** Returns the time until each node has acknowledged a change started from now on. */
  async function msUntilWritable(): Promise<number> {
    const began = performance.now()
    for (const node of nodes) {
      await until(async () => {
        made += 1
        const name = `made-${made}`
        const reply = await node.admin('POST', FEATURES, { name })
        await reply.text()
        if (reply.status === 201) acknowledged.push(name)
        return reply.status === 201
      }, 60_000)
    }
    return Math.round(performance.now() - began)
  }

  async function lost(server: PairServer): Promise<string[]> {
    const told = [...acknowledged]
    const found = new Set((await server.sql('select name from features', DATABASE)).map(({ name }) => name))
    return told.filter((name) => !found.has(name))
  }

  test('a password that is rotated, with all sessions ended, costs no restart', async () => {
    await rotatePassword('the second one')
    await pair.primary.sql(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ROLE}'`)
    const ms = await msUntilWritable()
    report('P12', 'rotated password, all sessions ended', `changes work again after ${ms} ms`)
    expect(ms).toBeLessThan(MAX_UNWRITABLE_MS)
    expect(await lost(pair.primary)).toEqual([])
  }, 90_000)

  test('backends that freeze for seconds keep SDKs from nothing, and lose nothing', async () => {
    const rows = await pair.primary.sql(`select pid from pg_stat_activity where usename = '${ROLE}'`)
    const pids = rows.map(({ pid }) => Number(pid))
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    const before = failures.length
    await new Promise((resolve) => setTimeout(resolve, 6000))
    for (const pid of pids) process.kill(pid, 'SIGCONT')
    const ms = await msUntilWritable()
    report('P12', `${pids.length} backends frozen for 6 s`, `changes work again after ${ms} ms`)
    expect(failures.slice(before)).toEqual([])
    expect(ms).toBeLessThan(MAX_UNWRITABLE_MS)
    expect(await lost(pair.primary)).toEqual([])
  }, 90_000)

  test('a primary that is killed while changes are made loses none that was acknowledged', async () => {
    await until(() => acknowledged.length > 100, 30_000)
    const began = performance.now()
    await pair.primary.kill()
    await pair.standby.sql('alter system reset synchronous_standby_names')
    await pair.standby.promote()
    await pair.standby.sql('select pg_reload_conf()')
    const promotedMs = Math.round(performance.now() - began)
    const ms = await msUntilWritable()
    const missing = await lost(pair.standby)
    const figures = `${acknowledged.length} changes acknowledged, ${refused} refused, ${missing.length} lost; promoted after ${promotedMs} ms, changes work ${ms} ms later`
    report('P12', 'primary killed, synchronous replication', figures)
    expect(missing).toEqual([])
    expect(ms).toBeLessThan(MAX_UNWRITABLE_MS)
  }, 90_000)

  test('both nodes serve the flags of the new primary, and no request of an SDK has failed', async () => {
    isBusy = false
    await busy
    const etags = async () =>
      Promise.all(
        nodes.map(async (node) => (await node.ask('/api/client/features', TOKENS.client)).headers.get('etag')),
      )
    await until(async () => new Set(await etags()).size === 1)
    const served = (await (await nodes[0]?.ask('/api/client/features', TOKENS.client))?.json()) as {
      features: { name: string }[]
    }
    const names = new Set(served.features.map(({ name }) => name))
    expect(acknowledged.filter((name) => !names.has(name))).toEqual([])
    report('P12', 'SDK downloads behind HAProxy', `${reads} replies, ${failures.length} failed`)
    expect(failures).toEqual([])
  }, 60_000)
})
