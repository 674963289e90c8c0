import { TouchLog } from '@burgee/serving/document/touch-log'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { describe, expect, test } from 'vitest'
import { getTouch } from './following-reads.ts'

const event = (id: number, more: Partial<StoredEvent> = {}): StoredEvent =>
  ({ id, type: 'feature-metadata-updated', featureName: `f${id}`, project: 'p', reach: '', ...more }) as StoredEvent
const SEGMENT = { type: 'segment-updated', featureName: null, project: null }
const ALL = { type: 'segment-deleted', featureName: null, project: null }

/** Creates the log of a document that was read after event 10 and then received these events. */
function createLog(...events: StoredEvent[]): TouchLog {
  const log = new TouchLog()
  log.begin(10)
  log.add(events.map(getTouch))
  return log
}
const namesAfter = (log: TouchLog, id: number) => log.after(id) && [...(log.after(id)?.flags.keys() ?? [])]

describe('flags touched by events', () => {
  test.each<[string, StoredEvent[], number, string[] | undefined]>([
    ['nothing', [], 10, []],
    ['one flag', [event(11)], 10, ['f11']],
    ['what came after, alone', [event(11), event(12)], 11, ['f12']],
    ['a flag twice', [event(11), event(12, { featureName: 'f11' })], 10, ['f11']],
    ['unknown before the first read', [event(11)], 9, undefined],
    ['between two events', [event(11), event(20)], 15, ['f20']],
    ['what may be anything', [event(11, ALL)], 10, undefined],
    ['what may have been anything before', [event(11, ALL), event(12)], 11, ['f12']],
    ['an event that came late', [event(11), event(13), event(12)], 11, ['f12', 'f13']],
    ['an event received twice', [event(11), event(11)], 10, ['f11']],
    ['an event from before the first read', [event(9), event(11)], 10, ['f11']],
  ])('%s', (_name, events, id, names) => {
    expect(namesAfter(createLog(...events), id)).toEqual(names)
  })

  test('a flag has been in all projects that events name', () => {
    const move = { type: 'feature-project-change', project: 'b', data: { oldProject: 'a', newProject: 'b' } } as const
    const log = createLog(event(11, { ...move, featureName: 'f' }), event(12, { featureName: 'f', project: 'c' }))
    expect([...(log.after(10)?.flags.get('f') ?? [])]).toEqual(['b', 'a', 'c'])
  })

  test('segments', () => {
    const log = createLog(event(11, SEGMENT as never), event(12))
    expect([log.after(10)?.segments, log.after(11)?.segments]).toEqual([true, false])
    expect(namesAfter(log, 10)).toEqual(['f12'])
  })

  test('no more than a thousand events are known', () => {
    const log = createLog(...Array.from({ length: 1005 }, (_value, index) => event(11 + index)))
    expect(log.after(14)).toBeUndefined()
    expect(log.after(15)?.flags.size).toBe(1000)
  })

  test('another epoch of the database starts empty', () => {
    const log = createLog(event(11))
    log.reset()
    expect(log.after(11)).toBeUndefined()
    log.begin(3)
    log.add([getTouch(event(4))])
    expect(namesAfter(log, 3)).toEqual(['f4'])
  })
})

describe('up to where a document is complete', () => {
  test('up to what it has read', () => {
    const log = createLog(event(11), event(12))
    expect(log.completeUpTo(10)).toBe(10)
    const hasRead = log.beginRead()
    log.add([getTouch(event(13))])
    hasRead()
    expect([log.completeUpTo(12), log.completeUpTo(13)]).toEqual([12, 12])
    log.beginRead()()
    expect(log.completeUpTo(13)).toBe(13)
  })

  test('not beyond an event that came late', () => {
    const log = createLog(event(13))
    log.beginRead()()
    expect(log.completeUpTo(13)).toBe(13)
    log.add([getTouch(event(12))])
    expect(log.completeUpTo(13)).toBe(11)
  })

  test('events received before the first read are included', () => {
    const log = new TouchLog()
    log.add([event(11), event(12)].map(getTouch))
    log.begin(11)
    expect(log.completeUpTo(11)).toBe(11)
    expect(namesAfter(log, 11)).toEqual(['f12'])
  })
})
