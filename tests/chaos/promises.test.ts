import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { PROMISES } from './promises.ts'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

test.each(PROMISES)('$id, $promise: is tried somewhere', ({ files }) => {
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})

test('every file of this folder is for a promise', () => {
  const own = globSync('tests/chaos/*.test.ts', { cwd: ROOT }).filter((file) => !file.endsWith('promises.test.ts'))
  const named = new Set(PROMISES.flatMap(({ files }) => files))
  expect(own.filter((file) => !named.has(file))).toEqual([])
})
