import { randomBytes } from 'node:crypto'
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { type BurgeeServer, createServer } from '@burgee/server'
import type { Unleash } from 'unleash-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Backup, backupWays } from '../../support/backup.ts'
import { keptLog } from '../../support/kept-log.ts'
import { CHEAP } from '../../support/password-cost.ts'
import { type EmptyPlace, emptyPlace } from '../../support/place.ts'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { nodeSdk } from '../../support/sdks.ts'
import { until } from '../../support/wait.ts'
import { optionsOf } from '../scenario.ts'

const F = '/api/client/features'
const P = '/api/admin/projects/default/features'
const ON = 'environments/development/on'
const newSecret = () => randomBytes(32).toString('hex')
const TOKENS = {
  admin: `*:*.${newSecret()}`,
  client: `default:development.${newSecret()}`,
  frontend: `default:development.${newSecret()}`,
}
const LATER = `*:development.${newSecret()}`

/**
 * Server behind a load balancer that returns 503 while the server is down. The server's database is restored while the
 * server is down.
 */
class Installation {
  readonly log = keptLog()
  readonly place: EmptyPlace
  /** Number of change notifications to an in-process consumer. */
  changes = 0
  readonly #balancer: Server
  #server: BurgeeServer | undefined

  private constructor(place: EmptyPlace) {
    this.place = place
    this.#balancer = createHttpServer((request, response) => void this.#forward(request, response))
  }

  /** Creates an empty database, and starts a server on it. */
  static async make(): Promise<Installation> {
    const installation = new Installation(await emptyPlace())
    await new Promise<void>((resolve) => installation.#balancer.listen(0, '127.0.0.1', resolve))
    await installation.start()
    return installation
  }

  /** URL for SDKs. */
  get url(): string {
    return `http://127.0.0.1:${(this.#balancer.address() as AddressInfo).port}/api`
  }

  async start(): Promise<void> {
    const options = optionsOf({
      ...this.place.options,
      defaultAdminPassword: 'a good password',
      initAdminApiTokens: [TOKENS.admin],
      initClientApiTokens: [TOKENS.client],
      initFrontendApiTokens: [TOKENS.frontend],
    })
    const { logger } = this.log
    this.#server = await createServer({
      options,
      clock: Date.now,
      monotonic: PROCESS_CLOCK,
      random: randomBytes,
      logger,
      passwordCost: CHEAP,
    })
    this.#server.onChange(() => {
      this.changes += 1
    })
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    await server?.close()
  }

  async remove(): Promise<void> {
    await this.stop()
    // a stopped SDK may still retry after a 503, and would throw if nothing answered
    this.#balancer.unref()
    await this.place.remove()
  }

  async admin(method: string, url: string, payload?: object): Promise<void> {
    const headers = { authorization: TOKENS.admin }
    const request = payload === undefined ? {} : { payload }
    const reply = await this.#app.inject({ method: method as 'POST', url, headers, ...request })
    expect(reply.statusCode, reply.body).toBeLessThan(300)
  }

  download(etag?: string, authorization: string = TOKENS.client) {
    const condition = etag === undefined ? {} : { 'if-none-match': etag }
    return this.#app.inject({ url: F, headers: { authorization, ...condition } })
  }

  /** Returns the names of flags that are on for front ends. */
  async frontend(): Promise<string[]> {
    const reply = await this.#app.inject({ url: '/api/frontend', headers: { authorization: TOKENS.frontend } })
    return (reply.json().toggles as { name: string }[]).map(({ name }) => name)
  }

  async #forward({ method = 'GET', url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#server === undefined) return void response.writeHead(503).end()
    const reply = await this.#server.app.inject({ method: method as 'GET', url, headers })
    response.writeHead(reply.statusCode, reply.headers).end(reply.rawPayload)
  }

  get #app(): BurgeeServer['app'] {
    if (this.#server === undefined) throw new Error('The server does not run')
    return this.#server.app
  }
}

const switchedOn = (body: string): string[] =>
  (JSON.parse(body).features as { name: string; enabled: boolean }[])
    .filter((one) => one.enabled)
    .map((one) => one.name)

describe.each(backupWays())('$name', (way) => {
  let installation: Installation
  let backup: Backup
  let sdk: Unleash
  let proxy: TestProxy
  const proxyLog = keptLog()
  /** ETag and revision of the state that the restore discards. */
  let lost = { etag: '', revisionId: 0 }

  beforeAll(async () => {
    installation = await Installation.make()
    for (const name of ['before', 'lost', 'after']) await installation.admin('POST', P, { name })
    await installation.admin('POST', `${P}/before/${ON}`)
    if (!way.isRunning) await installation.stop()
    backup = await way.take(installation.place)
    if (!way.isRunning) await installation.start()
    await until(async () => (await installation.download()).statusCode === 200)
    await installation.admin('POST', `${P}/lost/${ON}`)
    const token = { tokenName: 'later', type: 'client', environment: 'development', secret: LATER }
    await installation.admin('POST', '/api/admin/api-tokens', token)
    const reply = await installation.download()
    lost = { etag: String(reply.headers.etag), revisionId: reply.json().meta.revisionId }
    const { url } = installation
    sdk = nodeSdk({ url, customHeaders: { authorization: TOKENS.client }, disableMetrics: true })
    const { logger } = proxyLog
    proxy = await startProxy({ flagUrl: url, flagApiToken: TOKENS.client, refreshInterval: 50, logger })
    await until(() => sdk.isEnabled('lost'))
    expect(await ofProxy()).toEqual(['before', 'lost'])
    expect(await installation.frontend()).toEqual(['before', 'lost'])
    if (!way.isRunning) await installation.stop()
    installation.changes = 0
    await backup.restore()
    if (!way.isRunning) await installation.start()
  })
  afterAll(async () => {
    sdk.destroy()
    await proxy.close()
    await backup.remove()
    await installation.remove()
  })

  async function ofProxy(): Promise<string[]> {
    const reply = await fetch(`${proxy.url}/proxy`, { headers: { authorization: KEY } })
    const { toggles } = (await reply.json()) as { toggles: { name: string }[] }
    return toggles.map(({ name }) => name)
  }

  test('gets detected, and logged once', async () => {
    await until(() => installation.log.lines.some((line) => line.includes('restored')))
    expect(installation.log.lines.filter((line) => line.includes('restored'))).toHaveLength(1)
  })

  test('the restored state is served, also to clients with the tag of a lost one', async () => {
    const reply = await until(async () => {
      const now = await installation.download(lost.etag)
      return now.statusCode === 200 && !now.body.includes(lost.etag) ? now : undefined
    })
    expect(switchedOn(reply.body)).toEqual(['before'])
    // frontend evaluation is compiled after the download
    await until(async () => (await installation.frontend()).join() === 'before')
    expect(installation.changes).toBe(way.isRunning ? 1 : 0)
  })

  test('the proxy loads it at its next poll and does not reject it as older', async () => {
    await until(async () => (await ofProxy()).join() === 'before')
    expect(proxyLog.lines.filter((line) => line.includes('older'))).toEqual([])
  })

  test('the official SDK has it as well', async () => {
    await until(() => !sdk.isEnabled('lost') && sdk.isEnabled('before'))
  })

  test('a token that was made later is refused, one from before is not', async () => {
    const reply = await installation.download(undefined, LATER)
    expect(reply.statusCode).toBe(401)
  })

  test('different changes up to one revision have different tags and reach every client', async () => {
    await installation.admin('POST', `${P}/after/${ON}`)
    const fresh = await installation.download()
    expect(fresh.json().meta.revisionId).toBe(lost.revisionId)
    const reply = await installation.download(lost.etag)
    expect([reply.statusCode, switchedOn(reply.body)]).toEqual([200, ['after', 'before']])
    expect(reply.json().meta.etag).toBe(reply.headers.etag)
    expect(reply.headers.etag).not.toBe(lost.etag)
    const again = await installation.download(String(reply.headers.etag))
    expect([again.statusCode, again.body]).toEqual([304, ''])
    await until(() => sdk.isEnabled('after') && !sdk.isEnabled('lost'))
    await until(async () => (await ofProxy()).join() === 'after,before')
  })

  test('a restart afterwards begins no new life', async () => {
    const before = String((await installation.download()).headers.etag)
    const lines = installation.log.lines.length
    await installation.stop()
    await installation.start()
    expect((await installation.download(before)).statusCode).toBe(304)
    expect(installation.log.lines.slice(lines)).toEqual([])
  })
})
