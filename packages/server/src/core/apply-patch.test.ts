import type { Patch } from '@burgee/protocol/json-patch'
import { describe, expect, test } from 'vitest'
import { applyPatch } from './apply-patch.ts'

const document = () => JSON.parse('{"a":1,"list":["x","y"],"deep":{"b/c":{"~":true}},"__proto__":{"own":1}}') as object

/** The cases come from RFC 6902, appendix A, in other words. */
describe('a patch', () => {
  test.each([
    ['adds a member', [{ op: 'add', path: '/n', value: null }], { n: null }],
    ['adds over a member', [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
    ['inserts into a list', [{ op: 'add', path: '/list/1', value: 'z' }], { list: ['x', 'z', 'y'] }],
    ['appends to a list', [{ op: 'add', path: '/list/-', value: 'z' }], { list: ['x', 'y', 'z'] }],
    ['adds at the end by number', [{ op: 'add', path: '/list/2', value: 'z' }], { list: ['x', 'y', 'z'] }],
    ['replaces in a list', [{ op: 'replace', path: '/list/0', value: 'z' }], { list: ['z', 'y'] }],
    ['removes from a list', [{ op: 'remove', path: '/list/0' }], { list: ['y'] }],
    ['moves', [{ op: 'move', from: '/list/0', path: '/deep/moved' }], { list: ['y'], deep: { moved: 'x' } }],
    [
      'copies',
      [
        { op: 'copy', from: '/list', path: '/copy' },
        { op: 'add', path: '/copy/-', value: 'z' },
      ],
      { list: ['x', 'y'], copy: ['x', 'y', 'z'] },
    ],
    [
      'unescapes ~1 and ~0',
      [{ op: 'replace', path: '/deep/b~1c/~0', value: false }],
      { deep: { 'b/c': { '~': false } } },
    ],
    [
      'tests without looking at the order of members',
      [{ op: 'test', path: '/deep', value: { 'b/c': { '~': true } } }],
      { a: 1 },
    ],
    ['replaces the whole', [{ op: 'replace', path: '', value: { only: 1 } }], { only: 1 }],
  ] as [string, Patch, object][])('%s', (_name, patch, expected) => {
    const before = document()
    expect(applyPatch(before, patch)).toMatchObject(expected)
    expect(JSON.stringify(before)).toBe(JSON.stringify(document()))
  })

  test.each([
    ['a member that is not there', { op: 'remove', path: '/nope' }],
    ['a member that every object has', { op: 'remove', path: '/toString' }],
    ['through text', { op: 'add', path: '/list/0/x', value: 1 }],
    ['beyond the end', { op: 'add', path: '/list/3', value: 1 }],
    ['a leading zero', { op: 'replace', path: '/list/00', value: 1 }],
    ['no number in a list', { op: 'replace', path: '/list/length', value: 1 }],
    ['replacing beyond the end', { op: 'replace', path: '/list/-', value: 1 }],
    ['no leading slash', { op: 'add', path: 'a', value: 1 }],
    ['a copy from nowhere', { op: 'copy', path: '/x' }],
    ['a move into itself', { op: 'move', from: '/deep', path: '/deep/x' }],
    ['a test that fails', { op: 'test', path: '/a', value: '1' }],
    ['a test of what is not there', { op: 'test', path: '/nope', value: null }],
  ] as [string, Patch[number]][])('refuses %s', (_name, operation) => {
    expect(() => applyPatch(document(), [operation])).toThrow(`"${operation.op}" at "${operation.path}"`)
  })

  test('leaves prototypes alone', () => {
    const result = applyPatch(document(), [
      { op: 'add', path: '/__proto__/polluted', value: true },
      { op: 'add', path: '/deep/__proto__', value: { polluted: true } },
    ]) as { deep: object }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
    expect(Object.hasOwn(result.deep, '__proto__')).toBe(true)
  })
})
