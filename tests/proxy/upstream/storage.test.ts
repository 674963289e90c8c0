import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { loadOptions, type ProxyConfig } from '@burgee/proxy/options'
import { createProfile } from '@burgee/proxy/upstream/connection'
import { StartupConfiguration } from '@burgee/proxy/upstream/startup-configuration'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { Repository } from '@burgee/serving/document/repository'
import { FileStorage } from '@burgee/serving/upstream/backup-file'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { until } from '../../support/wait.ts'

/** Storage of the last good configuration. */
const document = (name: string, size = 0): FeatureDocument => ({
  version: 2,
  features: [
    { name, enabled: true, strategies: [], description: 'x'.repeat(size) } as FeatureDocument['features'][number],
  ],
  segments: [],
})
const folder = temporaryFolder()
afterAll(folder.remove)
let count = 0
let at: string
beforeEach(() => {
  count += 1
  at = join(folder.path, String(count))
})

describe('a folder', () => {
  test('belongs to the owner alone, with its parents and files', async () => {
    const inner = join(at, 'a', 'b')
    await new FileStorage(inner).set('app', document('one'))
    expect(statSync(inner).mode & 0o777).toBe(0o700)
    const [file = ''] = readdirSync(inner)
    expect(statSync(join(inner, file)).mode & 0o777).toBe(0o600)
  })

  test('a file that others could read is replaced by one that they cannot', async () => {
    const storage = new FileStorage(at)
    await storage.set('app', document('one'))
    const path = join(at, readdirSync(at)[0] ?? '')
    const before = statSync(path).ino
    writeFileSync(path, '{}', { mode: 0o644 })
    await storage.set('app', document('two'))
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(path).ino).not.toBe(before)
    expect(await storage.get('app')).toEqual(document('two'))
  })

  test.each([
    '../../x',
    '/etc/passwd',
    '..',
    '.',
    'a/b\\c',
    'NUL\0L',
    'a b%2F..',
    'ünï ✓',
    '__proto__',
    '-rf *',
    'x'.repeat(200),
  ])('the key %j stays within, as one file', async (key) => {
    const inner = join(at, 'inner')
    const storage = new FileStorage(inner)
    await storage.set('other', document('other'))
    await storage.set(key, document(key))
    expect(await storage.get(key)).toEqual(document(key))
    expect(await storage.get('other')).toEqual(document('other'))
    expect(readdirSync(at)).toEqual(['inner'])
    expect(readdirSync(inner)).toHaveLength(2)
  })

  test('never shows a partial file to readers, though several write at once', async () => {
    const storages = [new FileStorage(at), new FileStorage(at)]
    await storages[0]?.set('app', document('0', 100_000))
    let isWriting = true
    const writes = Promise.all(
      storages.map(async (storage, index) => {
        for (let round = 0; round < 25; round += 1)
          await storage.set('app', document(`${index}`, 100_000 * (1 + index)))
      }),
    ).finally(() => {
      isWriting = false
    })
    let reads = 0
    while (isWriting) {
      const seen = (await new FileStorage(at).get('app')) as FeatureDocument
      expect([document('0', 100_000), document('1', 200_000)]).toContainEqual(seen)
      reads += 1
    }
    await writes
    expect(reads).toBeGreaterThan(1)
    expect(readdirSync(at)).toHaveLength(1)
  })

  test('retains the old file and nothing else when a write fails', async () => {
    const storage = new FileStorage(at)
    await storage.set('app', document('old'))
    const loop: Record<string, unknown> = {}
    loop.self = loop
    await expect(storage.set('app', loop as unknown as FeatureDocument)).rejects.toThrow()
    expect(await storage.get('app')).toEqual(document('old'))
    expect(readdirSync(at)).toHaveLength(1)
  })

  test("retains no temporary file if a directory has the file's name", async () => {
    const storage = new FileStorage(at)
    await storage.set('app', document('old'))
    const name = readdirSync(at)[0] ?? ''
    const other = join(folder.path, `${count}-blocked`)
    mkdirSync(join(other, name, 'full'), { recursive: true })
    await expect(new FileStorage(other).set('app', document('new'))).rejects.toThrow()
    expect(readdirSync(other)).toEqual([name])
  })

  test('contains nothing at first; reading a damaged file rejects', async () => {
    expect(await new FileStorage(at).get('app')).toBeUndefined()
    expect(existsSync(at)).toBe(false)
    const storage = new FileStorage(at)
    await storage.set('app', document('one'))
    const path = join(at, readdirSync(at)[0] ?? '')
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -1))
    await expect(storage.get('app')).rejects.toThrow('damaged')
  })
})

describe('a provider that', () => {
  const lines: string[] = []
  const startupOf = (config: ProxyConfig, retryMs?: number) => {
    lines.length = 0
    const logger = { ...SILENT, error: (message: string, error: unknown) => void lines.push(`${message}: ${error}`) }
    const options = loadOptions({ flagUrl: 'http://127.0.0.1:9', flagApiToken: 't', clientKeys: ['k'], ...config }, {})
    const repository = new Repository({ logger, clock: Date.now, monotonic: PROCESS_CLOCK, compileOptions: {} })
    const profile = createProfile(options)
    const startup = new StartupConfiguration({
      options,
      repository,
      profile,
      dispatcher: undefined,
      sourceHash: undefined,
      logger,
      timeoutMs: 50,
      ...(retryMs === undefined ? {} : { retryMs }),
    })
    return { startup, repository }
  }
  const never = () => new Promise<never>(() => {})

  test('hangs while it reads is passed over for the bootstrap', async () => {
    const storageProvider = { get: never, set: never }
    const { startup, repository } = startupOf({
      storageProvider,
      expBootstrap: { data: [document('boot').features[0]] },
    })
    expect(await startup.load()).toBe(true)
    expect(repository.state?.origin).toBe('bootstrap')
    expect(lines).toEqual(['Cannot use the backup: Error: it took longer than 50 ms'])
  })

  test('hangs while it writes is tried again with the newest, and logged once', async () => {
    const asked: string[] = []
    const set = (_key: string, { features }: FeatureDocument) => {
      asked.push(features[0]?.name ?? '')
      return asked.length < 3 ? never() : Promise.resolve()
    }
    const { startup } = startupOf({ storageProvider: { get: never, set } })
    for (const name of ['1', '2', '3']) startup.save(document(name))
    await startup.settle()
    startup.save(document('4'))
    await startup.settle()
    expect(asked).toEqual(['1', '3', '4'])
    expect(lines).toEqual(['Cannot write the backup of the features: Error: it took longer than 50 ms'])
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('full')
      },
    ],
    ['rejects', () => Promise.reject(new Error('full'))],
  ])('%s while it writes is tried with each change, and logged once', async (_name, fail) => {
    let calls = 0
    const set = () => {
      calls += 1
      return calls < 3 ? fail() : Promise.resolve()
    }
    const { startup } = startupOf({ storageProvider: { get: never, set } })
    for (const name of ['1', '2', '3']) {
      startup.save(document(name))
      await startup.settle()
    }
    expect(calls).toBe(3)
    expect(lines).toEqual(['Cannot write the backup of the features: Error: full'])
  })

  test('fails for a while gets the last configuration without a further change', async () => {
    let isFull = true
    const stored: string[] = []
    const set = async (_key: string, { features }: FeatureDocument) => {
      if (isFull) throw new Error('full')
      stored.push(features[0]?.name ?? '')
    }
    const { startup } = startupOf({ storageProvider: { get: never, set } }, 10)
    for (const name of ['1', '2']) startup.save(document(name))
    await until(() => lines.length > 0)
    isFull = false
    await until(() => stored.length > 0)
    await startup.settle()
    expect(stored).toEqual(['2'])
    expect(lines).toEqual(['Cannot write the backup of the features: Error: full'])
  })

  test('fails until the end gets the last configuration once more', async () => {
    const asked: string[] = []
    const set = async (_key: string, { features }: FeatureDocument) => {
      asked.push(features[0]?.name ?? '')
      if (asked.length === 1) throw new Error('full')
    }
    const { startup } = startupOf({ storageProvider: { get: never, set } })
    startup.save(document('1'))
    await until(() => lines.length > 0)
    await startup.settle()
    expect(asked).toEqual(['1', '1'])
  })

  test('responds slowly gets one write at a time', async () => {
    let open = 0
    let most = 0
    const kept: string[] = []
    const set = async (_key: string, { features }: FeatureDocument) => {
      open += 1
      most = Math.max(most, open)
      await new Promise((resolve) => setTimeout(resolve, 1))
      open -= 1
      kept.push(features[0]?.name ?? '')
    }
    const { startup } = startupOf({ storageProvider: { get: never, set } })
    for (let round = 0; round < 20; round += 1) startup.save(document(String(round)))
    await until(() => kept.includes('19'))
    expect([most, kept]).toEqual([1, ['0', '19']])
  })
})
