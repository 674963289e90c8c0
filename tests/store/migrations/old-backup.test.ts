import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { listMigrationNames } from '@burgee/storage/migrations'
import { MIGRATIONS_BEFORE_SQUASH } from '@burgee/storage/migrations/before-squash'
import { afterAll, expect, test } from 'vitest'
import { makeNextVersion, NEXT_MIGRATION } from '../../chaos/next-version.ts'
import { runServer, serverNode } from '../../chaos/server-node.ts'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../../support/burgee.ts'
import { sqliteLook } from '../../support/test-database.ts'
import { BEFORE_SQUASH, fillBeforeSquash } from './before-squash.ts'
import { FIRST_ALTERING } from './migration-statements.ts'

const folder = temporaryFolder()
const running: BurgeeProcess[] = []
afterAll(() => {
  for (const one of running) one.kill('SIGKILL')
  folder.remove()
})

test('a backup from before the squash is restored; its flags are served, and its events are found', async () => {
  const file = join(folder.path, 'old.sqlite')
  const env = { DATA_DIR: join(folder.path, 'data') }
  await fillBeforeSquash(file)
  expect(await runBurgee(['restore', file], env).ended).toBe(0)
  const server = runServer(env)
  running.push(server)
  const node = await serverNode(server)
  const download = await node.ask('/api/client/features', BEFORE_SQUASH.clientToken)
  const { features } = (await download.json()) as { features: { name: string; enabled: boolean }[] }
  expect(features.map(({ name, enabled }) => [name, enabled])).toEqual(BEFORE_SQUASH.flags.map((name) => [name, true]))
  const search = '/api/admin/search/events?query=LD-FLAG&type=IS:feature-created'
  const found = await node.ask(search, BEFORE_SQUASH.adminToken)
  expect(await found.json()).toMatchObject({ total: 1, events: [{ type: 'feature-created', featureName: 'old-flag' }] })
  node.process.kill('SIGTERM')
  expect(await node.process.ended).toBe(0)
  expect(await runBurgee(['backup', `${file}.again`], env).ended).toBe(0)
})

test('a later migration also changes a database from before the squash', async () => {
  const next = makeNextVersion()
  const data = join(folder.path, 'later')
  mkdirSync(data, { mode: 0o700 })
  await fillBeforeSquash(join(data, 'burgee.sqlite'))
  const server = runServer({ DATA_DIR: data }, next.command)
  running.push(server)
  const node = await serverNode(server)
  expect((await node.ask('/api/client/features', BEFORE_SQUASH.clientToken)).status).toBe(200)
  node.process.kill('SIGTERM')
  expect(await node.process.ended).toBe(0)
  next.remove()
  const look = sqliteLook(join(data, 'burgee.sqlite'))
  const executed = (await look.rows('select name from kysely_migration order by name')).map(({ name }) => name)
  await look.close()
  const later = listMigrationNames().filter((name) => name >= FIRST_ALTERING)
  expect(executed).toEqual([...MIGRATIONS_BEFORE_SQUASH, ...later, NEXT_MIGRATION])
})

test('a backup that is too old is refused with one sentence, and nothing is restored', async () => {
  const file = join(folder.path, 'older.sqlite')
  const env = { DATA_DIR: join(folder.path, 'empty') }
  await fillBeforeSquash(file, '0042-own-email')
  const restore = runBurgee(['restore', file], env)
  expect(await restore.ended).toBe(1)
  expect(restore.errors()).toMatch(/^[^\n]*too old for this version[^\n]* up to 0042-own-email\.[^\n]*\n$/)
  expect(existsSync(join(env.DATA_DIR, 'burgee.sqlite'))).toBe(false)
})
