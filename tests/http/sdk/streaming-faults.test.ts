import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { type BurgeeServer, createServer } from '@burgee/server'
import type { Unleash } from 'unleash-client'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { CHEAP } from '../../support/password-cost.ts'
import { nodeSdk } from '../../support/sdks.ts'
import { until } from '../../support/wait.ts'
import { optionsOf, startServer, type TestServer, TOKENS } from '../scenario.ts'
import { type Between, openBetween } from './streams/between.ts'
import {
  applyDelta,
  downloaded,
  type FlagStream,
  followed,
  openFlagStream,
  sameHolding,
} from './streams/flag-stream.ts'

const PROJECT = '/api/admin/projects/default'
const FLAGS = `${PROJECT}/features`
let server: TestServer
let base: string
let between: Between
const ends: (() => unknown)[] = []

async function begin(options: object = {}): Promise<void> {
  server = await startServer(options)
  base = (await server.server.listen()).url
  between = await openBetween(base)
  await server.admin(`POST ${FLAGS}`, { name: 'one' })
  await server.admin(`POST ${FLAGS}/one/environments/development/strategies`, { name: 'default' })
}
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await between.close()
  await server.close()
})

const turn = (to: 'on' | 'off', name = 'one') => server.admin(`POST ${FLAGS}/${name}/environments/development/${to}`)
const streaming = (url = between.url): Unleash => {
  const sdk = nodeSdk({
    url: `${url}/api`,
    customHeaders: { Authorization: TOKENS.client },
    disableMetrics: true,
    experimentalMode: { type: 'streaming' },
  })
  sdk.on('error', () => {})
  sdk.on('warn', () => {})
  ends.push(() => sdk.destroy())
  return sdk
}
const open = async (token: string = TOKENS.client, headers = {}): Promise<FlagStream> => {
  const stream = await openFlagStream(between.url, token, headers)
  ends.push(() => stream.close())
  return stream
}
const askedFor = (path: string) => between.asked.filter((one) => one.path.endsWith(path))

describe('the official Node SDK', () => {
  test.each(['end', 'reset'] as const)(
    'reconnects after a cut by %s and gets the changes that it missed',
    async (how) => {
      await begin()
      const sdk = streaming()
      await until(() => sdk.isSynchronized())
      between.swallow()
      await turn('on')
      between.cut(how)
      await until(() => sdk.isEnabled('one'))
      const [first, second] = askedFor('/streaming')
      expect([first?.lastEventId, second?.lastEventId]).toEqual([undefined, expect.stringMatching(/^\d+:[^:]+$/)])
      await turn('off')
      await until(() => !sdk.isEnabled('one'))
    },
  )

  test('survives five server restarts in a row: polls during each, then streams again', async () => {
    await begin()
    const sdk = streaming()
    await until(() => sdk.isSynchronized())
    for (let restart = 1; restart <= 5; restart += 1) {
      await until(() => between.goingOn() > 0 || askedFor('/features').length > 0)
      between.cut('end')
      await until(() => between.goingOn() === 0)
    }
    await until(() => askedFor('/features').length > 0)
    await turn('on')
    await until(() => sdk.isEnabled('one'))
  })

  test('polls at the maximum number of streams', async () => {
    await begin({ maxStreams: 1 })
    await open()
    const refused = await openFlagStream(base, TOKENS.client)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
    const sdk = streaming()
    await until(() => sdk.isSynchronized())
    await turn('on')
    await until(() => sdk.isEnabled('one'))
    expect([askedFor('/streaming').length, askedFor('/features').length > 1]).toEqual([2, true])
  })

  test('polls if streams are disabled', async () => {
    await begin({ maxStreams: 0 })
    const sdk = streaming()
    await until(() => sdk.isSynchronized())
    expect(askedFor('/streaming')).toHaveLength(1)
  })
})

test('a proxy that accepts gzip gets a readable stream and its first event immediately', async () => {
  await begin()
  const stream = await open(TOKENS.client, { 'accept-encoding': 'gzip, deflate, br' })
  await until(() => stream.events.length === 1)
  expect(stream.headers['content-encoding']).toBeUndefined()
  await turn('on')
  await until(() => stream.holding().features.get('one')?.enabled)
})

test('two minutes without a change: a comment every 15 s, on the same connection', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  ends.push(() => vi.useRealTimers())
  await begin()
  const streams = [await open(), await open()]
  for (let count = 1; count <= 8; count += 1) {
    vi.advanceTimersByTime(15_000)
    await until(() => streams.every((stream) => stream.comments() >= count))
    expect(streams.map((stream) => stream.comments())).toEqual([count, count])
  }
  expect(askedFor('/streaming')).toHaveLength(2)
})

test('a client that stops reading uses little memory and gets everything once it reads', async () => {
  await begin()
  const values = Array.from({ length: 990 }, (_value, index) => `${'x'.repeat(85)}${index}`)
  const constraints = [{ contextName: 'userId', operator: 'IN', values }]
  const names = Array.from({ length: 24 }, (_value, index) => `large-${index}`)
  for (const name of names) {
    await server.admin(`POST ${FLAGS}`, { name })
    const strategy = { name: 'default', constraints }
    await server.admin(`POST ${FLAGS}/${name}/environments/development/strategies`, strategy)
  }
  const stream = await openFlagStream(base, TOKENS.client)
  ends.push(() => stream.close())
  await followed(stream, base, TOKENS.client)
  stream.message.pause()
  const memory = process.memoryUsage().arrayBuffers
  const rounds = 12
  for (let round = 0; round < rounds; round += 1) {
    // the reply to this call has no body, so the flags are only in the stream
    await server.admin(`POST ${PROJECT}/bulk_features/environments/development/${round % 2 === 0 ? 'on' : 'off'}`, {
      features: names,
    })
    // notifications are sent in batches, so wait until each round is a separate message
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  const sentBytes = rounds * names.length * values.length * 90
  expect(process.memoryUsage().arrayBuffers - memory).toBeLessThan(sentBytes / 2)
  stream.message.resume()
  await followed(stream, base, TOKENS.client)
  const wholes = stream.events.filter(({ data }) => data.startsWith('{"events":[{"type":"hydration"')).length
  expect(wholes).toBe(2)
  expect(stream.events.length).toBeLessThan(rounds)
  await turn('on')
  await until(() => stream.holding().features.get('one')?.enabled)
})

test('a change reaches a thousand streams of its environment and no other stream', async () => {
  await begin()
  const { port } = new URL(base)
  const received: Buffer[][] = []
  const dial = async (token: string) => {
    const pieces: Buffer[] = []
    const socket: Socket = connect(Number(port), '127.0.0.1')
    socket.on('data', (piece) => pieces.push(piece)).on('error', () => {})
    socket.write(`GET /api/client/streaming HTTP/1.1\r\nHost: h\r\nAuthorization: ${token}\r\n\r\n`)
    ends.push(() => socket.destroy())
    received.push(pieces)
    return pieces
  }
  const here = await Promise.all(Array.from({ length: 1000 }, () => dial(TOKENS.client)))
  const there = await Promise.all(Array.from({ length: 20 }, () => dial(TOKENS.production)))
  const hold = (some: Buffer[][], text: string) => some.every((pieces) => Buffer.concat(pieces).includes(text))
  await until(() => hold(received, 'unleash-connected'))
  const heard = () =>
    there.map((pieces) => Buffer.concat(pieces).toString().replaceAll(': keep-alive\n\n', '').match(/^\w+:/gm))
  const before = heard()
  await turn('on')
  await until(() => hold(here, 'feature-updated'))
  expect(heard()).toEqual(before)
})

test('a server that ends closes its streams as replies end, and begins no more', async () => {
  await begin({ shutdownDelay: 1 })
  const streams = [await open(), await open(), await open()]
  await until(() => streams.every((stream) => stream.events.length === 1))
  server.server.drain()
  const refused = await openFlagStream(base, TOKENS.client)
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
  for (const stream of streams) {
    await stream.ended
    expect(stream.message.complete).toBe(true)
  }
})

describe.runIf(inject('driver') === 'postgres')('two servers behind one address', () => {
  let second: BurgeeServer
  let urls: readonly [string, string]
  beforeEach(async () => {
    await begin()
    const options = optionsOf({ ...server.databaseOptions, port: 0, host: '127.0.0.1', keepDocuments: false })
    second = await createServer({
      options,
      clock: Date.now,
      monotonic: PROCESS_CLOCK,
      random: randomBytes,
      logger: SILENT,
      passwordCost: CHEAP,
    })
    ends.push(() => second.close())
    urls = [base, (await second.listen()).url]
  })

  test('give a client that alternates between them every change, and all flags only once', async () => {
    const [features, segments] = [new Map<string, never>(), new Map<number, never>()]
    let etag: string | undefined
    let wholes = 0
    const poll = async (url: string) => {
      const headers = { authorization: TOKENS.client, ...(etag === undefined ? {} : { 'if-none-match': etag }) }
      const reply = await fetch(`${url}/api/client/delta`, { headers })
      etag = reply.headers.get('etag') ?? undefined
      const body = await reply.text()
      if (body.includes('"hydration"')) wholes += 1
      if (reply.status === 200) applyDelta(body, features, segments)
    }
    for (let step = 0; step < 12; step += 1) {
      const [url, other] = step % 2 === 0 ? urls : [urls[1], urls[0]]
      await poll(url)
      await turn(step % 2 === 0 ? 'on' : 'off')
      if (step % 3 === 0) await server.admin(`POST ${FLAGS}`, { name: `step-${step}` })
      await until(async () => {
        await poll(other)
        return sameHolding({ features, segments }, await downloaded(other, TOKENS.client))
      })
    }
    expect(wholes).toBe(1)
  })

  test('a change at one reaches the streams of both, and so does the end of a token', async () => {
    const { secret } = await server.admin('POST /api/admin/api-tokens', {
      tokenName: 'both',
      type: 'client',
      environment: 'development',
      project: '*',
    })
    const streams = await Promise.all(urls.map((url) => openFlagStream(url, secret)))
    ends.push(() => streams.map((stream) => stream.close()))
    await turn('on')
    await until(() => streams.every((stream) => stream.holding().features.get('one')?.enabled))
    await server.admin(`DELETE /api/admin/api-tokens/${secret}`)
    await turn('off')
    await Promise.all(streams.map((stream) => stream.ended))
    for (const stream of streams) expect(stream.holding().features.get('one')?.enabled).toBe(true)
  })
})
