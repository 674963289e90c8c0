import type { ServerResponse } from 'node:http'
import type { Logger } from '@burgee/kit/log/logger'
import { SILENT } from '@burgee/kit/log/logger'
import { readProxySetup } from '@burgee/proxy/proxy-setup'
import { connectHttp } from '@burgee/proxy/upstream/connection'
import type { ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'
import { until } from '../../support/wait.ts'
import { upstreamAt } from '../upstream-of-server.ts'

/**
 * Downloads and streams arrive over different connections, so either may be late. Edge and proxy must never return to
 * an older configuration when one of them is late. The upstream in these tests sends each reply only when the test
 * requests it. Change number n enables flag `f<n>`.
 */
const HOUR_MS = 3_600_000
const ROUNDS = 7

interface DeltaEvent {
  readonly type: string
  readonly eventId: number
  readonly [property: string]: unknown
}

interface Opened {
  readonly source: ConfigurationSource
  close(): Promise<void>
}

async function openAtEdge(url: string, logger: Logger): Promise<Opened> {
  const upstream = upstreamAt(new URL(url).origin, { streaming: 'auto', refreshIntervalMs: HOUR_MS, logger })
  return { source: upstream.createSource('*:development.a-token'), close: () => upstream.close() }
}

async function openAtProxy(url: string, logger: Logger): Promise<Opened> {
  const config = { flagUrl: url, flagApiToken: 'a-token', clientKeys: ['a-key'], refreshInterval: HOUR_MS, logger }
  const setup = await readProxySetup({ ...config, streaming: 'auto' }, { env: {} })
  const connection = connectHttp({ ...setup, strategyNames: [] })
  return { source: connection.source, close: () => connection.close() }
}

describe.each([
  ['edge', openAtEdge],
  ['proxy', openAtProxy],
])('at the %s', (_name, openAt) => {
  let upstream: FakeUpstream
  let opened: Opened
  /** Downloads and streams for which a reply is pending, oldest first. */
  let downloads: ServerResponse[]
  let streams: ServerResponse[]
  /** `If-None-Match` header of each download. */
  let conditions: (string | undefined)[]
  /** Numbers of the changes in each accepted configuration. */
  let accepted: number[]
  let failures: string[]
  let errors: string[]
  let withEpoch: boolean

  const flag = (number: number) => ({ name: `f${number}`, enabled: true, strategies: [{ name: 'default' }] })
  const flagsUpTo = (number: number) => Array.from({ length: number }, (_, index) => flag(index + 1))
  const sendDownload = (response: ServerResponse | undefined, number: number, epoch = 'e') => {
    const etag = withEpoch ? `"q:${number}:${epoch}.c${number}"` : `"q:${number}"`
    response?.writeHead(200, { etag }).end(JSON.stringify({ version: 2, features: flagsUpTo(number) }))
  }
  const sendEvent = (name: string, event: DeltaEvent, epoch = 'e') => {
    const id = withEpoch ? `${event.eventId}:${epoch}` : String(event.eventId)
    streams.at(-1)?.write(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify({ events: [event] })}\n\n`)
  }
  const sendHydration = (number: number, epoch?: string) => {
    const hydration = { type: 'hydration', eventId: number, features: flagsUpTo(number), segments: [] }
    sendEvent('unleash-connected', hydration, epoch)
  }
  const sendUpdate = (number: number, epoch?: string) =>
    sendEvent('unleash-updated', { type: 'feature-updated', eventId: number, feature: flag(number) }, epoch)
  const nextStream = (count: number) =>
    until(() => {
      // a stream that has ended is requested again at once
      if (count > 1) opened.source.refresh?.()
      return streams.length === count
    })
  const nextDownload = async () => {
    await until(() => {
      // the call has no effect while the previous reply is still being read
      opened.source.refresh?.()
      return downloads.length > 0
    })
    return downloads.shift()
  }

  beforeEach(async () => {
    downloads = []
    streams = []
    conditions = []
    accepted = []
    failures = []
    errors = []
    withEpoch = true
    upstream = await startUpstream()
    upstream.answerWith(({ url, headers }, response) => {
      if (!url.endsWith('/client/streaming')) {
        conditions.push(headers['if-none-match'])
        downloads.push(response)
      } else {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
        streams.push(response)
      }
    })
    opened = await openAt(upstream.url, { ...SILENT, error: (message) => void errors.push(message) })
    opened.source.start({
      accept: (document) => void accepted.push(document.features.length),
      confirm: () => {},
      fail: ({ message }) => void failures.push(message),
    })
  })
  afterEach(async () => {
    const stopping = opened.source.stop()
    await opened.close()
    await upstream.close()
    await stopping
  })

  const follow = async () => {
    sendDownload(await nextDownload(), 1)
    await until(() => streams.length === 1)
    sendHydration(1)
    await until(() => accepted.length === 2)
  }

  test.each([true, false])('ignores downloads that the stream overtook (epoch in the ETag: %s)', async (epoch) => {
    withEpoch = epoch
    await follow()
    for (let number = 2; number < 2 + ROUNDS; number += 1) {
      const late = await nextDownload()
      sendUpdate(number)
      await until(() => accepted.at(-1) === number)
      sendDownload(late, number - 1)
    }
    sendDownload(await nextDownload(), ROUNDS + 2)
    await until(() => accepted.at(-1) === ROUNDS + 2)
    expect(accepted).toEqual([...accepted].sort((a, b) => a - b))
    expect({ failures, errors }).toEqual({ failures: [], errors: [] })
  })

  test('ignores the start of a stream that a download overtook until the stream has caught up', async () => {
    sendDownload(await nextDownload(), 1)
    for (let number = 2; number < 2 + ROUNDS; number += 1) {
      await nextStream(number - 1)
      sendDownload(await nextDownload(), number)
      await until(() => accepted.at(-1) === number)
      sendHydration(number - 1)
      if (number <= ROUNDS) streams.at(-1)?.end()
    }
    sendUpdate(ROUNDS + 1)
    sendUpdate(ROUNDS + 2)
    await until(() => accepted.at(-1) === ROUNDS + 2)
    expect(accepted).toEqual([...accepted].sort((a, b) => a - b))
    expect(failures).toEqual([])
  })

  test('ignores changes of a stream that a download had already', async () => {
    await follow()
    sendDownload(await nextDownload(), 3)
    await until(() => accepted.at(-1) === 3)
    sendEvent('unleash-updated', { type: 'feature-removed', eventId: 2, featureName: 'f1' })
    sendUpdate(4)
    await until(() => accepted.at(-1) === 4)
    expect(accepted).not.toContain(2)
  })

  test('never goes back within an epoch, however often an older configuration comes', async () => {
    await follow()
    sendUpdate(2)
    await until(() => accepted.at(-1) === 2)
    streams.at(-1)?.destroy()
    for (let round = 1; round <= ROUNDS; round += 1) {
      sendDownload(await nextDownload(), 1)
      await until(() => failures.length === round)
    }
    expect([accepted.at(-1), errors.length]).toEqual([2, 1])
  })

  test('takes a restored backup of an upstream without epochs after several older configurations', async () => {
    withEpoch = false
    await follow()
    sendUpdate(2)
    await until(() => accepted.at(-1) === 2)
    for (let round = 1; round <= 5; round += 1) sendDownload(await nextDownload(), 1)
    await until(() => accepted.at(-1) === 1)
    expect(failures).toHaveLength(4)
  })

  test('takes an older number of another epoch at once and begins a new stream', async () => {
    await follow()
    sendUpdate(2)
    await until(() => accepted.at(-1) === 2)
    const restored = await nextDownload()
    sendDownload(restored, 1, 'another')
    await until(() => accepted.at(-1) === 1)
    sendUpdate(3)
    await nextStream(2)
    sendHydration(1, 'another')
    sendUpdate(2, 'another')
    await until(() => accepted.at(-1) === 2)
    expect([accepted.includes(3), failures]).toEqual([false, []])
  })

  test.each([
    ['higher', 7],
    ['lower', 2],
    ['equal', 1],
  ])('ends a stream whose epoch changes, and ignores its change with a %s number', async (_order, number) => {
    await follow()
    sendUpdate(number, 'another')
    await nextStream(2)
    sendHydration(1)
    sendUpdate(3)
    await until(() => accepted.at(-1) === 2)
    expect(accepted).toEqual([1, 1, 1, 2])
  })

  test('sends no ETag while flags of a stream are in use that carries no epoch', async () => {
    withEpoch = false
    await follow()
    sendDownload(await nextDownload(), 1)
    sendDownload(await nextDownload(), 1)
    sendUpdate(7)
    await until(() => accepted.at(-1) === 2)
    // the upstream returns to the first database, and a 304 would then confirm the flags of the other database
    streams.at(-1)?.destroy()
    for (let round = 1; round <= 5; round += 1) sendDownload(await nextDownload(), 1)
    await until(() => accepted.at(-1) === 1)
    await nextStream(2)
    sendHydration(1)
    expect(conditions).toEqual([undefined, undefined, '"q:1"', undefined, undefined, undefined, undefined, undefined])
  })
})
