import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeScratchFolder } from '../../scripts/scratch-folder.mjs'

const MEMORY = '/dev/shm'
const OWN = `burgee-tests-${process.pid}`
/** Folder of a process that has exited. */
const LEFT = `burgee-tests-${spawnSync(process.execPath, ['--version']).pid}`
const ALIVE = `burgee-tests-${process.ppid}`

describe.runIf(existsSync(MEMORY))('the folder of a run in memory', () => {
  let memory: string
  beforeEach(() => {
    memory = mkdtempSync(join(MEMORY, 'burgee-scratch-'))
  })
  afterEach(() => rmSync(memory, { recursive: true }))

  test.each<[string, readonly string[], (() => void) | undefined, readonly string[]]>([
    ['nothing was left', [], undefined, [OWN]],
    ['a killed run left its folder', [LEFT], undefined, [OWN]],
    ['another run is going on', [ALIVE], undefined, [ALIVE, OWN]],
    ['something else is there', ['other'], undefined, [OWN, 'other']],
    [
      'what was left cannot be removed',
      [LEFT],
      () => {
        throw new Error('EBUSY')
      },
      [LEFT, OWN],
    ],
  ])('appears where %s', (_name, before, remove, after) => {
    for (const name of before) {
      mkdirSync(join(memory, name))
      writeFileSync(join(memory, name, 'file'), '')
    }
    expect(makeScratchFolder(memory, remove)).toBe(join(memory, OWN))
    expect(readdirSync(memory).sort()).toEqual([...after].sort())
  })

  test('does not exist where there is no memory', () => {
    expect(makeScratchFolder(join(memory, 'nothing'))).toBeUndefined()
  })
})
