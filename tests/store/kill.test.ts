import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { report as told } from '../chaos/report.ts'
import { runServer, serverNode } from '../chaos/server-node.ts'
import { casesOf } from '../support/cases.ts'
import { until } from '../support/wait.ts'

const ROUNDS = casesOf('rounds of SIGKILL', { some: 4, full: 6, long: 25 })
/** Many concurrent writers, so that a kill interrupts a group commit. */
const WRITERS = 64
const MOST_BEFORE_A_KILL = 2 * WRITERS
const TOKEN = '*:*.admin-secret'

/** Acknowledged changes, which must survive. */
interface Acknowledged {
  readonly created: Set<string>
  readonly turnedOn: Set<string>
}

/** Creates and enables flags one by one until the server is gone. */
async function write(base: string, prefix: string, done: Acknowledged): Promise<void> {
  const headers = { authorization: TOKEN, 'content-type': 'application/json' }
  const features = `${base}/api/admin/projects/default/features`
  for (let index = 0; ; index += 1) {
    const name = `${prefix}-${index}`
    try {
      const made = await fetch(features, { method: 'POST', headers, body: JSON.stringify({ name }) })
      if (made.status !== 201) throw new TypeError(`${made.status}: ${await made.text()}`)
      done.created.add(name)
      const on = await fetch(`${features}/${name}/environments/development/on`, { method: 'POST', headers })
      if (on.status !== 200) throw new TypeError(`${on.status}: ${await on.text()}`)
      done.turnedOn.add(name)
    } catch (error) {
      if (error instanceof TypeError && error.message === 'fetch failed') return
      if (error instanceof TypeError && error.message === 'terminated') return
      throw error
    }
  }
}

function check(file: string, done: Acknowledged): void {
  const db = new DatabaseSync(file)
  const names = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map((row) => String(row.name))
  const flags = names('select name from features')
  const createdEvents = names("select feature_name as name from events where type = 'feature-created'")
  const on = names(
    "select feature_name as name from feature_environments where environment = 'development' and enabled = 1",
  )
  const onEvents = names("select feature_name as name from events where type = 'feature-environment-enabled'")
  const strategies = names('select feature_name as name from feature_strategies')
  const strategyEvents = names("select feature_name as name from events where type = 'feature-strategy-add'")
  expect(db.prepare('pragma integrity_check').get()).toEqual(expect.objectContaining({ integrity_check: 'ok' }))
  db.close()
  // each state has exactly one event and vice versa
  expect(createdEvents.toSorted()).toEqual(flags.toSorted())
  expect(onEvents.toSorted()).toEqual(on.toSorted())
  expect(strategies.toSorted()).toEqual(on.toSorted())
  expect(strategyEvents.toSorted()).toEqual(on.toSorted())
  expect(new Set(flags).size).toBe(flags.length)
  expect([...done.created].filter((name) => !flags.includes(name))).toEqual([])
  expect([...done.turnedOn].filter((name) => !on.includes(name))).toEqual([])
}

test(`${ROUNDS} rounds of SIGKILL: what was acknowledged is there, with its event, once`, {
  timeout: 180_000,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'burgee-kill-'))
  const done: Acknowledged = { created: new Set(), turnedOn: new Set() }
  for (let round = 0; round < ROUNDS; round += 1) {
    const { process: child, base } = await serverNode(runServer({ DATA_DIR: dataDir, INIT_ADMIN_API_TOKENS: TOKEN }))
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(base, `r${round}w${writer}`, done))
    const enough = done.created.size + done.turnedOn.size + 1 + Math.random() * MOST_BEFORE_A_KILL
    await until(() => done.created.size + done.turnedOn.size >= enough)
    child.kill('SIGKILL')
    await child.ended
    await Promise.all(writers)
    check(join(dataDir, 'burgee.sqlite'), done)
  }
  const report = `${ROUNDS} rounds, ${done.created.size} flags and ${done.turnedOn.size} switches acknowledged, none lost`
  told('P2', 'SIGKILL, SQLite', report)
  expect(done.created.size).toBeGreaterThan(ROUNDS)
  rmSync(dataDir, { recursive: true, force: true })
})
