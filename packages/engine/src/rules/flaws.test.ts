import { describe, expect, test } from 'vitest'
import { findFeatureFlaw, findSegmentFlaw } from './flaws.ts'

const flag = (more: object) => ({ name: 'f', enabled: true, strategies: [], ...more })
const strategy = (more: object) => flag({ strategies: [{ name: 'default', ...more }] })
const constraint = (more: object) => strategy({ constraints: [{ operator: 'IN', ...more }] })

describe('a flag that can be read', () => {
  test.each<[string, object]>([
    ['nothing but a switch and strategies', flag({})],
    ['off', flag({ enabled: false })],
    ['parts that are null', flag({ variants: null, dependencies: null, impressionData: null })],
    [
      'parts of a strategy that are null',
      strategy({ parameters: null, constraints: null, segments: null, variants: null }),
    ],
    ['an unknown strategy', flag({ strategies: [{ name: 'it is unknown', parameters: { a: 1 } }] })],
    ['an unknown operator', constraint({ operator: 'LIKE', values: null })],
    ['a value for a list', constraint({ value: 7 })],
    ['segments of any kind', strategy({ segments: ['1', null] })],
    ['variants without weights', flag({ variants: [{}] })],
    ['a dependency', flag({ dependencies: [{ feature: 'p', enabled: false, variants: null }] })],
  ])('%s', (_name, definition) => {
    expect(findFeatureFlaw({ ...definition })).toBeUndefined()
  })
})

describe('a flag that cannot', () => {
  test.each<[object, string]>([
    [{ name: 'f' }, 'enabled is not a boolean'],
    [flag({ enabled: 1 }), 'enabled is not a boolean'],
    [flag({ strategies: undefined }), 'strategies are not a list'],
    [flag({ strategies: {} }), 'strategies are not a list'],
    [flag({ strategies: [[]] }), 'a strategy is not an object'],
    [flag({ strategies: [{ name: 7 }] }), 'a strategy has no name'],
    [strategy({ parameters: [] }), 'parameters are not an object'],
    [strategy({ constraints: '' }), 'constraints are not a list'],
    [strategy({ constraints: [null] }), 'a constraint is not an object'],
    [constraint({ operator: null }), 'a constraint has no operator'],
    [constraint({ values: 'eu' }), 'values of a constraint are not a list'],
    [strategy({ segments: { 0: 1 } }), 'segments are not a list'],
    [strategy({ variants: [7] }), 'a variant is not an object'],
    [flag({ variants: {} }), 'variants are not a list'],
    [flag({ dependencies: 'p' }), 'dependencies are not a list'],
    [flag({ dependencies: ['p'] }), 'a dependency has no parent'],
    [flag({ dependencies: [{ feature: 'p', variants: 'a' }] }), 'variants of a dependency are not a list'],
  ])('%j: %s', (definition, flaw) => {
    expect(findFeatureFlaw({ ...definition })).toBe(flaw)
  })
})

test.each<[object, string | undefined]>([
  [{ id: 1, constraints: [] }, undefined],
  [{ id: 1 }, undefined],
  [{ id: 1, constraints: {} }, 'constraints are not a list'],
  [{ id: 1, constraints: ['x'] }, 'a constraint is not an object'],
])('segment %j: %s', (definition, flaw) => {
  expect(findSegmentFlaw({ ...definition })).toBe(flaw)
})
