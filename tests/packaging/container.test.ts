import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../../packages/kit/src/free-port.ts'
import { temporaryFolder } from '../support/burgee.ts'
import { startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'
import { havePodman, openPodman, type Podman } from './podman.ts'

/**
 * The Dockerfile is built and run unchanged, except for steps that need a network: the base image is made from local
 * files, and the result of `npm ci` is mounted. A copy of the local build output is mounted as well; the image's build
 * uses it only if it belongs to exactly these sources. Skipped if podman is missing and apt cannot install it.
 */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
const IMAGE = 'burgee:test'
const TOKEN = '*:*.a-token-of-the-container-tests'
/**
 * Strictest settings that a platform can have: read-only except for volumes, no capabilities, no privilege escalation.
 */
const STRICT = ['--read-only', '--read-only-tmpfs=false', '--cap-drop=all', '--security-opt=no-new-privileges']
// podman's default limits are higher than some machines allow
const LIMITS = ['--network=host', '--ulimit=nofile=1024:1024', '--ulimit=nproc=4096:4096', '--log-driver=k8s-file']
const folder = temporaryFolder()
const COMPILED = ['packages/*/dist', 'bin/{dist,bundle}', '.cache/{built,built-admin}']

const [, NODE] = /^ARG NODE=(\S+)$/m.exec(DOCKERFILE) ?? []
/** Undefined on machines that do not allow containers. */
const opened = havePodman() ? await openPodman(folder.path, `node:${NODE}`, LIMITS) : undefined

describe.skipIf(opened === undefined)('the image (needs podman, runc and a machine that lets them run)', () => {
  const podman = opened as Podman
  const names: string[] = []
  beforeAll(async () => {
    const compiled = globSync(COMPILED, { cwd: ROOT })
    for (const path of compiled) cpSync(join(ROOT, path), join(folder.path, 'compiled', path), { recursive: true })
    const folders = compiled.map((path) => (path.startsWith('.cache') ? '.cache' : path))
    const mounts = [...new Set(folders)].map((path) => `${join(folder.path, 'compiled', path)}:/source/${path}`)
    const volumes = [`${join(ROOT, 'node_modules')}:/source/node_modules`, ...mounts].flatMap((one) => ['-v', one])
    await podman.run('build', '--pull=never', '--isolation=chroot', '--format=docker', ...volumes, '-t', IMAGE, '.')
  }, 300_000)
  afterAll(async () => {
    for (const name of names) await podman.run('rm', '--force', '--volumes', name).catch(() => {})
    await podman.run('volume', 'rm', '--all', '--force')
    await podman.run('rmi', '--all', '--force')
    folder.remove()
  }, 60_000)

  /** Starts a container that is removed after the tests. */
  async function start(name: string, options: readonly string[], command: readonly string[] = []): Promise<void> {
    names.push(name)
    await podman.run(
      'run',
      '--detach',
      '--replace',
      '--name',
      name,
      ...LIMITS,
      ...STRICT,
      ...options,
      IMAGE,
      ...command,
    )
  }
  const isHealthy = async (name: string) => {
    await podman.run('healthcheck', 'run', name)
    return true
  }
  /** Stops a container with SIGTERM. Returns its exit code and log. */
  async function stop(name: string): Promise<{ code: string; log: string }> {
    await podman.run('stop', name)
    const code = (await podman.run('inspect', '--format', '{{.State.ExitCode}}', name)).trim()
    return { code, log: await podman.run('logs', name) }
  }
  const makeFlag = (port: number, name: string) =>
    fetch(`http://127.0.0.1:${port}/api/admin/projects/default/features`, {
      method: 'POST',
      headers: { authorization: TOKEN, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })

  test('declares its needs: no root, its ports, a volume, its health check', async () => {
    const [{ Config: config }] = JSON.parse(await podman.run('inspect', IMAGE)) as [{ Config: Record<string, unknown> }]
    expect(config).toMatchObject({
      User: '1000:0',
      ExposedPorts: { '4242/tcp': {}, '3000/tcp': {}, '3063/tcp': {} },
      Volumes: { '/data': {} },
      Entrypoint: ['node', '/app/burgee.mjs'],
      Cmd: ['server'],
    })
    const health = JSON.parse(await podman.run('inspect', '--format', '{{json .HealthCheck}}', IMAGE)) as unknown
    expect(health).toMatchObject({ Test: ['CMD', 'node', '/app/burgee.mjs', 'health'] })
  })

  test('holds nothing that was compiled for one platform', async () => {
    const script = `const fs = require('node:fs')
      const files = fs.readdirSync('/app', { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
      const paths = files.map((one) => one.parentPath + '/' + one.name)
      const isBinary = (path) => fs.readFileSync(path).subarray(0, 4).toString('latin1') === '\\x7fELF'
      console.log(JSON.stringify([paths.length > 50, paths.filter((path) => isBinary(path) || path.endsWith('.node'))]))`
    const said = await podman.run('run', '--rm', ...LIMITS, '--entrypoint=node', IMAGE, '-e', script)
    expect(JSON.parse(said)).toEqual([true, []])
  })

  test.each([
    ['its own user', []],
    ['a user that the platform makes up', ['--user=1234567:0']],
  ])(
    'serves as %s from a read-only file system, and shuts down gracefully',
    { timeout: 60_000 },
    async (_name, user) => {
      const name = `server-${user.length}`
      const port = await findFreePort('127.0.0.1')
      // `health` must check only this port, and no other servers on the machine
      const env = ['-e', `PORT=${port}`, '-e', `INIT_ADMIN_API_TOKENS=${TOKEN}`, '-e', 'SHUTDOWN_DELAY=0']
      await start(name, [...user, ...env, '-v', `${name}:/data`])
      await until(() => isHealthy(name))
      expect((await makeFlag(port, 'made-in-a-container')).status).toBe(201)
      expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
      const processes = (await podman.run('top', name, 'hpid', 'args')).trim().split('\n').slice(1)
      expect(processes.length).toBe(1)
      expect(processes[0]).toContain('node /app/burgee.mjs server')
      await expect(podman.run('exec', name, 'touch', '/app/new')).rejects.toThrow(/Read-only file system/)
      expect(await stop(name)).toMatchObject({ code: '0', log: expect.stringContaining('Burgee has stopped') })
      // the data is in the volume, so the next container can use it
      await podman.run('rm', name)
      await start(name, [...user, ...env, '-v', `${name}:/data`])
      await until(() => isHealthy(name))
      expect((await makeFlag(port, 'made-in-a-container')).status).toBe(409)
      await stop(name)
    },
  )

  test('runs a proxy, too, which stores its flags in the volume', { timeout: 60_000 }, async () => {
    const upstream = await startUpstream({ version: 2, features: [{ name: 'on', enabled: true, strategies: [] }] })
    const port = await findFreePort('127.0.0.1')
    const keys = ['-e', 'FLAG_API_TOKEN=token', '-e', 'FLAG_PROXY_CLIENT_KEYS=key-of-a-page', '-e', 'SHUTDOWN_DELAY=0']
    await start('proxy', ['-e', `FLAG_URL=${upstream.url}`, '-e', `PORT=${port}`, ...keys], ['proxy'])
    await until(() => isHealthy('proxy'))
    const toggles = await until(async () => {
      const response = await fetch(`http://127.0.0.1:${port}/proxy`, { headers: { authorization: 'key-of-a-page' } })
      return response.ok ? ((await response.json()) as { toggles: { name: string }[] }).toggles : undefined
    })
    expect(toggles.map(({ name }) => name)).toEqual(['on'])
    await until(async () => (await podman.run('exec', 'proxy', 'ls', '/data/backup')).trim() !== '')
    expect((await stop('proxy')).code).toBe('0')
    await upstream.close()
  })

  test('a container without required settings names them and exits', async () => {
    await expect(podman.run('run', '--rm', ...LIMITS, ...STRICT, IMAGE, 'proxy')).rejects.toThrow(/FLAG_URL/)
    const nobody = ['-e', `PORT=${await findFreePort('127.0.0.1')}`]
    await expect(podman.run('run', '--rm', ...LIMITS, ...STRICT, ...nobody, IMAGE, 'health')).rejects.toThrow(
      /Command failed/,
    )
  })

  test('runs an edge, too, under the name and command used by charts for Unleash Edge', async () => {
    const port = await findFreePort('127.0.0.1')
    const file = join(folder.path, 'flags.json')
    writeFileSync(file, '{"flag-of-a-file":{"enabled":true}}', { mode: 0o644 })
    const given = ['-e', `PORT=${port}`, '-e', 'BOOTSTRAP_FILE=/flags.json', '-e', 'CLIENT_TOKENS=a-token-of-tests']
    const options = ['--entrypoint=/app/unleash-edge', '-v', `${file}:/flags.json:ro`, ...given]
    await start('edge', [...options, '-e', 'SHUTDOWN_DELAY=0', '-e', `EDGE_URL=http://127.0.0.1:${port}`], ['offline'])
    await until(() => isHealthy('edge'))
    expect(await podman.run('exec', 'edge', '/app/unleash-edge', 'health')).toContain('returned 200')
    const reply = await fetch(`http://127.0.0.1:${port}/api/client/features`, {
      headers: { authorization: 'a-token-of-tests' },
    })
    const { features } = (await reply.json()) as { features: { name: string }[] }
    expect(features.map(({ name }) => name)).toEqual(['flag-of-a-file'])
    expect((await stop('edge')).code).toBe('0')
    // `unleash-edge edge` runs `burgee edge`
    const said = await podman.run('run', '--rm', ...LIMITS, '--entrypoint=/app/unleash-edge', IMAGE, 'edge', '--help')
    expect(said).toContain('burgee edge')
  })
})
