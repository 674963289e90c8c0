import type { Feature, Segment } from '@burgee/protocol/feature'
import { describe, expect, test } from 'vitest'
import { acceptDocument } from './accepted-document.ts'
import type { FeatureDocument } from './feature-document.ts'

const segment = (id: number): Segment => ({ id, constraints: [] }) as unknown as Segment
const flag = (name: string, more: object = {}): Feature =>
  ({ name, enabled: true, strategies: [], ...more }) as unknown as Feature
const limited = (name: string, ...segments: number[]) => flag(name, { strategies: [{ name: 'default', segments }] })
const broken = (name: string) => flag(name, { strategies: 'all' })
const documentOf = (features: Feature[], segments: Segment[] = []): FeatureDocument => ({
  version: 2,
  features,
  segments,
})

function take(next: FeatureDocument, before?: FeatureDocument, projectName?: string) {
  const steps = acceptDocument(next, { before, projectName, readable: new WeakSet() })
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

describe('a flag that cannot be read', () => {
  test('stays as it was, with the segments that it refers to', () => {
    const before = documentOf([limited('f', 1, 2), limited('g', 3)], [segment(1), segment(2), segment(3)])
    const { document, rejected } = take(documentOf([broken('f'), flag('g')], [segment(2)]), before)
    expect(document.features.find(({ name }) => name === 'f')).toEqual(limited('f', 1, 2))
    // 3 is dropped, because no flag of the document refers to it
    expect(document.segments.map(({ id }) => id)).toEqual([2, 1])
    expect(rejected).toMatchObject([{ what: 'flag "f"', keepsPrevious: true }])
  })

  test('takes a segment that the new document has from the new document', () => {
    const changed = {
      ...segment(1),
      constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }],
    } as Segment
    const { document } = take(documentOf([broken('f')], [changed]), documentOf([limited('f', 1)], [segment(1)]))
    expect(document.segments).toEqual([changed])
  })

  test('gets omitted if there is no earlier version', () => {
    const { document, rejected } = take(documentOf([broken('f'), flag('g')]))
    expect(document).toEqual(documentOf([flag('g')]))
    expect(rejected).toMatchObject([{ what: 'flag "f"', keepsPrevious: false }])
  })
})

describe('a project', () => {
  const own = flag('own', { project: 'web', dependencies: [{ feature: 'parent' }] })
  const parent = flag('parent', { project: 'shared' })
  const other = flag('other', { project: 'shared' })

  test('takes its flags, flags without a project, and the parents of its flags', () => {
    const { document } = take(documentOf([own, parent, other, flag('any')]), undefined, 'web')
    expect(document.features.map(({ name }) => name)).toEqual(['own', 'any', 'parent'])
  })

  test('restricts nothing if no project is requested', () => {
    const { document } = take(documentOf([own, parent, other]))
    expect(document.features).toHaveLength(3)
  })

  test('refuses a flag whose project is not a string', () => {
    const { document, rejected } = take(documentOf([flag('f', { project: 7 })]), undefined, 'web')
    expect(document.features).toEqual([])
    expect(rejected).toMatchObject([{ what: 'flag "f"', why: 'project is not a string' }])
  })
})
