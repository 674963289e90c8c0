import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { casesOf } from '../support/cases.ts'
import { startChild } from './child.ts'

const ROUNDS = casesOf('rounds of SIGKILL', { some: 4, full: 20 })
const WRITERS = 4
const EARLIEST_MS = 20
const SPREAD_MS = 400
const TOKEN = '*:*.admin-secret'

/** What was answered, so that it must be there. */
interface Acknowledged {
  readonly created: Set<string>
  readonly turnedOn: Set<string>
}

/** Creates flags and turns them on, one after the other, until the server is gone. */
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
  // each state has its event and the other way round, none twice
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
    const child = await startChild(dataDir, TOKEN)
    expect(child.failed).toBeUndefined()
    const base = `http://127.0.0.1:${child.port}`
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(base, `r${round}w${writer}`, done))
    await sleep(EARLIEST_MS + Math.random() * SPREAD_MS)
    await child.kill()
    await Promise.all(writers)
    check(join(dataDir, 'burgee.sqlite'), done)
  }
  const report = `${ROUNDS} rounds, ${done.created.size} flags and ${done.turnedOn.size} switches acknowledged, none lost\n`
  process.stdout.write(report)
  expect(done.created.size).toBeGreaterThan(ROUNDS)
  rmSync(dataDir, { recursive: true, force: true })
})
