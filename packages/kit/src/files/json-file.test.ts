import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readLargeJson } from './json-file.ts'
import { NotJson } from './json-pieces.ts'

const folder = mkdtempSync(join(tmpdir(), 'burgee-json-'))
const path = join(folder, 'large.json')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a file of several parts is read as JSON.parse reads it, and its bytes are reported', () => {
  const rows = Array.from({ length: 30_000 }, (_, index) => ({
    featureName: `a name ü ${Math.floor(index / 100)}`,
    environment: `environment-${index % 100}`,
    variants: [],
    parameters: { text: 'x'.repeat(index % 50), list: [] },
  }))
  const text = JSON.stringify({ version: 4, rows, mixed: [1, 'a', null, [[]]], last: { deep: [] } })
  expect(text.length).toBeGreaterThan(3 * 1024 * 1024)
  writeFileSync(path, text)
  const parts: Buffer[] = []
  expect(readLargeJson(path, (bytes) => parts.push(bytes))).toEqual(JSON.parse(text))
  expect(Buffer.concat(parts).toString()).toBe(text)
})

test('the last of several properties of a name counts, as for JSON.parse', () => {
  const text = '{"a":[1,2],"b":1,"a":[3],"__proto__":[4]}'
  writeFileSync(path, text)
  const read = readLargeJson(path)
  expect(read).toEqual(JSON.parse(text))
  expect(Object.keys(read)).toEqual(['a', 'b', '__proto__'])
})

test('a text that is not JSON is refused', () => {
  writeFileSync(path, '{"a":[1,2')
  expect(() => readLargeJson(path)).toThrow(NotJson)
})
