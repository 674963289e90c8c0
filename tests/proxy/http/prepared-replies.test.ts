import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'

/** Work that must be done before the first request after a new configuration arrives. */
const documentOf = (revision: number) => ({
  version: 2,
  features: ['a', 'b', 'c'].map((name) => ({
    name,
    enabled: true,
    strategies: [],
    variants: [{ name: `at-${revision}`, weight: 1 }],
  })),
})

let upstream: FakeUpstream
let proxy: TestProxy
beforeEach(async () => {
  upstream = await startUpstream(documentOf(0))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await proxy.close()
  await upstream.close()
})

test('the first reply of a configuration, at the start and after a change, has no JSON left to be written', async () => {
  const written: { revision: string; isByRequest: boolean }[] = []
  let isAsked = false
  const { stringify } = JSON
  vi.spyOn(JSON, 'stringify').mockImplementation(((value: unknown, ...rest: never[]) => {
    const { variant } = (value ?? {}) as { variant?: { name: string } }
    if (variant !== undefined) written.push({ revision: variant.name, isByRequest: isAsked })
    return stringify(value, ...rest)
  }) as typeof stringify)
  proxy = await startProxy({ flagUrl: upstream.url, refreshInterval: 20 })
  const variantNow = async () => {
    isAsked = true
    const response = await fetch(`${proxy.url}/proxy`, { headers: { authorization: KEY } })
    isAsked = false
    const { toggles } = (await response.json()) as { toggles: { variant: { name: string } }[] }
    return toggles.map(({ variant }) => variant.name).join(' ')
  }
  for (const revision of ['at-0', 'at-1', 'at-2']) {
    upstream.serve(documentOf(Number(revision.slice(3))))
    // no request arrives in the meantime, so all serialization happens in the background
    await vi.waitFor(() => expect(written.some((one) => one.revision === revision)).toBe(true))
    await vi.waitFor(async () => expect(await variantNow()).toBe(`${revision} ${revision} ${revision}`))
  }
  expect(written.filter(({ isByRequest }) => isByRequest)).toEqual([])
})
