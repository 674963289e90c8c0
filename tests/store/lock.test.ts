import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DirectoryInUse, lockDirectory } from '@burgee/storage/drivers/sqlite/directory-lock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChild } from './child.ts'

const TOKEN = '*:*.admin-secret'
let root = ''
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'burgee-lock-')))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('a data directory', () => {
  test('has one owner at a time, and a refusal names it', async () => {
    const directory = join(root, 'one')
    const lock = await lockDirectory(directory)
    const refusal = await lockDirectory(directory).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(DirectoryInUse)
    expect((refusal as Error).message).toContain(`the process ${process.pid}.`)
    await lock.release()
    await (await lockDirectory(directory)).release()
    expect(statSync(directory).mode & 0o777).toBe(0o700)
  })

  test('has one lock, whatever path leads to it', async () => {
    const directory = join(root, 'two')
    const lock = await lockDirectory(directory)
    symlinkSync(directory, join(root, 'link'))
    await expect(lockDirectory(join(root, 'link'))).rejects.toThrow(DirectoryInUse)
    await lock.release()
  })

  test('may be so deep that a socket path does not reach it', async () => {
    const directory = join(root, 'd'.repeat(120), 'e'.repeat(120))
    const lock = await lockDirectory(directory)
    await expect(lockDirectory(directory)).rejects.toThrow(`${process.pid}`)
    await lock.release()
    await (await lockDirectory(directory)).release()
  })

  test('can be taken over although a process died during a takeover', async () => {
    const directory = join(root, 'three')
    const child = await startChild(directory, TOKEN)
    await child.kill()
    const mutex = join(directory, 'lock.sock.takeover')
    mkdirSync(mutex)
    const longAgo = new Date(Date.now() - 60_000)
    utimesSync(mutex, longAgo, longAgo)
    await (await lockDirectory(directory)).release()
  })
})

describe('servers in separate processes', () => {
  test('a second one is refused with the pid of the first; after SIGKILL the directory is taken over', async () => {
    const directory = join(root, 'served')
    const first = await startChild(directory, TOKEN)
    expect(first.port).toBeGreaterThan(0)
    const second = await startChild(directory, TOKEN)
    expect(second.port).toBeUndefined()
    expect(second.failed).toContain(`the process ${first.pid}.`)
    await first.kill()
    const third = await startChild(directory, TOKEN)
    expect(third.port).toBeGreaterThan(0)
    await third.kill()
  })

  test('compete for a stale lock: of four, one wins', async () => {
    const directory = join(root, 'raced')
    const dead = await startChild(directory, TOKEN)
    await dead.kill()
    const racers = await Promise.all(Array.from({ length: 4 }, () => startChild(directory, TOKEN)))
    const winners = racers.filter((racer) => racer.port !== undefined)
    const failures = racers.map((racer) => racer.failed).filter((failed) => failed !== undefined)
    await Promise.all(racers.map((racer) => racer.kill()))
    expect(winners).toHaveLength(1)
    for (const failed of failures) expect(failed).toContain('in use by')
  })

  test('compete for a new directory: of four, one wins and creates the tables once', async () => {
    const directory = join(root, 'new')
    const racers = await Promise.all(Array.from({ length: 4 }, () => startChild(directory, TOKEN)))
    await Promise.all(racers.map((racer) => racer.kill()))
    expect(racers.filter((racer) => racer.port !== undefined)).toHaveLength(1)
    const db = new DatabaseSync(join(directory, 'burgee.sqlite'))
    expect(db.prepare('select count(*) as n from users').get()?.n).toBe(1)
    expect(db.prepare('select count(*) as n from projects').get()?.n).toBe(1)
    db.close()
  })
})
