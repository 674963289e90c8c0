import { setImmediate } from 'node:timers/promises'
import type { ToPrimary, ToWorker } from '@burgee/kit/workers/messages'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { expect, test } from 'vitest'
import { PrimaryLink } from './primary-link.ts'
import type { ProxyQuestion, SentConfiguration, WorkerUpdate } from './proxy-messages.ts'

const feature = (name: string) => ({ name, enabled: true, strategies: [] })
const configuration = (...names: string[]): SentConfiguration => ({
  text: JSON.stringify({ version: 2, features: names.map(feature), segments: [] }),
  origin: 'upstream',
  profile: 'node',
})
type Told = ToWorker<WorkerUpdate>
const news = (one: WorkerUpdate): Told => ({ kind: 'news', news: one })
const sentConfiguration = (...names: string[]): WorkerUpdate => ({
  kind: 'configuration',
  configuration: configuration(...names),
})
const sent = (...names: string[]): Told => news(sentConfiguration(...names))

/** Creates a link. The test takes the role of the primary process at the other end. */
function linkOf() {
  let tell = (_message: Told): void => {}
  const said: ToPrimary<ProxyQuestion>[] = []
  const listen = (listener: typeof tell) => {
    tell = listener
  }
  const link = new PrimaryLink({ send: (message) => void said.push(message), listen })
  const heard: string[] = []
  const documents: FeatureDocument[] = []
  const listener = {
    accept: (document: FeatureDocument) => {
      documents.push(document)
      heard.push(document.features.map(({ name }) => name).join())
    },
    confirm: () => void heard.push('confirmed'),
    fail: (error: Error) => void heard.push(`failed: ${error.message}`),
  }
  return { link, listener, heard, documents, said, tell: (message: Told) => tell(message) }
}

/** Waits until `count` messages have arrived. */
async function heardAll(heard: readonly string[], count: number): Promise<void> {
  while (heard.length < count) await setImmediate()
}

test('messages from before the start are delivered first, and all in order', async () => {
  const { link, listener, heard, said, tell } = linkOf()
  const begun = link.group.begin()
  expect(said).toEqual([{ kind: 'hello' }])
  tell({ kind: 'begin', news: [sentConfiguration('a')], isGroupReady: false })
  await begun
  link.start(listener)
  tell(news({ kind: 'confirmed' }))
  tell(sent('a', 'b'))
  tell(news({ kind: 'failed', message: 'no answer' }))
  tell(sent('c'))
  await heardAll(heard, 5)
  expect(heard).toEqual(['a', 'confirmed', 'a,b', 'failed: no answer', 'c'])
})

test('a flag that is the same as before is the same object, so that nothing of it is compared', async () => {
  const { link, listener, heard, documents, tell } = linkOf()
  link.start(listener)
  tell(sent('a', 'b'))
  tell(sent('a', 'c'))
  await heardAll(heard, 2)
  const [before, after] = documents
  expect(after?.features[0]).toBe(before?.features[0])
  expect(after?.features[1]).not.toBe(before?.features[1])
})

test('a text that is none fails, and the next one is used', async () => {
  const { link, listener, heard, tell } = linkOf()
  link.start(listener)
  tell(news({ kind: 'configuration', configuration: { text: '{"features":', origin: 'upstream', profile: 'node' } }))
  tell(sent('a'))
  await heardAll(heard, 2)
  expect(heard).toEqual([expect.stringMatching(/^failed: /), 'a'])
})

test('messages after the stop are ignored', async () => {
  const { link, listener, heard, tell } = linkOf()
  link.start(listener)
  tell(sent('a'))
  await link.stop()
  for (let turn = 0; turn < 5; turn++) await setImmediate()
  expect(heard).toEqual([])
})
