import { execFile } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'

/** Directories that cannot contain a database: each start fails with one sentence that names the variable. */
const NOBODY = 65_534
const CHILD = fileURLToPath(new URL('directory-child.ts', import.meta.url))
const folder = temporaryFolder()
const at = (name: string) => join(folder.path, name)
writeFileSync(at('file'), '')
symlinkSync(at('loop'), at('loop'))
symlinkSync(at('gone'), at('dangling'))
mkdirSync(at('full'))
mkdirSync(join(at('full'), 'burgee.sqlite'))
mkdirSync(at('other'))
writeFileSync(join(at('other'), 'burgee.sqlite'), 'This is no database, but somebody wrote it.\n'.repeat(50))

const running: BurgeeProcess[] = []
afterEach(() => {
  for (const one of running.splice(0)) one.kill('SIGKILL')
})
afterAll(folder.remove)

function run(command: string, env: Readonly<Record<string, string>>): BurgeeProcess {
  const one = runBurgee([command], { HTTP_PORT: '0', HTTP_HOST: '127.0.0.1', PROXY_PORT: '0', ...env })
  running.push(one)
  return one
}

const IMPOSSIBLE = [
  { name: 'where nothing can be made', dataDir: '/proc/nope', says: 'ENOENT' },
  { name: 'deep where nothing can be made', dataDir: '/proc/nope/and/deeper', says: 'ENOENT' },
  { name: 'below a device', dataDir: '/dev/null/x', says: 'ENOTDIR' },
  { name: 'that is a file', dataDir: at('file'), says: 'not a directory' },
  { name: 'below a file', dataDir: join(at('file'), 'below'), says: 'ENOTDIR' },
  { name: 'that is a circle of links', dataDir: at('loop'), says: 'ELOOP' },
  { name: 'that is a link to nothing', dataDir: at('dangling'), says: 'link' },
  { name: 'with a name that is too long', dataDir: join(at('long'), 'x'.repeat(300)), says: 'ENAMETOOLONG' },
  { name: 'with a path that is too long', dataDir: at('y/'.repeat(3000)), says: 'ENAMETOOLONG' },
  { name: 'in the system itself', dataDir: '/sys/burgee', says: /EPERM|EACCES|EROFS/ },
  { name: 'whose database is a directory', dataDir: at('full'), says: 'EISDIR' },
  { name: 'whose database is something else', dataDir: at('other'), says: 'not a database' },
]

describe.each([
  { command: 'server', rows: IMPOSSIBLE },
  {
    command: 'start',
    rows: IMPOSSIBLE.filter(({ dataDir }) => ['/proc/nope', at('file'), at('other')].includes(dataDir)),
  },
])('burgee $command', ({ command, rows }) => {
  test.each(rows)('a directory $name', async ({ dataDir, says }) => {
    const burgee = run(command, { DATA_DIR: dataDir })
    expect(await burgee.ended).toBe(1)
    const [sentence = '', ...more] = burgee.errors().split('\n')
    expect(more).toEqual([''])
    expect(sentence).toContain('(DATA_DIR, --data-dir)')
    expect(sentence).toContain(dataDir.slice(0, 100))
    expect(sentence).toMatch(says)
  })

  test('a path that is too long for a socket holds a database like any other', async () => {
    const dataDir = at(`${'d'.repeat(120)}/${command}`)
    const burgee = run(command, { DATA_DIR: dataDir })
    await burgee.find(/listening|running/)
    burgee.kill('SIGTERM')
    expect(await burgee.ended).toBe(0)
  })
})

test('on PostgreSQL the directory of the proxy’s key is named as well', async () => {
  const burgee = run('start', { DATA_DIR: '/proc/nope', DATABASE_URL: 'postgres://u@127.0.0.1:1/d' })
  expect(await burgee.ended).toBe(1)
  expect(burgee.errors()).toMatch(/^[^\n]*\/proc\/nope \(DATA_DIR, --data-dir\)[^\n]*\n$/)
})

describe('without the right to write', () => {
  const sealed = (name: string): string => {
    mkdirSync(at(name))
    chmodSync(at(name), 0o555)
    chmodSync(folder.path, 0o755)
    return at(name)
  }
  const withReadOnlyFile = (): string => {
    mkdirSync(at('owned'))
    writeFileSync(join(at('owned'), 'burgee.sqlite'), '', { mode: 0o444 })
    if (process.getuid?.() === 0) chownSync(at('owned'), NOBODY, NOBODY)
    return at('owned')
  }

  test.each([
    ['a directory', () => sealed('sealed')],
    ['a directory in one', () => join(sealed('sealed-above'), 'below')],
    ['the database alone', withReadOnlyFile],
  ])('%s', async (_name, make) => {
    const dataDir = make()
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=source', '--no-warnings', CHILD, dataDir],
      {
        env: { PATH: process.env.PATH ?? '' },
      },
    )
    expect(stdout).toMatch(/^DataDirectoryError: [^\n]*\(DATA_DIR, --data-dir\)[^\n]*EACCES[^\n]*\n$/)
    expect(stdout).toContain(dataDir)
  })
})
