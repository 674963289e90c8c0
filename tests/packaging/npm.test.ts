import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'
import { install, measure, pack, run } from './published.ts'

/** The product for users who only have npm: the tarballs are installed into empty folders and used as in the README. */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const MOST_BYTES = 40_000_000
const MOST_PACKAGES = 80
const MEBI = 1024 * 1024
/** Some of the packages that are bundled into the command. */
const SERVER_SIDE = ['undici', 'kysely', 'pg', 'find-my-way', 'openid-client', 'nodemailer', 'bcryptjs', 'mustache']
const TOKEN = '*:*.a-token-of-the-packaging-tests'
const folder = temporaryFolder()
const inFolder = (...path: string[]) => join(folder.path, ...path)
const COMMAND = inFolder('burgee', 'node_modules', 'burgee', 'burgee.mjs')
const processes: BurgeeProcess[] = []
let tarballs: Readonly<Record<string, string>>

beforeAll(async () => {
  tarballs = await pack(inFolder('tarballs'))
  await install(inFolder('burgee'), [tarballs.burgee ?? ''])
  await install(inFolder('libraries'), [tarballs.engine ?? '', tarballs.proxy ?? ''])
  await install(inFolder('testing'), [tarballs.testing ?? ''])
}, 120_000)
afterAll(async () => {
  for (const one of processes) one.kill('SIGKILL')
  folder.remove()
})

function start(args: readonly string[], env: Readonly<Record<string, string>>): BurgeeProcess {
  const one = runBurgee(args, env, COMMAND)
  processes.push(one)
  return one
}

describe('the tarballs', () => {
  test.each([
    [
      'burgee',
      [
        ...['burgee.mjs', 'bundle/command.js', 'packages/admin-ui/dist/index.html', 'packages/kit/assets/openapi.html'],
        ...['server', 'proxy', 'edge'].map((part) => `systemd/burgee${part === 'server' ? '' : `-${part}`}.service`),
      ],
    ],
    ['engine', ['dist/engine/engine.js', 'dist/engine/engine.d.ts']],
    ['proxy', ['dist/proxy/library.js', 'dist/proxy/library.d.ts', 'dist/assets/openapi.html']],
    ['testing', ['testing', 'playwright'].flatMap((one) => [`dist/testing/${one}.js`, `dist/testing/${one}.d.ts`])],
  ])('%s has what it needs and nothing of the workspace', async (name, needed) => {
    const files = (await run('tar', ['-tzf', tarballs[name] ?? ''])).trim().split('\n')
    const paths = files.map((file) => file.replace(/^package\//, ''))
    const legal = ['LICENSE', 'README.md', 'package.json', ...(name === 'burgee' ? ['THIRD-PARTY-NOTICES.md'] : [])]
    for (const path of [...needed, ...legal]) expect(paths).toContain(path)
    expect(
      paths.filter((path) => /\.(ts|map|tsbuildinfo)$|\.test\.|(^|\/)src\//.test(path.replace(/\.d\.ts$/, ''))),
    ).toEqual([])
    const manifest = JSON.parse(readFileSync(inFolder('tarballs', name, 'package.json'), 'utf8')) as Manifest
    expect(manifest).toMatchObject({ license: 'Apache-2.0', engines: { node: '>=22.13' } })
    // the command depends on no workspace package, and no script runs at installation
    expect(Object.keys(manifest.dependencies).filter((one) => one.startsWith('@burgee/'))).toEqual([])
    expect(manifest).not.toHaveProperty('scripts')
  })
  interface Manifest {
    readonly dependencies: Readonly<Record<string, string>>
  }

  test.each(['burgee', 'engine', 'proxy', 'testing'])('publint finds nothing in %s', async (name) => {
    expect(await run('publint', ['--strict', tarballs[name] ?? ''])).toContain('All good!')
  })

  // CommonJS code must import the packages dynamically; the way in which Node 10 resolves types is obsolete
  test.each(['engine', 'proxy', 'testing'])('the types of %s resolve wherever its code does', async (name) => {
    expect(await run('attw', [tarballs[name] ?? '', '--profile', 'esm-only', '--no-color'])).toContain('(ESM)')
  })

  test('every package whose code is in the command has its licence in the notices', () => {
    const notices = readFileSync(inFolder('burgee', 'node_modules', 'burgee', 'THIRD-PARTY-NOTICES.md'), 'utf8')
    for (const name of [...SERVER_SIDE, 'react', '@mantine/core', '@fontsource-variable/inter']) {
      expect(notices).toMatch(new RegExp(`^- ${name} \\d`, 'm'))
    }
  })
})

describe('a release', () => {
  test('includes a bill of materials of everything bundled or installed with the command', async () => {
    const file = inFolder('burgee.cdx.json')
    await run(process.execPath, [join(ROOT, 'scripts', 'sbom.mjs'), file])
    const bom = JSON.parse(readFileSync(file, 'utf8')) as { components: { purl: string }[] }
    const listed = bom.components.map(({ purl }) => decodeURIComponent(purl.replace('pkg:npm/', '')))
    const notices = readFileSync(join(ROOT, 'THIRD-PARTY-NOTICES.md'), 'utf8')
    const joined = [...notices.matchAll(/^- (\S+) (\S+) \(/gm)].map(([, name, version]) => `${name}@${version}`)
    const { packages } = measure(inFolder('burgee'))
    expect(joined.length).toBeGreaterThan(50)
    for (const one of joined) expect(listed).toContain(one)
    for (const name of packages.filter((one) => one !== 'burgee')) {
      expect(
        listed.some((one) => one.startsWith(`${name}@`)),
        name,
      ).toBe(true)
    }
  })
})

describe('an installation for production', () => {
  test(`has at most ${MOST_PACKAGES} packages and ${MOST_BYTES / 1e6} MB, whichever are installed`, async () => {
    const figures = ['burgee', 'libraries', 'testing'].map((name) => ({ name, ...measure(inFolder(name)) }))
    for (const { name, bytes, packages } of figures) {
      process.stdout.write(`${name}: ${packages.length} packages, ${(bytes / MEBI).toFixed(1)} MiB\n`)
      expect(packages.length).toBeGreaterThan(0)
      expect(packages.length, packages.join(' ')).toBeLessThanOrEqual(MOST_PACKAGES)
      expect(bytes).toBeLessThanOrEqual(MOST_BYTES)
    }
  })

  test.each([
    ['README.md', 'burgee'],
    ['docs/installing.md', 'burgee'],
    ['docs/installing.md', 'libraries'],
    ['docs/testing.md', 'testing'],
  ])('has the size that %s states for %s, to the next MB', (page, name) => {
    const { bytes, packages } = measure(inFolder(name))
    const said = readFileSync(join(ROOT, page), 'utf8').matchAll(/(\d+) packages, (\d+) MB/g)
    const ofThese = [...said].filter(([, count]) => Number(count) === packages.length)
    expect(ofThese).toHaveLength(1)
    expect(Math.abs(Number(ofThese[0]?.[2]) - bytes / 1e6)).toBeLessThan(1)
  })

  test('npx burgee and npm install -g burgee have the command', async () => {
    for (const words of ['npx burgee start', 'npm install -g burgee']) expect(README).toContain(words)
    const { version } = JSON.parse(readFileSync(join(ROOT, 'bin', 'package.json'), 'utf8')) as { version: string }
    expect(await run('npx', ['--no-install', 'burgee', '--version'], inFolder('burgee'))).toBe(`${version}\n`)
    const prefix = inFolder('global')
    await run('npm', [
      'install',
      '-g',
      '--prefix',
      prefix,
      '--prefer-offline',
      '--loglevel=error',
      tarballs.burgee ?? '',
    ])
    expect(await run(join(prefix, 'bin', 'burgee'), ['--version'])).toBe(`${version}\n`)
    expect(await run(join(prefix, 'bin', 'burgee'), ['proxy', '--help'])).toContain('FLAG_URL')
  })
})

describe('burgee start, as the README has it', { timeout: 60_000 }, () => {
  let server: string
  let proxy: string
  let key: string
  beforeAll(async () => {
    const variables = { DATA_DIR: inFolder('data'), HTTP_PORT: '0', PROXY_PORT: '0', INIT_ADMIN_API_TOKENS: TOKEN }
    const started = start(['start'], variables)
    server = await started.find(/Server {3}(http:\/\/localhost:\d+)/)
    proxy = await started.find(/Proxy {4}(http:\/\/localhost:\d+)/)
    key = await started.find(/authorization: (\w+)/)
  })

  test('the admin UI is served with everything that its page loads', async () => {
    const page = await (await fetch(`${server}/`)).text()
    const asked = [...page.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, path = '']) => path)
    expect(asked.length).toBeGreaterThan(2)
    for (const path of asked) expect((await fetch(`${server}/${path}`)).status, path).toBe(200)
  })

  test('the proxy answers', async () => {
    const flags = await until(async () => {
      const response = await fetch(`${proxy}/proxy?userId=42`, { headers: { authorization: key } })
      return response.status === 200 ? ((await response.json()) as { toggles: { name: string }[] }) : undefined
    })
    expect(flags.toggles.map(({ name }) => name)).toContain('new-checkout')
  })

  test('includes the documentation pages and the list of leaked passwords', async () => {
    expect((await fetch(`${server}/docs/openapi/`)).status).toBe(200)
    const create = (password: string) =>
      fetch(`${server}/api/admin/user-admin`, {
        method: 'POST',
        headers: { authorization: TOKEN, 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'somebody', rootRole: 'Editor', sendEmail: false, password }),
      })
    expect((await create('qwertyuiop1')).status).toBe(400)
    expect((await create('vermilion-otter-spins-91')).status).toBe(201)
  })

  test('edge answers from a file', async () => {
    writeFileSync(inFolder('flags.json'), '{"flag-of-a-file":{"enabled":true}}')
    const given = { BOOTSTRAP_FILE: inFolder('flags.json'), CLIENT_TOKENS: 'a-token-of-tests', PORT: '0' }
    const one = start(['edge', 'offline'], given)
    const port = await one.find(/port (\d+)/)
    const headers = { authorization: 'a-token-of-tests' }
    const reply = await fetch(`http://127.0.0.1:${port}/api/client/features`, { headers })
    const { features } = (await reply.json()) as { features: { name: string }[] }
    expect(features.map(({ name }) => name)).toEqual(['flag-of-a-file'])
    one.kill('SIGTERM')
    expect(await one.ended).toBe(0)
  })

  test('a strategy file that names the SDK works without the SDK', async () => {
    mkdirSync(inFolder('own'))
    cpSync(join(ROOT, 'examples', 'custom-strategy', 'strategies.cjs'), inFolder('own', 'strategies.cjs'))
    const strategies = [{ name: 'emailDomain', parameters: { domains: 'example.com' } }]
    const upstream = await startUpstream({ version: 2, features: [{ name: 'mail', enabled: true, strategies }] })
    const custom = { FLAG_CUSTOM_STRATEGIES_FILE: inFolder('own', 'strategies.cjs') }
    const keys = { FLAG_API_TOKEN: 'token', FLAG_PROXY_CLIENT_KEYS: 'key-of-a-page' }
    const one = start(['proxy'], { FLAG_URL: upstream.url, PROXY_PORT: '0', ...keys, ...custom })
    const port = await one.find(/port (\d+)/)
    const names = await until(async () => {
      const url = `http://127.0.0.1:${port}/proxy?properties[email]=ann@example.com`
      const response = await fetch(url, { headers: { authorization: 'key-of-a-page' } })
      return response.ok ? ((await response.json()) as { toggles: { name: string }[] }).toggles : undefined
    })
    expect(names.map(({ name }) => name)).toEqual(['mail'])
    one.kill('SIGTERM')
    expect(await one.ended).toBe(0)
    await upstream.close()
  })
})

describe('the libraries', () => {
  const USE = `
import { compile, type Evaluation } from '@burgee/engine'
import { createApp, type ProxyApp } from '@burgee/proxy'

type Config = NonNullable<Parameters<typeof createApp>[0]>
const forms: readonly Config[] = [
  { tags: 'a:b,c:d' },
  { tags: ['a:b', { name: 'a', value: 'b' }, { type: 'a', value: 'b' }] },
  { clientKeys: 'k1,k2', expServerSideSdkConfig: { tokens: ['t'] }, trustProxy: '10.0.0.1', cors: { origin: 'http://a' } },
  { clientKeys: ['k1', 'k2'], trustProxy: ['10.0.0.0/8'], cors: { origin: ['http://a'] } },
  { trustProxy: true, tags: [] },
  // @ts-expect-error a tag has a value
  { tags: [{ name: 'a' }] },
  // @ts-expect-error a value is a string
  { tags: [{ name: 'a', value: null }] },
]
if (forms.length === 0) throw new Error('no forms')

const strategies = [{ name: 'userWithId', parameters: { userIds: '42' } }]
const { engine, warnings } = compile({ features: [{ name: 'flag', enabled: true, strategies }], segments: [] })
const evaluation: Evaluation = engine.evaluate('flag', { userId: '42' })
const app: ProxyApp = await createApp({ flagUrl: process.argv[2] ?? '', flagApiToken: 'token', clientKeys: ['key'] })
while (!app.isReady()) await new Promise((resolve) => setTimeout(resolve, 10))
console.log(JSON.stringify([evaluation.enabled, engine.evaluate('flag', { userId: '7' }).enabled, warnings.length]))
await app.close()
`
  const OPTIONS = {
    strict: true,
    module: 'nodenext',
    target: 'es2024',
    noEmit: true,
    skipLibCheck: false,
    types: ['node'],
  }

  test('type-check in a project of their user, their own types included, and evaluate', {
    timeout: 60_000,
  }, async () => {
    const project = inFolder('libraries')
    writeFileSync(join(project, 'use.ts'), USE)
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: ['use.ts'] }))
    cpSync(join(ROOT, 'node_modules', '@types', 'node'), join(project, 'node_modules', '@types', 'node'), {
      recursive: true,
    })
    cpSync(join(ROOT, 'node_modules', 'undici-types'), join(project, 'node_modules', 'undici-types'), {
      recursive: true,
    })
    expect(await run('tsc', ['-p', '.'], project)).toBe('')
    const upstream = await startUpstream()
    expect(await run(process.execPath, ['use.ts', upstream.url], project)).toBe('[true,false,0]\n')
    await upstream.close()
    expect(existsSync(join(project, 'node_modules', '@burgee', 'kit'))).toBe(false)
  })
})

test('the testing package starts a fake server and a run', { timeout: 60_000 }, async () => {
  const project = inFolder('testing')
  const script = `
import { startFakeServer, startTestRun } from '@burgee/testing'
import { flagFixtures } from '@burgee/testing/playwright'

const server = await startFakeServer<{ flag: boolean }>({ flags: { flag: false } })
const run = await startTestRun<{ flag: boolean }>(server, { overrides: { flag: true } })
const reply = await fetch(run.url + '/api/client/features', { headers: { authorization: run.clientToken } })
const { features } = (await reply.json()) as { features: { enabled: boolean }[] }
console.log(features[0]?.enabled, Object.keys(flagFixtures()).join(' '))
await server.close()
`
  writeFileSync(join(project, 'use.ts'), script)
  expect(await run(process.execPath, ['use.ts'], project)).toBe('true overrides flagServer flags\n')
})
