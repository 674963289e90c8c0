import { describe, expect, test } from 'vitest'
import { type Touch, TouchLog } from './touch-log.ts'

const touch = (id: number, flag = `flag-${id}`, reach: Touch['scope'] = 'flags'): Touch => ({
  id,
  flags: new Map([[flag, ['default']]]),
  scope: reach,
})
const flagsAfter = (log: TouchLog, id: number) => {
  const touched = log.after(id)
  return touched === undefined ? undefined : [...touched.flags.keys()].toSorted()
}

/** Creates a log of a document that has been read up to change 10. */
function begun(...touches: Touch[]): TouchLog {
  const log = new TouchLog()
  log.begin(10)
  log.add(touches)
  return log
}

describe('flags changed after a revision', () => {
  test.each<[name: string, log: () => TouchLog, id: number, flags: string[] | undefined]>([
    ['are unknown before the first read', () => new TouchLog(), 10, undefined],
    ['are unknown before the first revision of the log', () => begun(touch(11)), 9, undefined],
    ['are none at the newest revision', () => begun(touch(11)), 11, []],
    ['are those of every later change', () => begun(touch(11), touch(12), touch(14)), 11, ['flag-12', 'flag-14']],
    ['include the change right after the revision', () => begun(touch(11), touch(12)), 10, ['flag-11', 'flag-12']],
    ['include a change that arrived out of order', () => begun(touch(12), touch(11)), 10, ['flag-11', 'flag-12']],
    ['exclude changes that the first read covers', () => begun(touch(9), touch(10)), 10, []],
    ['are unknown if a later change may concern any flag', () => begun(touch(11, 'x', 'all')), 10, undefined],
    ['are known again after such a change', () => begun(touch(11, 'x', 'all'), touch(12)), 11, ['flag-12']],
    [
      'include changes received before the first read ended, if they are newer than it',
      () => {
        const log = new TouchLog()
        log.add([touch(10), touch(11)])
        log.begin(10)
        return log
      },
      10,
      ['flag-11'],
    ],
    [
      'do not change with a second begin',
      () => {
        const log = begun(touch(11))
        log.begin(11)
        return log
      },
      10,
      ['flag-11'],
    ],
    [
      'are unknown after a reset',
      () => {
        const log = begun(touch(11))
        log.reset()
        return log
      },
      11,
      undefined,
    ],
    [
      'exclude changes before a reset',
      () => {
        const log = begun(touch(11), touch(12))
        log.reset()
        log.begin(3)
        return log
      },
      3,
      [],
    ],
  ])('%s', (_name, log, id, flags) => {
    expect(flagsAfter(log(), id)).toEqual(flags)
  })

  test('merge the projects of one flag over several changes', () => {
    const moved: Touch = { id: 12, flags: new Map([['f', ['default', 'other']]]), scope: 'flags' }
    const log = begun({ id: 11, flags: new Map([['f', ['first']]]), scope: 'flags' }, moved)
    expect([...(log.after(10)?.flags.get('f') ?? [])].toSorted()).toEqual(['default', 'first', 'other'])
  })

  test.each<[reach: Touch['scope'], segments: boolean]>([
    ['segments', true],
    ['flags', false],
  ])('report changed segments after a change of %s', (reach, segments) => {
    expect(begun(touch(11, 'f', reach), touch(12)).after(10)?.segments).toBe(segments)
  })

  test('become unknown beyond the last thousand changes', () => {
    const log = begun(...Array.from({ length: 1001 }, (_, index) => touch(11 + index)))
    expect(flagsAfter(log, 10)).toBeUndefined()
    expect(flagsAfter(log, 11)).toHaveLength(1000)
  })
})

describe('the revision up to which a document is complete', () => {
  test('stays below an unread change', () => {
    const log = begun(touch(11), touch(12))
    expect(log.completeUpTo(12)).toBe(10)
  })

  test('reaches the newest change once a read that began after it is in place', () => {
    const log = begun(touch(11), touch(12))
    const finish = log.beginRead()
    expect(log.completeUpTo(12)).toBe(10)
    finish()
    expect(log.completeUpTo(12)).toBe(12)
  })

  test('stays below a change that arrived after the read began', () => {
    const log = begun(touch(11))
    const finish = log.beginRead()
    log.add([touch(12)])
    finish()
    expect(log.completeUpTo(12)).toBe(11)
  })

  test('does not depend on changes before a reset', () => {
    const log = begun(touch(11))
    log.reset()
    expect(log.completeUpTo(12)).toBe(12)
  })

  test('counts changes that the first read covers as read', () => {
    const log = new TouchLog()
    log.add([touch(9), touch(10), touch(11)])
    log.begin(10)
    expect(log.completeUpTo(11)).toBe(10)
  })

  test('counts a change once, however often it arrives', () => {
    const log = begun(touch(11), touch(11))
    log.beginRead()()
    log.add([touch(11)])
    expect(log.completeUpTo(11)).toBe(11)
  })
})
