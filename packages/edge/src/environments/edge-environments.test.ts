import { setImmediate } from 'node:timers/promises'
import { type Logger, SILENT } from '@burgee/kit/log/logger'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { ConfigurationListener, ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import { expect, test, vi } from 'vitest'
import { createEnvironments } from './edge-environments.ts'
import type { FetchingToken } from './fetching-tokens.ts'

/** Source whose replies the test controls. */
class ToldSource implements ConfigurationSource {
  listener: ConfigurationListener | undefined
  readonly stopped = Promise.withResolvers<void>()
  start(listener: ConfigurationListener): void {
    this.listener = listener
  }
  stop(): Promise<void> {
    return this.stopped.promise
  }
  answer(...names: string[]): void {
    const features = names.map((name) => ({ name, enabled: true, strategies: [] }))
    this.listener?.accept({ version: 2, features, segments: [] })
  }
}

const NAME = 'development'

/** Creates environments with one token, which the test can remove and add again. */
function environmentsOf(logger: Logger = SILENT) {
  const sources: ToldSource[] = []
  let current: FetchingToken[] = []
  let changed = () => {}
  const environments = createEnvironments({
    clock: Date.now,
    random: () => 0.5,
    logger,
    firstDataLimitMs: 1000,
    fetching: {
      current: () => current,
      isSettled: true,
      subscribe: (listener) => {
        changed = listener
        return () => {}
      },
    },
    createSource: () => {
      const source = new ToldSource()
      sources.push(source)
      return source
    },
  })
  const be = (isThere: boolean) => {
    current = isThere ? [{ text: 't', id: 't', environment: NAME, projects: ['*'] }] : []
    changed()
  }
  const names = () => environments.peek(NAME)?.flags.map(({ feature }) => feature.name)
  return { environments, sources, be, names }
}

test('an environment that goes a second time, before the first end is over, ends for itself', async () => {
  const { environments, sources, be, names } = environmentsOf()
  be(true)
  sources[0]?.answer('first')
  await environments.get(NAME)
  be(false)
  be(true)
  sources[1]?.answer('second')
  while (names()?.[0] !== 'second') await setImmediate()
  be(false)
  sources[0]?.stopped.resolve()
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
  // subscribers have not been notified of the removed flags yet
  expect(names()).toEqual(['second'])
  sources[1]?.stopped.resolve()
  while (names()?.length !== 0) await setImmediate()
  await environments.close()
})

test('flags in the snapshot that cannot be read are logged, and the others are used', async () => {
  const warn = vi.fn()
  const { environments, be, names } = environmentsOf({ ...SILENT, warn })
  be(true)
  const broken = { version: 2, features: null, segments: [] } as unknown as FeatureDocument
  await environments.restore(new Map([[NAME, broken]]))
  expect(warn.mock.calls).toEqual([['Cannot use the flags from the snapshot', expect.any(Error)]])
  const features = [{ name: 'kept', enabled: true, strategies: [] }]
  await environments.restore(new Map([[NAME, { version: 2, features, segments: [] }]]))
  while (names() === undefined) await setImmediate()
  expect(names()).toEqual(['kept'])
  expect(warn).toHaveBeenCalledOnce()
})

test('flags in the snapshot of an environment that no token reads any longer are not used', async () => {
  const { environments, be } = environmentsOf()
  be(true)
  const features = [{ name: 'kept', enabled: true, strategies: [] }]
  await environments.restore(new Map([['production', { version: 2, features, segments: [] }]]))
  expect(environments.peek('production')).toBeUndefined()
  expect(environments.listStatuses()).toHaveLength(1)
})
