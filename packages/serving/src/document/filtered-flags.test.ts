import type { Feature, Segment } from '@burgee/protocol/feature'
import { describe, expect, test, vi } from 'vitest'
import { type DocumentFlag, EnvironmentDocument } from './environment-document.ts'
import { type FilteredFlags, filterFlags } from './filtered-flags.ts'
import { createView, joinRuns } from './view.ts'
import type { ViewFilter } from './view-filter.ts'

const FILTERS: ViewFilter[] = [
  { projects: ['*'] },
  { projects: ['p1'] },
  { projects: ['p1', 'p2'], namePrefix: 'flag-1' },
  { projects: ['*'], tags: [{ type: 'simple', value: 't1' }] },
]
const FORM = { query: { environment: 'e' }, inline: false }

/** Returns a repeatable generator of integers from 0 to below the limit. Source: Park and Miller's generator */
function numbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}

function anyFlag(name: string, below: (limit: number) => number): DocumentFlag {
  const segments = Array.from({ length: below(3) }, () => 1 + below(4))
  const feature: Feature = {
    name,
    enabled: below(2) === 0,
    project: `p${below(3)}`,
    strategies: [segments.length === 0 ? { name: 'default' } : { name: 'default', segments }],
  }
  return { feature, tags: below(2) === 0 ? [] : [{ type: 'simple', value: `t${below(2)}` }] }
}

function anySegments(below: (limit: number) => number): Segment[] {
  return [1, 2, 3, 4].map((id) => ({
    id,
    name: `s${id}`,
    constraints: [{ contextName: 'userId', operator: 'IN', values: [`${below(3)}`] }],
  }))
}

/** Makes a random change to a document: some flags, all flags, or segments. */
function change(document: EnvironmentDocument, id: number, below: (limit: number) => number): void {
  const names = Array.from({ length: below(6) }, () => `flag-${below(25)}`)
  const flags = names.map((name) => [name, below(4) === 0 ? undefined : anyFlag(name, below)] as const)
  const segments = below(3) === 0 ? anySegments(below) : undefined
  if (below(12) > 0) document.apply(new Map(flags), segments, { epoch: 'e', id })
  else {
    const kept = document.state?.flags.filter(() => below(3) > 0) ?? []
    const own = new Map([...kept.map((flag) => [flag.feature.name, flag] as const), ...flags])
    const all = [...own.values()].filter((flag) => flag !== undefined)
    document.replace(all, segments ?? anySegments(below), { epoch: 'e', id })
  }
}

describe('an incrementally built view', () => {
  test.each([1, 2, 3, 4, 5])('equals the view built from scratch after any change: walk %i', (seed) => {
    const below = numbers(seed)
    const document = new EnvironmentDocument()
    document.replace([], anySegments(below), { epoch: 'e', id: 0 })
    const before = FILTERS.map(() => createView(state(), FILTERS[0] as ViewFilter, FORM).filtered)
    function state() {
      if (document.state === undefined) throw new Error('It holds nothing')
      return document.state
    }
    for (let id = 1; id <= 200; id += 1) {
      change(document, id, below)
      for (const [at, filter] of FILTERS.entries()) {
        // some views are refreshed after every change, others after many changes
        if (below(at * 30 + 1) > 0) continue
        const view = createView(state(), filter, FORM, before[at])
        const anew = createView(state(), filter, FORM)
        expect(joinRuns(view.runs())).toBe(joinRuns(anew.runs()))
        expect(view.features()).toEqual(anew.features())
        expect([view.etag, view.size, view.filtered]).toEqual([anew.etag, anew.size, anew.filtered])
        before[at] = view.filtered
      }
    }
  })

  test('has the same sum after any number of changes, wherever in its range that is', () => {
    const document = new EnvironmentDocument()
    document.replace(many(40).values(), [], at(1))
    const filter = { projects: ['*'] }
    const sums = (before?: FilteredFlags) =>
      document.state === undefined ? [] : [filterFlags(document.state, filter, before)]
    let [before] = sums()
    for (let id = 2; id < 1000; id += 1) {
      const name = `flag-${id % 40}`
      const feature: Feature = { name, enabled: id % 3 === 0, project: `p${id}`, strategies: [] }
      document.apply(new Map([[name, { feature, tags: [] }]]), undefined, at(id))
      ;[before] = sums(before)
      expect(before?.sum).toBe(sums()[0]?.sum)
    }
  })

  const many = (count: number, enabled = true) =>
    new Map(
      Array.from({ length: count }, (_, at) => {
        const feature: Feature = { name: `flag-${at}`, enabled, project: 'p1', strategies: [] }
        return [feature.name, { feature, tags: [] }] as const
      }),
    )
  test.each<[string, (document: EnvironmentDocument) => void, number]>([
    ['nothing', () => {}, 0],
    ['one flag', (document) => document.apply(many(1, false), undefined, { epoch: 'e', id: 2 }), 1],
    [
      'one flag, read with all others',
      (document) => document.replace(new Map([...many(500), ...many(1, false)]).values(), [], at(2)),
      1,
    ],
    ['segments', (document) => document.apply(new Map(), [], at(2)), 0],
    ['a lot of flags', (document) => document.apply(many(300, false), undefined, at(2)), 500],
    [
      'a lot of flags, some at a time',
      (document) => {
        const [...flags] = many(300, false)
        document.apply(new Map(flags.slice(0, 150)), undefined, at(2))
        document.apply(new Map(flags.slice(150)), undefined, at(3))
      },
      500,
    ],
    [
      'one flag, more often than is known',
      (document) => {
        for (let id = 2; id < 70; id += 1) document.apply(many(1, id % 2 === 0), undefined, at(id))
      },
      500,
    ],
  ])('looks at what has changed: %s', (_what, changes, looks) => {
    const document = new EnvironmentDocument()
    document.replace(many(500).values(), [], at(1))
    const filter = { projects: ['*'], namePrefix: 'flag' }
    const before = document.state && createView(document.state, filter, FORM).filtered
    changes(document)
    const looked = vi.spyOn(String.prototype, 'startsWith')
    if (document.state !== undefined) createView(document.state, filter, FORM, before)
    const { length } = looked.mock.calls
    looked.mockRestore()
    expect(length).toBe(looks)
  })
})

function at(id: number) {
  return { epoch: 'e', id }
}
