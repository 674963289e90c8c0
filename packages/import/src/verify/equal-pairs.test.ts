import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { expect, test } from 'vitest'
import { EqualPairs } from './equal-pairs.ts'

type Raw = Record<string, unknown>

const documentOf = (features: Raw[], segments: Raw[] = []): FeatureDocument =>
  ({ version: 2, features, segments }) as unknown as FeatureDocument
const flag = (name: string, more: Raw = {}): Raw => ({ name, enabled: true, strategies: [], ...more })
const child = flag('child', { dependencies: [{ feature: 'parent' }] })
const parent = flag('parent', { dependencies: [{ feature: 'grandparent' }] })
const FLAGS = [child, parent, flag('grandparent')]
const SEGMENTS = [{ id: 1, constraints: [] }]

test.each<[isKnown: boolean, what: string, a: FeatureDocument, b: FeatureDocument]>([
  [true, 'nothing has changed', documentOf(FLAGS, SEGMENTS), documentOf(FLAGS, SEGMENTS)],
  [true, 'another flag has changed', documentOf([...FLAGS, flag('x')], SEGMENTS), documentOf(FLAGS, SEGMENTS)],
  [false, 'one side is off', documentOf(FLAGS, SEGMENTS), documentOf([{ ...child, enabled: false }, parent], SEGMENTS)],
  [false, 'one side lacks the flag', documentOf(FLAGS, SEGMENTS), documentOf([parent, flag('grandparent')], SEGMENTS)],
  [false, 'a parent has changed', documentOf([child, flag('parent')], SEGMENTS), documentOf(FLAGS, SEGMENTS)],
  [false, 'the parent of a parent is missing', documentOf(FLAGS, SEGMENTS), documentOf([child, parent], SEGMENTS)],
  [false, 'a segment has changed', documentOf(FLAGS, SEGMENTS), documentOf(FLAGS, [])],
])('a pair that was equal is known: %s, %s', (isKnown, _what, a, b) => {
  const pairs = new EqualPairs()
  pairs.index({ a: documentOf(FLAGS, SEGMENTS), b: documentOf(FLAGS, SEGMENTS) }).add('child')
  const index = pairs.index({ a, b })
  expect(index.isKnown('child')).toBe(isKnown)
  expect(index.isKnown('parent')).toBe(false)
})
