import { writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { COMMAND, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

const GOOD = {
  FLAG_URL: 'http://127.0.0.1:9/api',
  FLAG_API_TOKEN: 'token-one',
  FLAG_PROXY_CLIENT_KEYS: 'key-one',
  PROXY_PORT: '0',
}

describe('wrong usage', () => {
  test.each<{ args: string[]; env?: Record<string, string>; says: RegExp }>([
    { args: ['nonsense'], says: /Unknown command "nonsense"/ },
    { args: ['strat'], says: /Unknown command "strat"\. Did you mean "start"\?/ },
    { args: ['server', '--prot', '1'], says: /Unknown option --prot\. Did you mean --port\?/ },
    { args: ['proxy', '--flag-ur=x'], env: GOOD, says: /Unknown option --flag-ur\. Did you mean --flag-url\?/ },
    {
      args: ['server'],
      env: { AUTH_TYPE: 'none' },
      says: /^AUTH_TYPE has a value that is not supported: .*open-source/m,
    },
    { args: ['start'], env: { AUTH_TYPE: 'demo' }, says: /^AUTH_TYPE has a value that is not supported/m },
    {
      args: ['server'],
      env: { DATABASE_URL: 'postgres://h/d?sslmode=require', DATABASE_SSL_REJECT_UNAUTHORIZED: 'true' },
      says: /DATABASE_URL contains sslmode, which would override DATABASE_SSL_REJECT_UNAUTHORIZED/,
    },
    { args: ['reset-password', 'admin', 'more'], says: /Unknown argument "more"/ },
    { args: ['proxy', '--nonsense'], env: GOOD, says: /Unknown option --nonsense/ },
    { args: ['proxy', 'nonsense'], env: GOOD, says: /Unknown argument "nonsense"/ },
    { args: ['proxy'], says: /flagUrl option \(FLAG_URL or UNLEASH_URL\)/ },
    { args: ['proxy'], says: /flagApiToken option \(FLAG_API_TOKEN or UNLEASH_API_TOKEN\)/ },
    { args: ['proxy'], says: /clientKeys option \(FLAG_PROXY_CLIENT_KEYS or / },
    {
      args: ['proxy'],
      env: { ...GOOD, FLAG_URL: 'nowhere' },
      says: /FLAG_URL \(option "flagUrl"\) must be an absolute http\(s\) URL .*, not "nowhere"/,
    },
    {
      args: ['proxy'],
      env: { ...GOOD, FLAG_FETCH_INTERVAL: '1.9s' },
      says: /FLAG_FETCH_INTERVAL .* must be an integer .*, not "1.9s"/,
    },
    {
      args: ['proxy'],
      env: { ...GOOD, UNLEASH_FETCH_INTERVAL: '0' },
      says: /UNLEASH_FETCH_INTERVAL .* must be an integer ≥ 1|from 1/,
    },
    { args: ['proxy', '--metrics-interval=-5'], env: GOOD, says: /--metrics-interval must be an integer/ },
    {
      args: ['proxy', '--log-level', 'trace'],
      env: GOOD,
      says: /--log-level must be one of debug, info, warn, error, fatal/,
    },
    {
      args: ['proxy'],
      env: { ...GOOD, TRUST_PROXY: '0.0.0.0/0' },
      says: /TRUST_PROXY .* must be true for every address \(instead of 0\.0\.0\.0\/0\)/,
    },
    {
      args: ['proxy'],
      env: { ...GOOD, TRUST_PROXY: 'foo' },
      says: /TRUST_PROXY .* must be true for every address .*, false, or a list/,
    },
    { args: ['proxy'], env: { ...GOOD, FLAG_CUSTOM_STRATEGIES_FILE: '/nowhere.js' }, says: /Cannot load \/nowhere.js/ },
    {
      args: ['proxy'],
      env: { ...GOOD, TRUST_PROXY: '1' },
      says: /TRUST_PROXY .* must be true for every address .*, false, or a list of IP addresses \(10\.0\.0\.1\), ranges .*loopback.*, not "1"/,
    },
    {
      args: ['server'],
      env: { TRUST_PROXY: '1' },
      says: /TRUST_PROXY .* must be true for every address .*, false, or a list of IP addresses/,
    },
    {
      args: ['proxy'],
      env: { ...GOOD, FLAG_CUSTOM_STRATEGIES_FILE: '/nowhere.cjs' },
      says: /^FLAG_CUSTOM_STRATEGIES_FILE .*Cannot load \/nowhere\.cjs/,
    },
    { args: ['proxy', '--enable-oas', 'true'], env: GOOD, says: /write --enable-oas or --enable-oas=true/ },
    { args: ['server', '--port', '70000'], says: /--port must be an integer from 0 to 65535, not "70000"/ },
    {
      args: ['server'],
      env: { REQUIRE_ENCRYPTION: 'true', DATABASE_URL: 'postgres://u:no-grammar@db.example/flags' },
      says: /^REQUIRE_ENCRYPTION needs TLS to PostgreSQL/,
    },
    {
      args: ['server'],
      env: {
        REQUIRE_ENCRYPTION: 'true',
        EMAIL_HOST: 'mail.example',
        EMAIL_SENDER: 'a@b.example',
        EMAIL_STARTTLS: 'off',
      },
      says: /^REQUIRE_ENCRYPTION needs TLS to the mail server/,
    },
    {
      args: ['start'],
      env: { REQUIRE_ENCRYPTION: 'true', EXP_BOOTSTRAP_URL: 'http://flags.example/first' },
      says: /^REQUIRE_ENCRYPTION needs an https address in EXP_BOOTSTRAP_URL/,
    },
    { args: ['server'], env: { INIT_ADMIN_API_TOKENS: 'no-grammar' }, says: /INIT_ADMIN_API_TOKENS/ },
  ])('$args $env prints $says and exits with 1', async ({ args, env = {}, says }) => {
    const burgee = runBurgee(args, { DATA_DIR: join(folder.path, 'wrong'), ...env })
    expect(await burgee.ended).toBe(1)
    expect(burgee.errors()).toMatch(says)
    expect(burgee.errors()).not.toMatch(/\n\s+at /)
    expect(burgee.errors()).not.toContain('no-grammar')
  })
})

describe('help', () => {
  test.each([
    ['--help', /burgee start .*\n.*burgee server .*\n.*burgee proxy/],
    ['--version', /^\d+\.\d+\.\d+\n$/],
    ['server --version', /^\d+\.\d+\.\d+\n$/],
    ['proxy -v', /^\d+\.\d+\.\d+\n$/],
    ['help proxy', /--flag-url <value>/],
    ['start --help', /--proxy-port <value>[\s\S]*env: PROXY_PORT/],
    ['server --help', /^Database:\n {2}--data-dir <value>[\s\S]*?env: DATA_DIR; default: .\/data/m],
    ['proxy --help', /^Upstream:\n {2}--flag-url <value>[\s\S]*?\[required; env: FLAG_URL\]/m],
    [
      'backup --help',
      /^burgee backup FILE \[options\]$[\s\S]*^Examples:[\s\S]*^Exit codes:[\s\S]*2 {2}the database is PostgreSQL/m,
    ],
  ])('burgee %s', async (args, says) => {
    const burgee = runBurgee(args.split(' '))
    expect(await burgee.ended).toBe(0)
    expect(burgee.output()).toMatch(says)
  })
})

describe('burgee start', () => {
  const variables = { DATA_DIR: join(folder.path, 'start'), HTTP_PORT: '0', PROXY_PORT: '0' }
  const curl = async (line: string): Promise<string[]> => {
    const [, header = '', value = '', url = ''] = /-H '([^:]+): ([^']+)' '([^']+)'/.exec(line) ?? []
    const response = await fetch(url, { headers: { [header]: value } })
    const { toggles } = (await response.json()) as { toggles: { name: string }[] }
    return toggles.map((toggle) => toggle.name)
  }

  test('the printed command works; the second start keeps data and key, and does not print the password', async () => {
    const first = runBurgee(['start'], variables, COMMAND)
    const line = await first.find(/curl -H .*/)
    expect(first.output()).toMatch(/Login {4}admin \/ \S{12,} {3}\(shown only this once\)/)
    await until(async () => (await curl(line)).includes('new-checkout'))
    const second = runBurgee(['start'], variables, COMMAND)
    expect(await second.ended).toBe(1)
    expect(second.errors()).toMatch(/already|in use/i)
    const [, username, password] = /Login {4}(\S+) \/ (\S+)/.exec(first.output()) ?? []
    const login = await fetch(`${await first.find(/Server {3}(\S+)/)}/auth/simple/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    })
    expect(login.status).toBe(200)
    first.kill('SIGTERM')
    expect(await first.ended).toBe(0)

    const third = runBurgee(['start'], variables, COMMAND)
    const again = await third.find(/curl -H .*/)
    await until(async () => (await curl(again)).includes('new-checkout'))
    expect(/'authorization: [^']+'/.exec(again)?.[0]).toBe(/'authorization: [^']+'/.exec(line)?.[0])
    expect(third.output()).toMatch(/Login {4}unchanged/)
    third.kill('SIGINT')
    expect(await third.ended).toBe(0)
  })
})

describe('burgee proxy', () => {
  test('SIGHUP reloads secrets from files; SIGTERM delivers metrics and exits with 0', async () => {
    const upstream = await startUpstream({ features: [{ name: 'on', enabled: true, strategies: [] }] })
    const keys = join(folder.path, 'keys')
    const token = join(folder.path, 'token')
    writeFileSync(keys, 'old-key\n')
    writeFileSync(token, 'old-token\n')
    const burgee = runBurgee(['proxy'], {
      FLAG_URL: upstream.url,
      FLAG_API_TOKEN_FILE: token,
      FLAG_PROXY_CLIENT_KEYS_FILE: keys,
      FLAG_FETCH_INTERVAL: '50',
      PROXY_PORT: '0',
    })
    const url = `http://127.0.0.1:${await burgee.find(/port (\d+)/)}/proxy`
    const ask = (key: string, body?: object) =>
      fetch(url, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: key, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    await until(async () => (await ask('old-key')).status === 200)
    writeFileSync(keys, 'new-key')
    writeFileSync(token, 'new-token')
    burgee.kill('SIGHUP')
    await until(async () => (await ask('new-key')).status === 200)
    expect((await ask('old-key')).status).toBe(401)
    await until(() => upstream.seen.at(-1)?.headers.authorization === 'new-token')
    await ask('new-key', { toggles: ['on'] })
    burgee.kill('SIGTERM')
    expect(await burgee.ended).toBe(0)
    const delivered = upstream.seen.filter((request) => request.url.endsWith('/client/metrics'))
    expect(delivered.map((request) => JSON.parse(request.body).bucket.toggles)).toEqual([
      { on: { yes: 1, no: 0, variants: {} } },
    ])
    await upstream.close()
  })
})

describe('the end of each command', () => {
  test.each([
    ['server', {}, /^Burgee has stopped$/m],
    ['start', {}, /^Burgee has stopped$/m],
    ['proxy', GOOD, /^Burgee has stopped$/m],
    ['proxy', { ...GOOD, FLAG_WORKERS: '2' }, /^Burgee has stopped$/m],
    [
      'server',
      { JSON_LOGGER: 'true' },
      /^\{"time":"[^"]+","level":"info","message":"Burgee has stopped","args":\[\]\}$/m,
    ],
  ])('burgee %s %o logs it once', async (command, env, says) => {
    const dataDir = join(folder.path, `end-${command}-${Object.keys(env).length}`)
    const burgee = runBurgee([command], {
      DATA_DIR: dataDir,
      HTTP_PORT: '0',
      HTTP_HOST: '127.0.0.1',
      PROXY_PORT: '0',
      ...env,
    })
    await burgee.find(/listening on port|Stop with Ctrl-C/)
    burgee.kill('SIGINT')
    expect(await burgee.ended).toBe(0)
    expect(burgee.output()).toMatch(says)
    expect(burgee.output().match(/Burgee has stopped/g)).toHaveLength(1)
  })
})

describe('addresses', () => {
  const families = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const hasIpv6 = families.some((one) => one.address === '::1')
  // on Linux, all of 127.0.0.0/8 is local, so 127.0.0.2 is reachable only if the server listens on all addresses
  const loopback = ['127.0.0.1', ...(process.platform === 'linux' ? ['127.0.0.2'] : []), ...(hasIpv6 ? ['[::1]'] : [])]

  test('the proxy listens on all IPv4 and IPv6 addresses, or only on PROXY_HOST', async () => {
    const all = runBurgee(['proxy'], GOOD)
    const port = await all.find(/port (\d+)/)
    for (const address of loopback) {
      expect((await fetch(`http://${address}:${port}/proxy/health`)).status, address).toBe(503)
    }
    all.kill('SIGTERM')
    const one = runBurgee(['proxy'], { ...GOOD, PROXY_HOST: '127.0.0.1' })
    const other = await one.find(/port (\d+)/)
    expect((await fetch(`http://127.0.0.1:${other}/proxy/health`)).status).toBe(503)
    for (const address of loopback.slice(1)) {
      await expect(fetch(`http://${address}:${other}/proxy/health`), address).rejects.toThrow()
    }
    one.kill('SIGTERM')
    expect([await all.ended, await one.ended]).toEqual([0, 0])
  })

  test.runIf(process.platform === 'linux').each([
    ['on this machine only by default', {}, { server: false, proxy: false }],
    ['elsewhere with HTTP_HOST, the proxy too', { HTTP_HOST: '0.0.0.0' }, { server: true, proxy: true }],
    ['elsewhere but for the proxy', { HTTP_HOST: '0.0.0.0', PROXY_HOST: '127.0.0.1' }, { server: true, proxy: false }],
    ['elsewhere only the proxy', { PROXY_HOST: '0.0.0.0' }, { server: false, proxy: true }],
  ])('burgee start answers %s', async (name, env, reached) => {
    const ports = { HTTP_PORT: '0', PROXY_PORT: '0', DATA_DIR: join(folder.path, name) }
    const one = runBurgee(['start'], { ...ports, ...env })
    const server = await one.find(/Server {3}http:\/\/localhost:(\d+)/)
    const proxy = await one.find(/Proxy {4}http:\/\/localhost:(\d+)/)
    const answers = (url: string) =>
      fetch(url).then(
        () => true,
        () => false,
      )
    expect([
      await answers(`http://127.0.0.1:${server}/health`),
      await answers(`http://127.0.0.1:${proxy}/proxy/health`),
    ]).toEqual([true, true])
    expect({
      server: await answers(`http://127.0.0.2:${server}/health`),
      proxy: await answers(`http://127.0.0.2:${proxy}/proxy/health`),
    }).toEqual(reached)
    one.kill('SIGTERM')
    expect(await one.ended).toBe(0)
  })
})
