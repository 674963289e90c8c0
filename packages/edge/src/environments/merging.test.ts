import type { Feature } from '@burgee/protocol/feature'
import { describe, expect, test } from 'vitest'
import { type Layer, merge } from './merging.ts'

const toFlag = (name: string, project: string, description = ''): Feature => ({
  name,
  project,
  description,
  enabled: true,
  strategies: [],
})

/** Creates a layer; `number` is its revision in the epoch "e". */
function toLayer(turn: number, projects: readonly string[], features: readonly Feature[], number?: number): Layer {
  const revision = number === undefined ? undefined : { lineage: 'l', epoch: 'e', number }
  return { document: { version: 2, features: [...features], segments: [] }, projects, revision, turn }
}

/** Merges without pauses. Returns the flags with their descriptions, and the number of pauses. */
function mergeAll(layers: readonly Layer[], older: readonly Layer[] = []) {
  const work = merge(layers, older)
  for (let pauses = 0; ; pauses += 1) {
    const step = work.next()
    if (step.done !== true) continue
    return { flags: [...step.value.features.values()].map(({ name, description }) => `${name}${description}`), pauses }
  }
}

const listFlags = (count: number) => Array.from({ length: count }, (_, index) => toFlag(`flag-${index}`, 'shop'))

describe('merge', () => {
  test.each([
    [0, 499],
    [1, 500],
    [1, 999],
    [2, 1000],
  ])('pauses %i times in %i flags', (pauses, count) => {
    expect(mergeAll([toLayer(1, ['shop'], listFlags(count))]).pauses).toBe(pauses)
  })

  test('takes a flag from the greatest revision of an epoch, otherwise from the last reply', () => {
    const early = toLayer(1, ['shop'], [toFlag('a', 'shop', ' of 9')], 9)
    const late = toLayer(2, ['shop', 'blog'], [toFlag('a', 'shop', ' of 3')], 3)
    expect(mergeAll([early, late]).flags).toEqual(['a of 9'])
    expect(mergeAll([late, early]).flags).toEqual(['a of 9'])
    expect(mergeAll([early, { ...late, revision: undefined }]).flags).toEqual(['a of 3'])
    expect(mergeAll([early, toLayer(2, ['shop'], [toFlag('a', 'shop', ' again')], 9)]).flags).toEqual(['a again'])
    const unnamed = { lineage: 'l', epoch: '', number: 9 }
    const later = { ...late, revision: { ...unnamed, number: 3 } }
    expect(mergeAll([{ ...early, revision: unnamed }, later]).flags).toEqual(['a of 3'])
  })

  test('takes flags of older layers only from projects that no current layer includes', () => {
    const older = [toLayer(0, ['*'], [toFlag('old', 'shop'), toFlag('other', 'blog'), toFlag('none', '')])]
    expect(mergeAll([toLayer(1, ['shop'], [toFlag('new', 'shop')])], older).flags).toEqual(['new', 'other'])
    expect(mergeAll([toLayer(1, ['*'], [])], older).flags).toEqual([])
    expect(mergeAll([], older).flags).toEqual(['old', 'other', 'none'])
  })
})
