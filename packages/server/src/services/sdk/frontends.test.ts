import { SILENT } from '@burgee/kit/log/logger'
import { expect, test, vi } from 'vitest'
import { createBroadcast } from '../broadcast.ts'
import type { Download } from './downloads.ts'
import { createFrontends } from './frontends.ts'

const SCOPE = { environment: 'development', projects: ['*'] }
const downloadOf = (revision: number): Download => ({
  ...{ revision: { epoch: 'e', id: revision }, etag: `"q:${revision}"` },
  body: Buffer.from(
    JSON.stringify({ version: 2, features: [{ name: `at-${revision}`, enabled: true, strategies: [] }] }),
  ),
})

/** Front ends over a database that answers when it is told to. */
function frontendsOf() {
  const asked: ((download: Download) => void)[] = []
  const broadcast = createBroadcast(SILENT)
  const frontends = createFrontends({
    ...{ broadcast, logger: SILENT, clock: Date.now, random: (bytes: number) => new Uint8Array(bytes) },
    downloads: {
      get: () => new Promise<Download>((resolve) => void asked.push(resolve)),
      held: () => ({ made: 0, bytes: 0 }),
    },
  })
  const change = () => broadcast.publish([{ reach: SCOPE.environment } as never])
  return { asked, change, frontends, namesOf: async () => (await frontends.answersFor(SCOPE)).engine.names }
}

test('of two reads at once the newer state stays, whichever comes last', async () => {
  const { asked, change, namesOf } = frontendsOf()
  const first = namesOf()
  change()
  const second = namesOf()
  expect(asked).toHaveLength(2)
  asked[1]?.(downloadOf(8))
  expect(await second).toEqual(['at-8'])
  asked[0]?.(downloadOf(7))
  expect(await first).toEqual(['at-8'])
  expect(await namesOf()).toEqual(['at-8'])
  change()
  const third = namesOf()
  asked[2]?.(downloadOf(9))
  expect(await third).toEqual(['at-9'])
})

test('the JSON of what is on is there before anybody asks, and stays the same where nothing changes', async () => {
  const { asked, change, frontends } = frontendsOf()
  for (const [at, revision, most] of [
    [0, 1, 1],
    [1, 2, 1],
    [2, 2, 0],
  ] as const) {
    change()
    const asking = frontends.answersFor(SCOPE)
    const download = downloadOf(revision)
    const stringify = vi.spyOn(JSON, 'stringify')
    asked[at]?.(download)
    const answers = await asking
    expect(stringify.mock.calls.length).toBe(most)
    const { content } = answers.list('on', {})
    expect(stringify.mock.calls.length).toBe(most)
    stringify.mockRestore()
    expect(JSON.parse(content.bytes().toString())).toMatchObject({ toggles: [{ name: `at-${revision}` }] })
  }
})
