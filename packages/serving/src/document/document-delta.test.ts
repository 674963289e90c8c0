import type { DeltaEvent } from '@burgee/protocol/delta'
import type { Feature, Segment } from '@burgee/protocol/feature'
import { describe, expect, test } from 'vitest'
import { DocumentDifference, formatHydration, formatTouched } from './document-delta.ts'
import { type DocumentFlag, type DocumentState, EnvironmentDocument } from './environment-document.ts'
import type { ViewFilter } from './view-filter.ts'

const flag = (name: string, more: Partial<Feature> = {}, tags: DocumentFlag['tags'] = []): DocumentFlag => ({
  feature: { name, enabled: true, project: 'a', strategies: [], ...more },
  tags,
})
const segment = (id: number, value = 'x'): Segment => ({
  id,
  name: `s${id}`,
  constraints: [{ contextName: 'userId', operator: 'IN', values: [value] }],
})
const using = (...segments: number[]) => ({ strategies: [{ name: 'default', segments }] })
const TAG = { type: 'simple', value: 'mine' }

type Contents = readonly [flags: DocumentFlag[], segments?: Segment[]]

/** Returns the successive states of one document, numbered from 1. */
function statesOf(...all: readonly Contents[]): DocumentState[] {
  const document = new EnvironmentDocument()
  return all.map(([flags, segments = []], index) => {
    document.replace(flags, segments, { epoch: 'e', id: index + 1 })
    if (document.state === undefined) throw new Error('It holds nothing')
    return document.state
  })
}
/** Summarizes events as `<type> <subject>`. */
function inShort(text: string | undefined): string[] {
  const { events } = JSON.parse(text ?? '{"events":[]}') as { events: DeltaEvent[] }
  return events.map((event) => {
    switch (event.type) {
      case 'feature-updated':
        return `+${event.feature.name}`
      case 'feature-removed':
        return `-${event.featureName} of ${event.project}`
      case 'segment-updated':
        return `+${event.segment.id}`
      case 'segment-removed':
        return `-${event.segmentId}`
      default:
        return `=${event.features.map(({ name }) => name)}/${event.segments.map(({ id }) => id)}`
    }
  })
}

const ALL: ViewFilter = { projects: ['*'] }
const ONLY_A: ViewFilter = { projects: ['a'] }

describe('the difference of two states', () => {
  test.each<[string, Contents, Contents, ViewFilter, string[]]>([
    ['nothing', [[flag('f')]], [[flag('f')]], ALL, []],
    ['a new flag', [[flag('f')]], [[flag('e'), flag('f')]], ALL, ['+e']],
    ['a changed flag', [[flag('f')]], [[flag('f', { enabled: false })]], ALL, ['+f']],
    ['a flag that is gone', [[flag('e'), flag('f')]], [[flag('f')]], ALL, ['-e of a']],
    ['a flag of another project', [[]], [[flag('f', { project: 'b' })]], ONLY_A, []],
    ['a flag that moves away', [[flag('f')]], [[flag('f', { project: 'b' })]], ONLY_A, ['-f of a']],
    ['a flag that comes', [[flag('f', { project: 'b' })]], [[flag('f')]], ONLY_A, ['+f']],
    ['a flag of another name', [[]], [[flag('f')]], { ...ALL, namePrefix: 'e' }, []],
    ['a tag that is added', [[flag('f')]], [[flag('f', {}, [TAG])]], { ...ALL, tags: [TAG] }, ['+f']],
    ['a flag whose tags are not known', [[]], [[{ ...flag('f'), tags: undefined }]], { ...ALL, tags: [TAG] }, ['+f']],
    ['a tag that is taken away', [[flag('f', {}, [TAG])]], [[flag('f')]], { ...ALL, tags: [TAG] }, ['-f of a']],
    ['a tag without a tag filter', [[flag('f')]], [[flag('f', {}, [TAG])]], ALL, []],
    ['a segment before its flag', [[], [segment(1)]], [[flag('f', using(1))], [segment(1)]], ALL, ['+1', '+f']],
    ['a segment after its flag', [[flag('f', using(1))], [segment(1)]], [[flag('f')], [segment(1)]], ALL, ['+f', '-1']],
    [
      'a segment for another',
      [[flag('f', using(1))], [segment(1), segment(2)]],
      [[flag('f', using(2))], [segment(1), segment(2)]],
      ALL,
      ['+2', '+f', '-1'],
    ],
    [
      'a changed segment',
      [[flag('f', using(1))], [segment(1)]],
      [[flag('f', using(1))], [segment(1, 'y')]],
      ALL,
      ['+1'],
    ],
    ['an unused segment', [[flag('f')], [segment(1)]], [[flag('f')], [segment(1, 'y')]], ALL, []],
    [
      'a segment of another project',
      [[flag('f', { project: 'b', ...using(1) })], [segment(1)]],
      [[flag('f', { project: 'b', ...using(1) })], [segment(1, 'y')]],
      ONLY_A,
      [],
    ],
  ])('%s', (_name, before, after, filter, events) => {
    const [one, other] = statesOf(before, after) as [DocumentState, DocumentState]
    const text = new DocumentDifference(one, other).formatFor(filter)
    expect(text === undefined).toBe(events.length === 0)
    expect(inShort(text)).toEqual(events)
  })

  test('ids are those of the later state, and no greater than SDKs can hold', () => {
    const document = new EnvironmentDocument()
    document.replace([], [], { epoch: 'e', id: 1 })
    const before = document.state as DocumentState
    document.replace([flag('f')], [], { epoch: 'e', id: 2 ** 40 })
    const after = document.state as DocumentState
    expect(JSON.parse(new DocumentDifference(before, after).formatFor(ALL) ?? '').events[0].eventId).toBe(2 ** 32 - 1)
    expect(JSON.parse(formatHydration(after, ALL)).events[0].eventId).toBe(2 ** 32 - 1)
    expect(inShort(formatHydration(after, ALL))).toEqual(['=f/'])
  })
})

describe('flags touched by a change', () => {
  const state = statesOf([
    [flag('f', using(1)), flag('g'), flag('h', { project: 'b' })],
    [segment(1), segment(2)],
  ])[0] as DocumentState
  const touched = (flags: Record<string, string[]>, segments = false) => {
    return { flags: new Map(Object.entries(flags).map(([name, projects]) => [name, new Set(projects)])), segments }
  }
  test.each<[string, ReturnType<typeof touched>, ViewFilter, string[]]>([
    ['nothing', touched({}), ALL, []],
    ['a flag', touched({ g: ['a'] }), ALL, ['+g']],
    ['a flag with its segment', touched({ f: ['a'] }), ALL, ['+1', '+f']],
    ['a flag that is not there any more', touched({ x: ['a'] }), ALL, ['-x of a']],
    ['a flag that has left the project', touched({ h: ['a', 'b'] }), ONLY_A, ['-h of a']],
    ['a flag that never was of the project', touched({ h: ['b'], x: ['b'] }), ONLY_A, []],
    ['a flag of another name', touched({ x: ['a'] }), { ...ALL, namePrefix: 'g' }, []],
    ['segments: all that are in use', touched({}, true), ALL, ['+1']],
    ['segments that none of these flags uses', touched({}, true), { ...ALL, namePrefix: 'g' }, []],
  ])('%s', (_name, what, filter, events) => {
    expect(inShort(formatTouched(what, state, filter))).toEqual(events)
  })
})
