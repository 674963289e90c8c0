import { type Logger, SILENT } from '@burgee/kit/log/logger'
import { monotonicClock } from '@burgee/kit/monotonic-clock'
import { expect, test, vi } from 'vitest'
import type { DocumentListener } from '../document/environment-documents.ts'
import { createFixedProfile } from '../upstream/announced-profile.ts'
import type { Download } from './downloads.ts'
import { createFrontends } from './frontends.ts'

const SCOPE = { environment: 'development', projects: ['*'] }
const downloadOf = (revision: number): Download => {
  const features = [{ name: `at-${revision}`, enabled: true, strategies: [] }]
  const parts = { features: () => features, segments: [], size: 0, find: () => undefined, content: undefined as never }
  return { revision: { epoch: 'e', id: revision }, etag: `"q:${revision}"`, scope: SCOPE, ...parts }
}

/** Creates frontends over documents that load when a test resolves them. */
function frontendsOf(logger: Logger = SILENT) {
  const asked: ((download: Download | Promise<never>) => void)[] = []
  let now = 0
  let hear: DocumentListener = () => {}
  const documents = {
    subscribe: (listener: DocumentListener) => {
      hear = listener
      return () => {}
    },
  }
  const frontends = createFrontends({
    logger,
    clock: () => now,
    monotonic: monotonicClock(() => now),
    random: () => 0,
    profile: createFixedProfile('node'),
    documents,
    downloads: {
      get: () => new Promise<Download>((resolve) => void asked.push(resolve)),
    },
  })
  const change = async () => hear(SCOPE.environment)
  const pass = (ms: number) => {
    now += ms
  }
  return { asked, change, pass, frontends, namesOf: async () => (await frontends.stateFor(SCOPE)).engine.names }
}

test('after two concurrent reads the newer state wins, whichever arrives last', async () => {
  const { asked, change, namesOf } = frontendsOf()
  const first = namesOf()
  void change()
  const second = namesOf()
  expect(asked).toHaveLength(2)
  asked[1]?.(downloadOf(8))
  expect(await second).toEqual(['at-8'])
  asked[0]?.(downloadOf(7))
  expect(await first).toEqual(['at-8'])
  expect(await namesOf()).toEqual(['at-8'])
})

test('an overtaken first read waits until the newer state is in use', async () => {
  const { asked, change, namesOf } = frontendsOf()
  const waiting = Array.from({ length: 100 }, namesOf)
  void change()
  asked[1]?.(downloadOf(8))
  asked[0]?.(downloadOf(7))
  for (const names of await Promise.all(waiting)) expect(names).toEqual(['at-8'])
})

test('an older read that fails decides nothing while a newer one is under way', async () => {
  const { asked, change, namesOf } = frontendsOf()
  const first = namesOf()
  void change()
  const failed = Promise.reject(new Error('no room'))
  asked[0]?.(failed)
  await expect(failed).rejects.toThrow()
  asked[1]?.(downloadOf(8))
  expect(await first).toEqual(['at-8'])
})

test('a read that was overtaken does not answer with the state before', async () => {
  const { asked, change, namesOf } = frontendsOf()
  const first = namesOf()
  asked[0]?.(downloadOf(1))
  await first
  const ignored = change()
  asked[1]?.(downloadOf(2))
  await ignored
  await change()
  const afterChange = namesOf()
  void change()
  asked[3]?.(downloadOf(4))
  asked[2]?.(downloadOf(3))
  expect(await afterChange).toEqual(['at-4'])
})

test('a change is visible once its request returns; reads in between do not wait', async () => {
  const { asked, change, namesOf } = frontendsOf()
  const first = namesOf()
  asked[0]?.(downloadOf(1))
  await first
  const changed = change()
  expect(await namesOf()).toEqual(['at-1'])
  asked[1]?.(downloadOf(2))
  await changed
  expect(await namesOf()).toEqual(['at-2'])
})

test('changes without readers are loaded together by the next read', async () => {
  const { asked, change, namesOf } = frontendsOf()
  const first = namesOf()
  asked[0]?.(downloadOf(1))
  await first
  const changed = change()
  asked[1]?.(downloadOf(2))
  await changed
  await change()
  await change()
  expect(asked).toHaveLength(2)
  const later = namesOf()
  asked[2]?.(downloadOf(4))
  expect(await later).toEqual(['at-4'])
})

test('a failed load keeps the current state and is retried by a later read, but not by each one', async () => {
  const said: string[] = []
  const { asked, change, pass, namesOf } = frontendsOf({ ...SILENT, error: (text) => said.push(text) })
  const first = namesOf()
  asked[0]?.(downloadOf(1))
  await first
  const changed = change()
  asked[1]?.(Promise.reject(new Error('no room')))
  await changed
  for (let index = 0; index < 3; index += 1) expect(await namesOf()).toEqual(['at-1'])
  expect([asked.length, said.length]).toEqual([2, 1])
  pass(1000)
  const later = namesOf()
  asked[2]?.(downloadOf(2))
  expect(await later).toEqual(['at-2'])
  pass(5000)
  expect([await namesOf(), asked.length]).toEqual([['at-2'], 3])
})

test('the JSON of what is on is there before anybody asks, and stays the same where nothing changes', async () => {
  const { asked, change, frontends } = frontendsOf()
  for (const [at, revision, most] of [
    [0, 1, 1],
    [1, 2, 1],
    [2, 2, 0],
  ] as const) {
    const changed = change()
    const asking = frontends.stateFor(SCOPE)
    const download = downloadOf(revision)
    const stringify = vi.spyOn(JSON, 'stringify')
    asked[at]?.(download)
    await Promise.all([changed, asking])
    expect(stringify.mock.calls.length).toBe(most)
    const { answers } = await frontends.stateFor(SCOPE)
    stringify.mockClear()
    const { content } = answers.list('on', {})
    expect(stringify).not.toHaveBeenCalled()
    stringify.mockRestore()
    expect(JSON.parse(content.bytes().toString())).toMatchObject({ toggles: [{ name: `at-${revision}` }] })
  }
})

test('cached responses stay below their bound, whatever contexts repeat, and a change clears them', async () => {
  const { asked, change, frontends } = frontendsOf()
  const state = frontends.stateFor(SCOPE)
  const strategies = [{ name: 'userWithId', parameters: { userIds: 'anna' } }]
  asked[0]?.({ ...downloadOf(1), features: () => [{ name: 'for-users', enabled: true, strategies }] })
  const { answers } = await state
  const { limitBytes } = frontends.getCacheSizes().replies
  // 100 scopes of environments, and a quarter of that for test runs
  const scopeLimitBytes = limitBytes / 125
  const sizes: number[] = []
  for (let user = 0; user < 12_000; user += 1) {
    const context = { userId: `user-${user}-`.padEnd(60, 'x') }
    for (let time = 0; time < 3; time += 1) answers.list('on', context).content.bytes()
    sizes.push(frontends.getCacheSizes().replies.bytes)
  }
  expect(scopeLimitBytes).toBe(4 * 1024 * 1024)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(scopeLimitBytes)
  expect(Math.max(...sizes)).toBeGreaterThan(scopeLimitBytes / 4)
  expect(frontends.getCacheSizes().replies.entries).toBeGreaterThan(100)
  const changed = change()
  asked[1]?.(downloadOf(2))
  await changed
  expect(frontends.getCacheSizes().replies).toEqual({ entries: 0, bytes: 0, limitBytes })
})
