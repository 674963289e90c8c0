import type { Feature, Segment } from '@burgee/protocol/feature'
import { describe, expect, test, vi } from 'vitest'
import { type DocumentFlag, type DocumentState, EnvironmentDocument } from './environment-document.ts'
import { createView, joinRuns } from './view.ts'

const at = (id: number) => ({ epoch: 'e', id })
const feature = (name: string, more: Partial<Feature> = {}): Feature => ({
  name,
  enabled: true,
  project: 'default',
  strategies: [],
  ...more,
})
const flag = (name: string, more: Partial<Feature> = {}, tags: DocumentFlag['tags'] = []): DocumentFlag => ({
  feature: feature(name, more),
  tags,
})
const segment = (id: number, value = 'x'): Segment => ({
  id,
  name: `s${id}`,
  constraints: [{ contextName: 'userId', operator: 'IN', values: [value] }],
})
const using = (...segments: number[]) => ({ strategies: [{ name: 'default', segments }] })

function documentOf(flags: DocumentFlag[], segments: Segment[] = []): EnvironmentDocument {
  const document = new EnvironmentDocument()
  document.replace(flags, segments, at(1))
  return document
}
const stateOf = (document: EnvironmentDocument): DocumentState => {
  if (document.state === undefined) throw new Error('It holds nothing')
  return document.state
}
const changes = (...flags: DocumentFlag[]) => new Map(flags.map((one) => [one.feature.name, one]))
const ALL = { projects: ['*'] }
const PLAIN = { query: { environment: 'e' }, inline: false }
const view = (document: EnvironmentDocument, filter: Parameters<typeof createView>[1] = ALL, form = PLAIN) =>
  createView(stateOf(document), filter, form)
const namesOf = (document: EnvironmentDocument, filter?: Parameters<typeof createView>[1]) =>
  view(document, filter)
    .features()
    .map(({ name }) => name)

test('flags are replaced in steps, the last of which does it', () => {
  const document = documentOf([flag('a'), flag('b')])
  const before = document.state
  const steps = document.replaceInSteps(
    ['c', 'b', 'a'].map((name) => flag(name)),
    [],
    at(2),
  )
  for (let step = 0; step < 3; step += 1) {
    expect(steps.next().done).toBe(false)
    expect(document.state).toBe(before)
  }
  expect(steps.next().done).toBe(true)
  expect(namesOf(document)).toEqual(['a', 'b', 'c'])
  expect(document.state?.flags.slice(0, 2)).toEqual(before?.flags)
})

describe('a change of some flags', () => {
  const before = () => documentOf(['b', 'd', 'f'].map((name) => flag(name)))
  test.each<[string, (document: EnvironmentDocument) => void, string[]]>([
    ['one is added in front', (document) => document.apply(changes(flag('a')), undefined, at(2)), ['a', 'b', 'd', 'f']],
    [
      'some are added between',
      (d) => d.apply(changes(flag('e'), flag('c')), undefined, at(2)),
      ['b', 'c', 'd', 'e', 'f'],
    ],
    ['one is added behind', (document) => document.apply(changes(flag('g')), undefined, at(2)), ['b', 'd', 'f', 'g']],
    ['one goes', (document) => document.apply(new Map([['d', undefined]]), undefined, at(2)), ['b', 'f']],
    ['one that never was goes', (d) => d.apply(new Map([['x', undefined]]), undefined, at(2)), ['b', 'd', 'f']],
    ['one changes', (d) => d.apply(changes(flag('d', { enabled: false })), undefined, at(2)), ['b', 'd', 'f']],
    ['all are replaced', (document) => document.replace([flag('z'), flag('d')], [], at(2)), ['d', 'z']],
  ])('%s', (_name, change, names) => {
    const document = before()
    const { version, flags } = stateOf(document)
    const kept = flags.filter(({ feature: { name } }) => names.includes(name) && name !== 'd')
    change(document)
    expect(namesOf(document)).toEqual(names)
    expect(stateOf(document).version).toBe(version + 1)
    expect(stateOf(document).revision).toEqual(at(2))
    for (const entry of kept) expect(stateOf(document).flags).toContain(entry)
  })

  test('writes the text of what has changed, once, whatever the number of flags', () => {
    const document = documentOf(Array.from({ length: 500 }, (_, index) => flag(`flag-${index}`)))
    const stringify = vi.spyOn(JSON, 'stringify')
    document.apply(changes(flag('flag-7', { enabled: false })), undefined, at(2))
    expect(stringify.mock.calls).toHaveLength(1)
    stringify.mockRestore()
  })

  test('throws before the first document', () => {
    expect(() => new EnvironmentDocument().apply(changes(flag('a')), undefined, at(1))).toThrow('empty document')
  })

  test('does not affect a view taken before', () => {
    const document = before()
    const held = view(document)
    document.apply(changes(flag('b', { enabled: false })), undefined, at(2))
    expect(JSON.parse(joinRuns(held.runs())).features[0]).toMatchObject({ name: 'b', enabled: true })
    expect(held.revision).toEqual(at(1))
  })
})

describe('a view', () => {
  const tagged = (name: string, value: string) => flag(name, {}, [{ type: 'simple', value }])
  const document = documentOf([
    flag('nobody-s', { project: '' }),
    flag('one', { project: 'p1' }),
    flag('two', { project: 'p2' }),
    tagged('web-a', 'x'),
    tagged('web-b', 'y'),
  ])
  test.each([
    ['of all projects', ALL, ['nobody-s', 'one', 'two', 'web-a', 'web-b']],
    ['of some projects, and without a project', { projects: ['p1', 'p2'] }, ['nobody-s', 'one', 'two']],
    ['of none', { projects: [] }, ['nobody-s']],
    ['by the beginning of names', { ...ALL, namePrefix: 'web-' }, ['web-a', 'web-b']],
    ['by a prefix with what other languages read as a pattern', { ...ALL, namePrefix: 'w_b' }, []],
    ['by one tag', { ...ALL, tags: [{ type: 'simple', value: 'y' }] }, ['web-b']],
    ['by either tag', { ...ALL, tags: ['x', 'y'].map((value) => ({ type: 'simple', value })) }, ['web-a', 'web-b']],
    ['by a tag of another type', { ...ALL, tags: [{ type: 'other', value: 'y' }] }, []],
  ])('%s', (_name, filter, names) => {
    expect(namesOf(document, filter)).toEqual(names)
  })

  test('has a tag of its content: equal for equal content, different after every change', () => {
    const make = () => documentOf([flag('a', using(1)), flag('b')], [segment(1), segment(2)])
    const own = make()
    const tags = new Set([view(own).etag])
    expect(view(make()).etag).toBe([...tags][0])
    own.apply(changes(flag('b', { enabled: false })), undefined, at(1))
    tags.add(view(own).etag)
    own.apply(new Map(), [segment(1, 'other'), segment(2)], at(1))
    tags.add(view(own).etag)
    own.apply(new Map(), [segment(1, 'other'), segment(2, 'unused')], at(1))
    tags.add(view(own).etag)
    tags.add(view(own, ALL, { ...PLAIN, query: { environment: 'f' } }).etag)
    expect(tags.size).toBe(4)
  })

  test('includes flags with unknown tags when filtered by a tag, and corrects that once the tags are known', () => {
    const own = documentOf([{ ...flag('unknown'), tags: undefined }, flag('none'), tagged('web', 'x')])
    const filter = { ...ALL, tags: [{ type: 'simple', value: 'x' }] }
    expect(namesOf(own, filter)).toEqual(['unknown', 'web'])
    own.apply(changes(flag('unknown')), undefined, at(2))
    expect(namesOf(own, filter)).toEqual(['web'])
    own.apply(changes({ ...flag('none'), tags: undefined }), undefined, at(3))
    expect(namesOf(own, filter)).toEqual(['none', 'web'])
  })

  test('contains a constraint that never holds in place of a missing segment', () => {
    const never = { contextName: 'userId', operator: 'IN', values: [] }
    const own = documentOf([flag('a', using(404)), flag('b', using(1, 404))], [segment(1)])
    const inline = view(own, ALL, { ...PLAIN, inline: true })
    const strategiesOf = (name: string) => inline.find(name)?.strategies
    expect(strategiesOf('a')).toEqual([{ name: 'default', constraints: [never] }])
    expect(strategiesOf('b')).toEqual([{ name: 'default', constraints: [...segment(1).constraints, never] }])
    own.apply(new Map(), [segment(1), segment(404)], at(2))
    const later = view(own, ALL, { ...PLAIN, inline: true })
    expect(later.find('a')?.strategies).toEqual([{ name: 'default', constraints: segment(404).constraints }])
  })

  test('reads a strategy whose segments are null as one that names none', () => {
    const own = documentOf([flag('a', { strategies: [{ name: 'default', segments: null as never }] })])
    const { features } = JSON.parse(joinRuns(view(own, ALL, { ...PLAIN, inline: true }).runs()))
    expect(features[0].strategies).toEqual([{ name: 'default', constraints: [] }])
  })

  test('names only the segments that its flags refer to, by id', () => {
    const own = documentOf(
      [flag('a', using(3, 1)), flag('b', { ...using(2), project: 'p2' })],
      [1, 2, 3].map((id) => segment(id)),
    )
    const ids = (filter: Parameters<typeof createView>[1]) => view(own, filter).segments.map(({ id }) => id)
    expect(ids(ALL)).toEqual([1, 2, 3])
    expect(ids({ projects: ['default'] })).toEqual([1, 3])
  })

  test('writes segments, or their constraints where an SDK does not know segments', () => {
    const own = documentOf([flag('a', using(1)), flag('b')], [segment(1)])
    const plain = view(own)
    expect(JSON.parse(joinRuns(plain.runs()))).toEqual({
      version: 2,
      features: [feature('a', using(1)), feature('b')],
      segments: [segment(1)],
      query: { environment: 'e' },
      meta: { revisionId: 1, etag: plain.etag, queryHash: expect.stringMatching(/^[0-9a-f]{8}$/) },
    })
    const inline = view(own, ALL, { ...PLAIN, inline: true })
    const a = feature('a', { strategies: [{ name: 'default', constraints: segment(1).constraints }] })
    const { segments, features } = JSON.parse(joinRuns(inline.runs()))
    expect({ segments, features }).toEqual({ segments: undefined, features: [a, feature('b')] })
    expect([inline.find('a'), inline.find('b'), inline.find('c')]).toEqual([a, feature('b'), undefined])
  })

  test.each<[string, (own: EnvironmentDocument) => void, number]>([
    ['nothing changed', () => {}, 0],
    ['a flag changed that names none', (own) => own.apply(changes(flag('b', { enabled: false })), undefined, at(2)), 0],
    ['a flag changed that names some', (own) => own.apply(changes(flag('a', using(2, 1))), undefined, at(2)), 1],
    ['segments changed', (own) => own.apply(new Map(), [segment(1, 'y'), segment(2)], at(2)), 2],
    ['a strategy has an empty list', (own) => own.apply(changes(flag('b', using())), undefined, at(2)), 1],
  ])('writes constraints in the place of segments once for all views and changes: %s', (_what, change, written) => {
    const own = documentOf([flag('a', using(1)), flag('b'), flag('c', using(2))], [segment(1), segment(2)])
    const read = (filter: Parameters<typeof createView>[1]) =>
      JSON.parse(joinRuns(view(own, filter, { ...PLAIN, inline: true }).runs())).features as Feature[]
    read(ALL)
    change(own)
    const texts = vi.spyOn(JSON, 'stringify')
    const runs = [ALL, { projects: ['default'] }].map((filter) => view(own, filter, { ...PLAIN, inline: true }).runs())
    // each of the two views also serializes its query and its metadata
    expect(texts.mock.calls.length - 4).toBe(written)
    texts.mockRestore()
    expect(runs.map(joinRuns).join()).not.toContain('"segments"')
    const constraints = stateOf(own).flags.map(({ segmentIds }) =>
      segmentIds.flatMap((id) => stateOf(own).segments.get(id)?.segment.constraints ?? []),
    )
    expect(read(ALL).map(({ strategies }) => strategies[0]?.constraints ?? [])).toEqual(constraints)
  })
})

describe('a document that stores only text', () => {
  const SEGMENT = segment(1)
  const flags = () => ['a', 'b', 'c'].map((name) => flag(name, using(1)))
  const bothOf = () =>
    [false, true].map((isLazy) => {
      const document = new EnvironmentDocument({ isLazy })
      document.replace(flags(), [SEGMENT], at(1))
      document.apply(changes(flag('b', { enabled: true })), undefined, at(2))
      return document
    })
  const FILTERS = [ALL, { projects: ['p'] }, { projects: ['*'], namePrefix: 'a' }]

  test('has the same views as one that stores flags, in both forms', () => {
    const [eager, lazy] = bothOf()
    if (eager === undefined || lazy === undefined) throw new Error('There are two')
    for (const filter of FILTERS) {
      for (const inline of [false, true]) {
        const [one, other] = [view(eager, filter, { ...PLAIN, inline }), view(lazy, filter, { ...PLAIN, inline })]
        expect(joinRuns(other.runs())).toBe(joinRuns(one.runs()))
        expect([other.etag, other.size, other.segments]).toEqual([one.etag, one.size, one.segments])
        expect(other.features()).toEqual(one.features())
      }
    }
  })

  test('parses no flag for a view, and each flag once for evaluation', () => {
    const parse = vi.spyOn(JSON, 'parse')
    const [, lazy] = bothOf()
    if (lazy === undefined) throw new Error('There are two')
    for (const filter of FILTERS) joinRuns(view(lazy, filter).runs())
    expect(parse).not.toHaveBeenCalled()
    const first = view(lazy).features()
    expect(parse).toHaveBeenCalledTimes(3)
    lazy.apply(changes(flag('b', { enabled: false })), undefined, at(3))
    const next = view(lazy).features()
    expect(next.map((feature, index) => feature === first[index])).toEqual([true, false, true])
    expect(parse).toHaveBeenCalledTimes(4)
    parse.mockRestore()
  })
})
