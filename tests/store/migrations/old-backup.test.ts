import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runServer, serverNode, TOKENS } from '../../chaos/server-node.ts'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../../support/burgee.ts'
import { sqliteLook } from '../../support/test-database.ts'
import { makeOldTables } from './old-database.ts'

const folder = temporaryFolder()
const running: BurgeeProcess[] = []
afterAll(() => {
  for (const one of running) one.kill('SIGKILL')
  folder.remove()
})

test('a backup of a version before is restored; the start brings it up to date, and its events are found', async () => {
  const [file, env] = [join(folder.path, 'old.sqlite'), { DATA_DIR: join(folder.path, 'data') }]
  await makeOldTables(file, '0010-usage-by-hour')
  const old = sqliteLook(file)
  await old.rows(
    `insert into features (name, project, type, stale, impression_data, created_at)
    values ('long-ago', 'default', 'release', 0, 0, ?)`,
    Date.now(),
  )
  await old.rows(`insert into events (created_at, type, created_by, created_by_user_id, project, feature_name, data, pre_data,
    tags, reach) values (1, 'feature-created', 'ada', 1, 'default', 'long-ago', 'null', 'null', '[]', '')`)
  await old.close()
  expect(await runBurgee(['restore', file], env).ended).toBe(0)
  const server = runServer(env)
  running.push(server)
  const node = await serverNode(server)
  await node.makeOn('today')
  expect((await node.download()).on).toEqual(['today'])
  const found = await node.ask('/api/admin/search/events?query=ONG-AG', TOKENS.admin)
  expect(await found.json()).toMatchObject({ total: 1, events: [{ type: 'feature-created', featureName: 'long-ago' }] })
  node.process.kill('SIGTERM')
  expect(await node.process.ended).toBe(0)
  expect(await runBurgee(['backup', `${file}.again`], env).ended).toBe(0)
})
