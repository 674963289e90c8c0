import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type UnleashDatabase, unleashDatabase } from '../http/import/unleash-source.ts'
import { type BurgeeProcess, runBurgee } from '../support/burgee.ts'
import { migratedDatabase, postgresLook } from '../support/postgres.ts'
import { sqliteLook, type TestDatabase } from '../support/test-database.ts'
import { until } from '../support/wait.ts'

/** Target of an import, as variables of the command. */
interface Target {
  readonly env: Readonly<Record<string, string>>
  look(): Promise<TestDatabase>
  remove(): Promise<void>
}

const TARGETS: readonly (readonly [name: string, make: () => Promise<Target>])[] = [
  [
    'sqlite',
    async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'burgee-import-'))
      return {
        env: { DATA_DIR: dataDir },
        look: async () => sqliteLook(join(dataDir, 'burgee.sqlite')),
        remove: async () => rmSync(dataDir, { recursive: true, force: true }),
      }
    },
  ],
  [
    'postgres',
    async () => {
      const { url, remove } = await migratedDatabase()
      const env = { DATABASE_URL: url, BURGEE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') }
      return { env, look: () => postgresLook(url), remove }
    },
  ],
]

const TABLES = ['features', 'feature_strategies', 'segments', 'users', 'api_tokens', 'events', 'integrations']
/** Exit code of an import whose report lists differences, here of a token, a segment and a strategy. */
const WITH_DIFFERENCES = 3
/** Limit of the heap, for its young and old generation together. A start alone takes about 30 MB. */
const HEAP_MB = 96
/** Timeout for four processes and a database on a busy machine. */
const LIMIT_MS = 120_000
const MANY_EVENTS = Number(process.env.BURGEE_IMPORT_EVENTS ?? 10_000)

async function amounts(target: Target): Promise<number[]> {
  const db = await target.look()
  const rows = await Promise.all(TABLES.map((table) => db.row(`select count(*) as n from ${table}`)))
  await db.close()
  return rows.map((row) => Number(row?.n))
}

function importing(source: UnleashDatabase, target: Target, more: Record<string, string> = {}): BurgeeProcess {
  return runBurgee(['import', '--json'], { ...target.env, BURGEE_IMPORT_DATABASE_URL: source.url, ...more })
}

/** Makes event data take a minute to read, so that a test can interrupt the import. Counts stay fast. */
async function slowedDown(source: UnleashDatabase): Promise<void> {
  await source.run('alter table events rename to events_at_once')
  // stable, so that queries that do not read this column are not delayed
  await source.run(
    'create function in_a_minute(data json) returns json stable language plpgsql as $$ begin perform pg_sleep(60); return data; end $$',
  )
  await source.run(
    `create view events as select id, created_at, type, created_by, created_by_user_id, pre_data, tags, project,
      environment, feature_name, ip, in_a_minute(data) as data from events_at_once`,
  )
}

const isInTheMiddle = async (source: UnleashDatabase): Promise<boolean> => {
  const asked = await source.run(
    "select 1 from pg_stat_activity where datname = current_database() and application_name = 'burgee import' and state = 'active' and query like '%part_key%'",
  )
  return asked.length > 0
}

test.each(TARGETS)(
  '%s: killed in the middle, the target is as it was, and a further run is whole',
  async (_name, make) => {
    const [source, target] = [await unleashDatabase(), await make()]
    await slowedDown(source)
    const first = importing(source, target)
    // at this point, flags, users and tokens have been written
    await until(() => isInTheMiddle(source), LIMIT_MS / 2)
    first.kill('SIGKILL')
    await first.ended
    await source.run(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'burgee import'",
    )
    expect(await amounts(target)).toEqual(TABLES.map(() => 0))
    await source.run('drop view events')
    await source.run('alter table events_at_once rename to events')
    const second = importing(source, target)
    expect([await second.ended, second.errors()]).toEqual([WITH_DIFFERENCES, ''])
    expect(await amounts(target)).toEqual([7, 10, 2, 4, 6, 4, 1])
    await target.remove()
    await source.remove()
  },
)

test.each(TARGETS)(`%s: ${MANY_EVENTS} events go through a small heap`, { timeout: LIMIT_MS }, async (_name, make) => {
  const [source, target] = [await unleashDatabase(), await make()]
  await source.run(
    `insert into events (id, created_at, type, created_by, data, tags, project, feature_name)
      select 1000 + n, now(), 'feature-updated', 'admin', json_build_object('name', 'parent', 'text', repeat(md5(n::text), 10)), '[]', 'shop', 'parent'
      from generate_series(1, ${MANY_EVENTS}) n`,
  )
  const run = importing(source, target, { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` })
  expect([await run.ended, run.errors().replaceAll(/^(usage|event|environments verified) \[.*\n/gm, '')]).toEqual([
    WITH_DIFFERENCES,
    '',
  ])
  expect((await amounts(target))[TABLES.indexOf('events')]).toBe(MANY_EVENTS + 4)
  await target.remove()
  await source.remove()
})
