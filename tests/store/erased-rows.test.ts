import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startServer, type TestServer } from '../http/scenario.ts'
import { type EmptyPlace, readyPlace } from '../support/place.ts'

/** Hashes of deleted API tokens and sessions must not remain in the files of an embedded database. */
const TOKENS = 40
const API_TOKENS = '/api/admin/api-tokens'
let place: EmptyPlace
let server: TestServer
let file: string
beforeEach(async () => {
  place = await readyPlace()
  file = join(place.options.dataDir ?? '', 'burgee.sqlite')
  server = await startServer({}, Date.now, { place })
})
afterEach(() => place.remove())

/** Returns how many of the hashes are in the database file or its write-ahead log. */
function countInFiles(hashes: readonly string[]): number {
  const files = [file, `${file}-wal`].filter((one) => existsSync(one))
  const text = files.map((one) => readFileSync(one, 'latin1')).join('')
  return hashes.filter((hash) => text.includes(hash)).length
}

/** Creates API tokens. Returns the hashes of these tokens and of all sessions. */
async function createTokens(): Promise<readonly string[]> {
  for (let index = 0; index < TOKENS; index += 1) {
    const tokenName = `deleted-${index}`
    await server.admin(`POST ${API_TOKENS}`, { tokenName, type: 'client', environment: 'development', projects: ['*'] })
  }
  const tokens = await server.db.rows("select hash from api_tokens where name like 'deleted-%'")
  const sessions = await server.db.rows('select hash from sessions')
  const hashes = [...tokens, ...sessions].map(({ hash }) => String(hash))
  expect(hashes.length).toBe(TOKENS + 2)
  expect(countInFiles(hashes)).toBe(TOKENS + 2)
  return hashes
}

/** Stops the server, which empties the write-ahead log. Keeps the database. */
async function stop(): Promise<void> {
  await server.db.close()
  await server.server.close()
}

test('the files of a stopped server contain no hash of a token or session that it deleted', async () => {
  const hashes = await createTokens()
  for (const { id } of await server.db.rows("select id from api_tokens where name like 'deleted-%'")) {
    expect((await server.call({ as: 'admin', call: `DELETE ${API_TOKENS}/${id}` })).statusCode).toBe(200)
  }
  for (const as of ['editor', 'viewer']) {
    expect((await server.call({ as, call: 'POST /logout' })).statusCode).toBe(302)
  }
  await stop()
  expect(countInFiles(hashes)).toBe(0)
})

test('the files contain hashes that were deleted without secure_delete', async () => {
  const hashes = await createTokens()
  await stop()
  const db = new DatabaseSync(file)
  db.exec("pragma secure_delete = off; delete from api_tokens where name like 'deleted-%'; delete from sessions")
  db.close()
  expect(countInFiles(hashes)).toBeGreaterThan(TOKENS / 2)
})
