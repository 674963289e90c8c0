import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { runSync } from '@burgee/kit/slices'
import { EnvironmentDocument } from '@burgee/serving/document/environment-document'
import { SnapshotFile } from '@burgee/storage/queries/snapshot/snapshot-file'
import type { SnapshotState } from '@burgee/storage/queries/snapshot/snapshot-state'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/burgee.ts'

/**
 * Snapshot for a start without the database. The snapshot is written atomically, and used only if it is intact and
 * belongs to this server.
 */
const folder = temporaryFolder()
afterAll(() => folder.remove())
let files = 0
const freshFile = (): SnapshotFile => {
  files += 1
  return new SnapshotFile(join(folder.path, `folder-${files}`, 'burgee.kept'))
}

const SECRET = 'default:development.0123456789abcdef'
const ROW = {
  id: 'one',
  hash: 'ab'.repeat(32),
  masked: `${SECRET.slice(0, 24)}…`,
  name: 'shop',
  type: 'client' as const,
  environment: 'development',
  projects: ['default'],
  expires_at: null,
  created_at: 1,
  seen_at: null,
}

const NOW = 2000

function stateAt(id: number, { epoch = 'e1', flags = ['on', 'line\nbreak'], asOfMs = 1000 } = {}): SnapshotState {
  const document = new EnvironmentDocument()
  const features = flags.map((name) => ({ name, enabled: true, strategies: [{ name: 'default' }], project: 'default' }))
  const segments = [{ id: 1, name: 'staff', constraints: [] }]
  const tagged = features.map((feature) => ({ feature: feature as never, tags: [{ type: 'simple', value: 'x' }] }))
  document.replace(tagged, segments as never, { epoch, id })
  const [state] = [document.state]
  return {
    mark: { epoch, id, madeAt: 5 },
    asOfMs,
    settings: { frontendApiOrigins: ['https://page.example'], instanceId: 'i' },
    tokens: [{ row: ROW, atMs: 900 }],
    documents: new Map(state === undefined ? [] : [['development', state]]),
  }
}

test('a written file reads back without any secret, and only its owner can read it', async () => {
  const file = freshFile()
  await file.write(stateAt(7), NOW)
  const read = await file.read()
  expect(read).toMatchObject({ mark: { epoch: 'e1', id: 7, madeAt: 5 }, asOfMs: 1000, settings: stateAt(7).settings })
  expect(read?.tokens).toEqual([{ row: { ...ROW, masked: '' }, atMs: 900 }])
  expect(read?.documents.get('development')).toMatchObject({
    revision: { epoch: 'e1', id: 7 },
    flags: [{ feature: { name: 'line\nbreak' } }, { feature: { name: 'on' }, tags: [{ type: 'simple', value: 'x' }] }],
    segments: [{ id: 1, name: 'staff' }],
  })
  expect(readFileSync(file.path, 'utf8')).not.toContain('0123')
  expect((statSync(file.path).mode & 0o777).toString(8)).toBe('600')
  expect(readdirSync(join(file.path, '..'))).toEqual(['burgee.kept'])
})

/** Changes a file and recomputes its checksum. */
const sealedAnew = (path: string, change: (text: string) => string): void => {
  const sealed = change(readFileSync(path, 'utf8').replace(/.*\n$/, ''))
  writeFileSync(path, `${sealed}{"checksum":"${createHash('sha256').update(sealed).digest('hex')}"}\n`)
}

test('an opened snapshot parses flags only when asked, and its access data is read without the rest', async () => {
  const file = freshFile()
  await file.write(stateAt(7), NOW)
  sealedAnew(file.path, (text) => text.replace('"feature":{', '"feature":{ not JSON'))
  const document = (await file.open())?.documents.get('development')
  expect(document).toMatchObject({ revision: { epoch: 'e1', id: 7 }, segments: [{ id: 1, name: 'staff' }] })
  expect(document && runSync(document.parseFlags())).toBeUndefined()
  truncateSync(file.path, statSync(file.path).size - 30)
  expect(await file.readAccess()).toEqual({
    mark: { epoch: 'e1', id: 7, madeAt: 5 },
    asOfMs: 1000,
    settings: stateAt(7).settings,
    tokens: [{ row: { ...ROW, masked: '' }, atMs: 900 }],
  })
})

test('an environment whose name looks like the start of an environment is read as written', async () => {
  const file = freshFile()
  const name = 'a\n{"environment":"b"'
  const [development] = stateAt(7).documents.values()
  const documents = new Map(
    development === undefined
      ? []
      : [
          ['development', development],
          [name, development],
        ],
  )
  await file.write({ ...stateAt(7), documents }, NOW)
  const read = await file.read()
  expect([...(read?.documents ?? [])].map(([environment, { flags }]) => [environment, flags.length])).toEqual([
    ['development', 2],
    [name, 2],
  ])
})

test('nothing is there: nothing is read', async () => {
  expect(await freshFile().read()).toBeUndefined()
})

const rewritten = (path: string, change: (text: string) => string): void =>
  writeFileSync(path, change(readFileSync(path, 'utf8')))

const replacedBy = (target: string, path: string): void => {
  unlinkSync(path)
  symlinkSync(target, path)
}

describe('is not used', () => {
  test.each<[string, (path: string) => void, RegExp]>([
    ['cut off', (path) => truncateSync(path, statSync(path).size - 30), /damaged/],
    [
      'cut off after a line',
      (path) => rewritten(path, (text) => `${text.split('\n').slice(0, 3).join('\n')}\n`),
      /damaged/,
    ],
    ['garbage', (path) => writeFileSync(path, 'x'.repeat(5000)), /damaged/],
    ['empty', (path) => writeFileSync(path, ''), /damaged/],
    ['with a changed flag', (path) => rewritten(path, (text) => text.replace('"on"', '"xx"')), /checksum/],
    ['followed by something', (path) => rewritten(path, (text) => `${text}{}\n`), /damaged/],
    ['writable by others', (path) => chmodSync(path, 0o602), /other users of this machine can write to it/],
    ['a device', (path) => replacedBy('/dev/null', path), /a link/],
    ['of another form', (path) => sealedAnew(path, (text) => text.replace('"form":1', '"form":2')), /another version/],
    ['a flag without a name', (path) => sealedAnew(path, (text) => text.replace('"name":"on"', '"n":1')), /another/],
    [
      'no flag at all',
      (path) => sealedAnew(path, (text) => text.replace(/"feature":.*/, '"feature":null}')),
      /another/,
    ],
    ['tokens that are none', (path) => sealedAnew(path, (text) => text.replace('"hash"', '"secret"')), /another/],
    ['without settings', (path) => sealedAnew(path, (text) => text.replace('"settings"', '"x"')), /another/],
    ['flags of no environment', (path) => sealedAnew(path, (text) => text.replace(/\{"env.*\n/, '')), /another/],
    ['no JSON', (path) => sealedAnew(path, (text) => text.replace('{"tags', 'secret{')), /^(?!.*secret).*another/],
    ['no lines', (path) => sealedAnew(path, () => ''), /another/],
    ['too large', (path) => truncateSync(path, 513 * 2 ** 20), /larger than 512 MiB/],
  ])('%s', async (_name, spoil, says) => {
    const file = freshFile()
    await file.write(stateAt(7), NOW)
    spoil(file.path)
    await expect(file.read()).rejects.toThrow(says)
  })

  test('a link, which is not followed and is replaced by a file', async () => {
    const [file, other] = [freshFile(), freshFile()]
    await other.write(stateAt(7), NOW)
    mkdirSync(join(file.path, '..'))
    symlinkSync(other.path, file.path)
    await expect(file.read()).rejects.toThrow(/a link/)
    const before = readFileSync(other.path)
    await file.write(stateAt(9), NOW)
    expect(readFileSync(other.path).equals(before)).toBe(true)
    expect((await file.read())?.mark.id).toBe(9)
  })
})

describe('two processes with one folder', () => {
  test.each([
    ['the one that knows less does not replace the other', stateAt(9), stateAt(8), 9],
    ['the one that knows as much does', stateAt(9), stateAt(9, { flags: ['other'] }), 9],
    ['another life of the database replaces whatever was there', stateAt(9), stateAt(2, { epoch: 'e2' }), 2],
    [
      'one that was cut off before a restore does not replace one that knows of it',
      stateAt(2, { epoch: 'e2', asOfMs: 1500 }),
      stateAt(9, { asOfMs: 1400 }),
      2,
    ],
    [
      'what is of a time to come was written by a wrong clock, and does not stand in the way of another life',
      stateAt(9, { asOfMs: 50_000 }),
      stateAt(2, { epoch: 'e2', asOfMs: 1900 }),
      2,
    ],
    ['nor does what is of a time to come replace what knows more', stateAt(9), stateAt(8, { asOfMs: 50_000 }), 9],
  ])('%s', async (_name, first, second, id) => {
    const [one, other] = [freshFile(), freshFile()]
    await one.write(first, NOW)
    const same = new SnapshotFile(one.path)
    await same.write(second, NOW)
    expect((await one.read())?.mark.id).toBe(id)
    expect(existsSync(other.path)).toBe(false)
  })

  test('one that was faster while the other writes is not replaced by what knows less', async () => {
    const [file, other, slow] = [freshFile(), freshFile(), stateAt(8)]
    await other.write(stateAt(9), NOW)
    const overtaken: SnapshotState = {
      ...slow,
      // evaluated just before the first part is written
      get documents() {
        copyFileSync(other.path, file.path)
        return slow.documents
      },
    }
    expect(await file.write(overtaken, NOW)).toBeUndefined()
    expect((await file.read())?.mark.id).toBe(9)
    expect(readdirSync(join(file.path, '..'))).toEqual(['burgee.kept'])
  })

  test('both write at once: one of them is whole', async () => {
    const file = freshFile()
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => new SnapshotFile(file.path).write(stateAt(index + 1), NOW)),
    )
    expect((await file.read())?.mark.id).toBeGreaterThan(0)
    expect(readdirSync(join(file.path, '..'))).toEqual(['burgee.kept'])
  })
})

test('a snapshot that is too large is refused with its size, and leaves the previous file', async () => {
  const file = freshFile()
  await file.write(stateAt(7), NOW)
  const huge = hugeDocument()
  const large = { ...stateAt(8), documents: new Map(Array.from({ length: 120 }, (_, n) => [`e${n}`, huge])) }
  await expect(file.write(large, NOW)).rejects.toThrow('it would be at least 601 MiB; the maximum is 512 MiB')
  expect((await file.read())?.mark.id).toBe(7)
  expect(readdirSync(join(file.path, '..'))).toEqual(['burgee.kept'])
})

function hugeDocument() {
  const revision = { epoch: 'e1', id: 8 }
  const json = JSON.stringify({ name: 'x'.repeat(5 * 2 ** 20) })
  const entry = {
    feature: { name: 'x' } as never,
    tags: [],
    json,
    digest: 0,
    segmentIds: [],
    name: 'x',
    project: '',
    hasSegmentLists: false,
  }
  return { version: 1, revision, flags: [entry], segments: new Map(), changes: [] }
}
