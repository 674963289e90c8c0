import { appendFileSync } from 'node:fs'
import { afterAll, beforeAll, expect } from 'vitest'

/** Writes the functions that a test file executes to the file BURGEE_MUTANT_HITS, one line of JSON per test file. */
const scope = globalThis as {
  burgeeHit?: (id: string) => void
  burgeeHits?: { loaded: Set<string>; hits: Set<string> }
}
scope.burgeeHits ??= { loaded: new Set(), hits: new Set() }
const record = scope.burgeeHits
scope.burgeeHit = (id) => record.loaded.add(id)

beforeAll(() => {
  scope.burgeeHit = (id) => record.hits.add(id)
})

afterAll(() => {
  const line = { file: expect.getState().testPath, loaded: [...record.loaded], hits: [...record.hits] }
  appendFileSync(process.env.BURGEE_MUTANT_HITS ?? '', `${JSON.stringify(line)}\n`)
  record.loaded.clear()
  record.hits.clear()
  scope.burgeeHit = (id) => record.loaded.add(id)
})
