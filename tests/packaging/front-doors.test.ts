import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { findFreePort } from '../../packages/kit/src/free-port.ts'
import { runServer, type ServerNode, serverNode, TOKENS } from '../chaos/server-node.ts'
import { openStream } from '../http/events/open-stream.ts'
import { haveDebian } from '../setup/debian.ts'
import { temporaryFolder } from '../support/burgee.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { until } from '../support/wait.ts'
import { aroundSite, changed, makeCertificate, postByTls, startCaddy, startNginx, whenUp } from './front-door.ts'

/**
 * Reverse proxies in front of a server, with the provided configuration files. Proxies that are not available are
 * skipped, and named in the output.
 */
const HOST = '127.0.0.1'
const NAME = 'flags.example.com'
const CALLERS = 4
const PASSED_OVER_MS = 2100
const PAUSE_MS = 5
const hasNginx = haveDebian(['nginx', 'openssl'], ['nginx-light', 'openssl'])
const hasCaddy = haveDebian(['caddy'], ['caddy'])

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

function scratch(): string {
  const folder = temporaryFolder()
  endings.push(folder.remove)
  return folder.path
}

async function start(env: Readonly<Record<string, string>>): Promise<ServerNode> {
  const process = runServer({ DATA_DIR: scratch(), TRUST_PROXY: HOST, ...env })
  endings.push(async () => {
    process.kill('SIGKILL')
    await process.ended
  })
  return serverNode(process)
}

/** Metrics require no token, so reverse proxies must not expose them. */
async function refusesSeries(url: string): Promise<void> {
  const paths = ['/internal-backstage/prometheus', '/internal-backstage/metrics', '/health']
  const replies = await Promise.all(paths.map((path) => fetch(`${url}${path}`)))
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 200])
}

/**
 * Checks that a flag change reaches a stream through the reverse proxy at `url` at once, and not only after a buffer
 * fills.
 */
async function streamsThrough(url: string, node: ServerNode): Promise<void> {
  const stream = await openStream(`${url}/api/client/streaming`, { authorization: TOKENS.client })
  endings.push(() => stream.close())
  await stream.next(({ event }) => event === 'unleash-connected')
  const before = stream.heard.length
  await node.makeOn('switched-on')
  const { data } = await stream.next(({ event }) => event === 'unleash-updated', before)
  expect(JSON.stringify(data)).toContain('switched-on')
}

describe.skipIf(!hasNginx)('nginx (needs nginx-light and openssl)', { timeout: 60_000 }, () => {
  test('passes streams with the Compose configuration, and no request fails while both servers restart', async () => {
    const database = await migratedDatabase()
    endings.push(() => database.remove())
    const ports = [await findFreePort(HOST), await findFreePort(HOST)]
    const env = { DATABASE_URL: database.url, SHUTDOWN_DELAY: '1' }
    const nodes = await Promise.all(ports.map((port) => start({ ...env, HTTP_PORT: String(port) })))
    const [port, folder] = [await findFreePort(HOST), scratch()]
    const servers = Object.fromEntries(ports.map((one, index) => [`burgee-${index + 1}:4242`, `${HOST}:${one}`]))
    const text = changed('deploy/compose/nginx.conf', {
      ...servers,
      'listen 8080': `listen ${port}`,
      '/tmp/': `${folder}/`,
    })
    const nginx = await startNginx(text, folder)
    endings.push(nginx.stop)
    const url = `http://${HOST}:${port}`
    await whenUp(`${url}/health`)
    await refusesSeries(url)
    await streamsThrough(url, nodes[0] as ServerNode)

    const outcomes: Record<string, number> = {}
    let isOver = false
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!isOver) {
        const reply = await fetch(`${url}/api/client/features`, { headers: { authorization: TOKENS.client } })
        const text = await reply.text()
        const outcome = reply.ok ? 'answered' : `${reply.status} ${text}`
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        await sleep(PAUSE_MS)
      }
    })
    for (const [index, node] of nodes.entries()) {
      node.process.kill('SIGTERM')
      expect(await node.process.ended).toBe(0)
      await start({ ...env, HTTP_PORT: String(ports[index]) })
      // nginx skips a failed server for more than one second, because it counts in whole seconds
      await sleep(PASSED_OVER_MS)
    }
    isOver = true
    await Promise.all(callers)
    expect(Object.keys(outcomes)).toEqual(['answered'])
    expect(outcomes.answered).toBeGreaterThan(100)
  })

  test('accepts logins with the TLS configuration only from its own address, with a cookie for TLS only', async () => {
    const node = await start({})
    const [port, folder] = [await findFreePort(HOST), scratch()]
    const { certificate, key } = await makeCertificate(folder, NAME)
    const site = changed('deploy/reverse-proxy/nginx.conf', {
      '127.0.0.1:4242': new URL(node.base).host,
      'listen 443': `listen ${port}`,
      [`/etc/letsencrypt/live/${NAME}/fullchain.pem`]: certificate,
      [`/etc/letsencrypt/live/${NAME}/privkey.pem`]: key,
    })
    const nginx = await startNginx(aroundSite(site, folder), folder)
    endings.push(nginx.stop)
    const login = { username: 'admin', password: 'a good password' }
    const { status, cookies } = await until(() =>
      postByTls({ port, name: NAME, certificate }, '/auth/simple/login', login),
    )
    expect(status).toBe(200)
    expect(cookies.join()).toMatch(/; Secure/i)
  })
})

describe.skipIf(!hasCaddy)('Caddy (needs caddy)', { timeout: 60_000 }, () => {
  test('streams pass, and a login is taken from its own address', async () => {
    const node = await start({ TRUST_PROXY: '127.0.0.1,::1' })
    const port = await findFreePort(HOST)
    const url = `http://${HOST}:${port}`
    const site = changed('deploy/reverse-proxy/Caddyfile', { [NAME]: url, '127.0.0.1:4242': new URL(node.base).host })
    const caddy = await startCaddy(`{\n\tadmin off\n}\n${site}`, scratch())
    endings.push(caddy.stop)
    await whenUp(`${url}/health`)
    await refusesSeries(url)
    await streamsThrough(url, node)
    const login = await fetch(`${url}/auth/simple/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ username: 'admin', password: 'a good password' }),
    })
    expect(login.status).toBe(200)
  })
})
