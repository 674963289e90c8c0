import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EdgeSnapshot, SnapshotToken } from '@burgee/edge/storage/edge-storage'
import { FolderStorage } from '@burgee/edge/storage/folder-storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { keptLog } from '../../support/kept-log.ts'

const { logger, lines } = keptLog()
let temporary: ReturnType<typeof temporaryFolder>
let folder: string

beforeEach(() => {
  temporary = temporaryFolder()
  folder = join(temporary.path, 'backup')
  lines.length = 0
})
afterEach(() => temporary.remove())

const SECRET = 'deadbeefsecret'
const token = (environment: string, type: SnapshotToken['type'] = 'backend'): SnapshotToken => ({
  token: `*:${environment}.${SECRET}`,
  type,
  environment,
  projects: ['*'],
})
const documentOf = (...names: string[]) => ({
  version: 2,
  features: names.map((name) => ({ name, enabled: true, strategies: [], more: { of: 'ours' } })),
  segments: [{ id: 1, constraints: [] }],
})
const KEPT: EdgeSnapshot = {
  tokens: [token('dev'), token('dev', 'frontend')],
  documents: new Map([
    ['dev', documentOf('a', 'b')],
    ['../prod .é', documentOf('c')],
  ]),
}
const open = () => new FolderStorage(folder, logger)
const files = () => readdirSync(folder).sort()

describe('the snapshot', () => {
  test('comes back, from files that are the owner’s alone', async () => {
    await open().save(KEPT)
    expect(await open().load()).toEqual(KEPT)
    expect(files()).toEqual([
      'burgee-edge-features-%2E%2E%2Fprod%20%2E%C3%A9.json',
      'burgee-edge-features-dev.json',
      'burgee-edge-tokens.json',
    ])
    expect([folder, ...files().map((name) => join(folder, name))].map((path) => statSync(path).mode & 0o077)).toEqual([
      0, 0, 0, 0,
    ])
  })

  test('nothing is there at first', async () => {
    expect(await open().load()).toBeUndefined()
  })

  test('rewrites only changed files, and removes files of removed environments', async () => {
    const storage = open()
    await storage.save(KEPT)
    const path = join(folder, 'burgee-edge-features-dev.json')
    const before = statSync(path).ino
    await storage.save({ ...KEPT, tokens: [], documents: new Map(KEPT.documents) })
    expect(statSync(path).ino).toBe(before)
    await storage.save({ tokens: [], documents: new Map([['dev', documentOf('b')]]) })
    expect([statSync(path).ino === before, files().length]).toEqual([false, 2])
    expect(await open().load()).toEqual({ tokens: [], documents: new Map([['dev', documentOf('b')]]) })
  })

  test('a damaged file is a warning without what it holds, and the rest is used', async () => {
    await open().save(KEPT)
    const damage = (name: string, change: (text: string) => string) =>
      writeFileSync(join(folder, name), change(readFileSync(join(folder, name), 'utf8')))
    damage('burgee-edge-features-dev.json', (text) => text.replace('"a"', '"x"'))
    damage('burgee-edge-tokens.json', (text) => text.slice(0, 60))
    const kept = await open().load()
    expect([kept?.tokens, [...(kept?.documents.keys() ?? [])]]).toEqual([[], ['../prod .é']])
    expect(lines.length).toBe(2)
    expect(lines.join()).toContain('burgee-edge-features-dev.json')
    expect(lines.join()).not.toContain(SECRET.slice(0, 8))
  })

  test('a folder that cannot be read is an error', async () => {
    writeFileSync(folder, '')
    await expect(open().load()).rejects.toThrow('ENOTDIR')
  })
})

/** File formats from "Files and offline mode" of the wire protocol. */
const FOREIGN_TOKENS = [
  { token: '*:dev.1', type: 'client', environment: 'dev', projects: ['*'], status: 'Validated' },
  { token: 'p:dev.2', type: 'Backend', environment: 'dev', projects: ['p'], status: 'Validated' },
  { token: '*:dev.3', type: 'FRONTEND', environment: 'dev', projects: ['*'], status: 'Validated' },
  { token: '*:*.4', type: 'admin', environment: null, projects: ['*'], status: 'Validated' },
  { token: '*:dev.5', type: 'client', environment: 'dev', projects: ['*'], status: 'Invalid' },
  { token: '*:dev.6', type: 'client', environment: 'dev', projects: [], status: 'Validated' },
  { token: 7, type: 'client', environment: 'dev', projects: ['*'], status: 'Validated' },
  'nonsense',
]
const FOREIGN_FEATURES = [
  [
    'dev',
    { version: 2, features: [{ name: 'f', enabled: true, strategies: [] }], segments: null, query: {}, meta: {} },
  ],
  ['broken', { version: 2 }],
  ['prod', { version: 2, features: [] }],
  'nonsense',
]

describe('the snapshot of an Edge', () => {
  const place = (name: string, content: unknown) => {
    folder = temporary.path
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }

  test('serves as a start if there is no own snapshot, and is never written', async () => {
    place('unleash_tokens.json', FOREIGN_TOKENS)
    place('unleash_features.json', FOREIGN_FEATURES)
    const kept = await open().load()
    expect(kept?.tokens.map(({ token: text, type }) => [text, type])).toEqual([
      ['*:dev.1', 'backend'],
      ['p:dev.2', 'backend'],
      ['*:dev.3', 'frontend'],
    ])
    const names = [...(kept?.documents ?? [])].map(([environment, { features }]) => [environment, features.length])
    expect(names).toEqual([
      ['dev', 1],
      ['prod', 0],
    ])
    expect(lines).toEqual([expect.stringContaining('"broken"')])
    await open().save(KEPT)
    expect(await open().load()).toEqual(KEPT)
    expect(JSON.parse(readFileSync(join(folder, 'unleash_tokens.json'), 'utf8'))).toEqual(FOREIGN_TOKENS)
  })

  test.each([
    ['no JSON', '{"'],
    ['no list', '{}'],
  ])('one that is %s is a warning, and the other one is used', async (_name, content) => {
    place('unleash_tokens.json', content)
    place('unleash_features.json', FOREIGN_FEATURES.slice(0, 1))
    const kept = await open().load()
    expect([kept?.tokens, kept?.documents.size, lines.length]).toEqual([[], 1, 1])
  })
})
