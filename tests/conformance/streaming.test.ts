import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createApp } from '@burgee/kit/http/app'
import { toNetwork } from '@burgee/kit/http/client-network'
import { Reply, routesFor } from '@burgee/kit/http/route'
import { SILENT } from '@burgee/kit/log/logger'
import { createEventMessage } from '@burgee/kit/streams/event-message'
import { EventStreams } from '@burgee/kit/streams/event-streams'
import type { Feature, Segment } from '@burgee/protocol/feature'
import { DocumentDifference, formatHydration } from '@burgee/serving/document/document-delta'
import { EnvironmentDocument } from '@burgee/serving/document/environment-document'
import type { Unleash } from 'unleash-client'
import { afterEach, describe, expect, test } from 'vitest'
import { nodeSdk } from '../support/sdks.ts'
import { until } from '../support/wait.ts'
import { type DeltaEvent, foldEvents } from './delta.ts'
import type { Case } from './specification.ts'

/**
 * The official Node SDK receives the states of the client-specification as messages from Burgee, and must return the
 * specified results.
 */
const manifest = createRequire(import.meta.url).resolve('@unleash/client-specification/package.json')
const read = (file: string) =>
  JSON.parse(readFileSync(join(dirname(manifest), 'specifications', file), 'utf8')) as {
    readonly state: { readonly events: readonly DeltaEvent[] }
    readonly tests: readonly Case<boolean>[]
  }

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** Returns the messages of an environment that is initially empty and then takes on the state after each event. */
function messagesOf(events: readonly DeltaEvent[]): string[] {
  const document = new EnvironmentDocument()
  const messages: string[] = []
  events.forEach((_event, index) => {
    const { features, segments = [] } = foldEvents(events.slice(0, index + 1))
    const flags = (features as Feature[]).map((feature) => ({ feature, tags: [] }))
    const before = document.state
    document.replace(flags, segments as Segment[], { epoch: 'e', id: index + 1 })
    const { state } = document
    if (state === undefined) throw new Error('It holds nothing')
    const all = { projects: ['*'] }
    const text =
      before === undefined ? formatHydration(state, all) : new DocumentDifference(before, state).formatFor(all)
    if (text !== undefined) messages.push(text)
  })
  return messages
}

/** Serves one message after the other to streaming clients and to clients that poll for deltas. */
async function serve(messages: readonly string[]): Promise<string> {
  const streams = new EventStreams({ maxPerKind: 10 })
  const [first, ...rest] = messages.map((data, index) => ({ id: String(index + 1), data }))
  const route = routesFor<undefined>()
  const common = { method: 'GET', summary: '', tag: '', permission: null, problems: [] } as const
  const replies = { 200: { description: '' } }
  const app = createApp<undefined>({
    routes: [
      route({
        ...common,
        replies,
        url: '/api/client/streaming',
        isHot: true,
        handle: () =>
          streams.reply('sdk', { network: toNetwork('192.0.2.1') }, (stream) => {
            stream.send(createEventMessage({ ...first, event: 'unleash-connected', data: first?.data ?? '' }))
            for (const { id, data } of rest) stream.send(createEventMessage({ id, event: 'unleash-updated', data }))
            return {}
          }),
      }),
      route({
        ...common,
        replies,
        url: '/api/client/delta',
        handle: ({ caller }) => {
          const known = Number(/\d+/.exec(caller.headers['if-none-match'] ?? '')?.[0] ?? 0)
          const data = messages[known]
          const headers = { etag: `"${Math.min(known + 1, messages.length)}"` }
          return data === undefined ? new Reply(304, undefined, headers) : new Reply(200, data, headers)
        },
      }),
    ],
    world: undefined,
    basePath: '',
    order: 'validate-first',
    authorize: () => undefined,
    logger: SILENT,
    streams,
    renderError: () => new Reply(500),
    parseQuery: () => ({}),
    bodyLimitBytes: 1000,
  })
  ends.push(() => app.close())
  return app.listen({ port: 0, host: '127.0.0.1' })
}

describe.each(['19-delta-api-hydration.json', '20-delta-api-events.json'])('%s', (file) => {
  const { state, tests } = read(file)
  test.each([
    ['a stream', { type: 'streaming' }],
    ['changes that are polled', { type: 'polling', format: 'delta' }],
  ] as const)(`gives the SDK the same results by %s: ${tests.length} cases`, async (_name, experimentalMode) => {
    const messages = messagesOf(state.events)
    const url = await serve(messages)
    const sdk: Unleash = nodeSdk({ url: `${url}/api`, disableMetrics: true, refreshInterval: 10, experimentalMode })
    ends.unshift(() => sdk.destroy())
    const names = () =>
      sdk
        .getFeatureToggleDefinitions()
        .map(({ name }) => name)
        .sort()
    const { features } = foldEvents(state.events)
    const wanted = (features as Feature[]).map(({ name }) => name).sort()
    const outcomes = () => tests.map(({ toggleName, context }) => sdk.isEnabled(toggleName, context as never))
    const expected = tests.map(({ expectedResult }) => expectedResult)
    await until(() => JSON.stringify(names()) === JSON.stringify(wanted))
    await until(() => JSON.stringify(outcomes()) === JSON.stringify(expected)).catch(() => {})
    expect(tests.map(({ description }, at) => [description, outcomes()[at]])).toEqual(
      tests.map(({ description, expectedResult }) => [description, expectedResult]),
    )
  })
})
