import { expect, test } from 'vitest'
import { parseQueryString } from './query-string.ts'

/** Parses into objects with ordinary prototypes, for comparison. */
const read = (text: string): unknown => JSON.parse(JSON.stringify(parseQueryString(text)))

test.each<[query: string, value: unknown]>([
  ['', {}],
  ['a=1&b=2', { a: '1', b: '2' }],
  ['a=1&a=2', { a: ['1', '2'] }],
  ['a[]=1', { a: ['1'] }],
  ['a[]=1&a=2', { a: ['1', '2'] }],
  ['a[0]=x&a[1]=y', { a: ['x', 'y'] }],
  ['a[20]=x', { a: ['x'] }],
  ['a[21]=x', { a: { 21: 'x' } }],
  ['a[01]=x', { a: { '01': 'x' } }],
  ['p[b]=1&p[c]=2', { p: { b: '1', c: '2' } }],
  ['p%5Bb%5D=1', { p: { b: '1' } }],
  ['p[b][c]=1', { p: { b: { c: '1' } } }],
  ['p[b][]=1&p[b][]=2', { p: { b: ['1', '2'] } }],
  ['a', { a: '' }],
  ['a=', { a: '' }],
  ['a=b=c', { a: 'b=c' }],
  ['a=b+c%26', { a: 'b c&' }],
  ['&&a=1&&', { a: '1' }],
  ['a=%zz', { a: '%zz' }],
  ['a=1;b=2', { a: '1;b=2' }],
  ['a=1#b', { a: '1' }],
  ['a=1%23b', { a: '1#b' }],
  ['__proto__=1&__proto__[x]=1&a[__proto__]=1', {}],
  ['constructor=1', { constructor: '1' }],
])('%s', (query, value) => {
  expect(read(query)).toEqual(value)
})

test('ignores parameters beyond the thousandth', () => {
  const many = Array.from({ length: 1001 }, (_, index) => `p${index}=1`).join('&')
  expect(Object.keys(parseQueryString(many))).toHaveLength(1000)
})
