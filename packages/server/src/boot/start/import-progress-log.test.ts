import { expect, test } from 'vitest'
import { ImportLog } from './import-progress-log.ts'

test.each([
  [0, []],
  [999, ['IMPORT_FILE: stopped at flag "f999", 999 of 2500. Nothing was imported']],
  [
    1000,
    ['IMPORT_FILE: 1000 of 2500 flags', 'IMPORT_FILE: stopped at flag "f1000", 1000 of 2500. Nothing was imported'],
  ],
  [
    2001,
    [
      'IMPORT_FILE: 1000 of 2500 flags',
      'IMPORT_FILE: 2000 of 2500 flags',
      'IMPORT_FILE: stopped at flag "f2001", 2001 of 2500. Nothing was imported',
    ],
  ],
])('logs each thousand flags, and where an import stops after %i flags', (count, expected) => {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const log = new ImportLog({ info: write, error: write })
  for (let number = 1; number <= count; number += 1) log.onFlag({ name: `f${number}`, number, total: 2500 })
  log.onFailure()
  expect(lines).toEqual(expected)
})
