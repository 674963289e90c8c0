import type { Logger } from '@burgee/kit/log/logger'
import { SILENT } from '@burgee/kit/log/logger'
import { readProxySetup } from '@burgee/proxy/proxy-setup'
import { connectHttp } from '@burgee/proxy/upstream/connection'
import type { ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startServer, type TestServer, TOKENS } from '../../http/scenario.ts'
import { type HttpRelay, openHttpRelay } from '../../support/http-relay.ts'
import { until } from '../../support/wait.ts'
import { upstreamAt } from '../upstream-of-server.ts'

/**
 * Two servers with different databases at the same address, as after a failover or with a wrong DNS entry. The flag
 * `greeting` is on at the first server and off at the second, whose changes have higher numbers.
 */
interface Opened {
  readonly source: ConfigurationSource
  close(): Promise<void>
}

const REFRESH_MS = 20

async function openAtEdge(url: string, logger: Logger): Promise<Opened> {
  const upstream = upstreamAt(url, { streaming: 'auto', refreshIntervalMs: REFRESH_MS, logger, random: () => 0 })
  return { source: upstream.createSource(TOKENS.client), close: () => upstream.close() }
}

async function openAtProxy(url: string, logger: Logger): Promise<Opened> {
  const config = { flagUrl: `${url}/api`, flagApiToken: TOKENS.client, clientKeys: ['a-key'], logger }
  const setup = await readProxySetup({ ...config, refreshInterval: REFRESH_MS, streaming: 'auto' }, { env: {} })
  const connection = connectHttp({ ...setup, strategyNames: [], random: () => 0 })
  return { source: connection.source, close: () => connection.close() }
}

const FLAG = '/api/admin/projects/default/features'
let first: TestServer
let second: TestServer
let firstUrl: string
let secondUrl: string

async function listen(server: TestServer): Promise<string> {
  const { port } = await server.server.listen()
  return `http://127.0.0.1:${port}`
}

beforeAll(async () => {
  first = await startServer()
  second = await startServer()
  firstUrl = await listen(first)
  secondUrl = await listen(second)
  for (const server of [first, second]) await server.admin(`POST ${FLAG}`, { name: 'greeting' })
  await first.admin(`POST ${FLAG}/greeting/environments/development/on`)
  for (let number = 1; number <= 5; number += 1) await second.admin(`POST ${FLAG}`, { name: `more-${number}` })
})
afterAll(async () => {
  await first.close()
  await second.close()
})

describe.each([
  ['edge', openAtEdge],
  ['proxy', openAtProxy],
])('at the %s', (_name, openAt) => {
  let relay: HttpRelay
  let opened: Opened
  /** State of the flag in each accepted configuration. */
  let accepted: (boolean | undefined)[]

  const countRequests = (path: string) => relay.asked.filter((url) => url.startsWith(`/api/client/${path}`)).length
  /** Waits for further requests of this kind. Each round asks the source to retry now. */
  const awaitRequests = async (path: string, count: number) => {
    const before = countRequests(path)
    await until(() => {
      opened.source.refresh?.()
      return countRequests(path) >= before + count || accepted.at(-1) === false
    })
  }
  const failDownloads = () =>
    relay.spoil(/\/client\/features/, (_reply, response) => void response.writeHead(502).end())
  const follow = () =>
    until(() => {
      opened.source.refresh?.()
      return opened.source.isFollowing === true
    })

  beforeEach(async () => {
    accepted = []
    relay = await openHttpRelay(firstUrl)
    opened = await openAt(relay.url, SILENT)
    opened.source.start({
      accept: ({ features }) => void accepted.push(features.find(({ name }) => name === 'greeting')?.enabled),
      confirm: () => {},
      fail: () => {},
    })
    await follow()
  })
  afterEach(async () => {
    const stopping = opened.source.stop()
    await opened.close()
    await relay.close()
    await stopping
  })

  test('keeps its flags while only streams reach another database', async () => {
    failDownloads()
    relay.lead(secondUrl)
    await awaitRequests('streaming', 3)
    relay.lead(firstUrl)
    relay.spoil(/^$/, undefined)
    await follow()
    await awaitRequests('features', 3)
    expect(accepted).not.toContain(false)
  })

  test('takes the flags of another database with a download, and follows its stream', async () => {
    relay.lead(secondUrl)
    await until(() => accepted.at(-1) === false)
    await follow()
    relay.lead(firstUrl)
    await until(() => accepted.at(-1) === true)
    await follow()
    await awaitRequests('features', 3)
    expect(accepted.at(-1)).toBe(true)
  })
})
