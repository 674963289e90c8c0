import { describe, expect, test } from 'vitest'
import { type CompileOptions, compile } from './engine.ts'

/** Flags that callers cannot see but that are parents of other flags. */
const features = [
  {
    name: 'hidden',
    enabled: true,
    strategies: [{ name: 'userWithId', parameters: { userIds: 'u' } }],
    impressionData: true,
  },
  { name: 'child', enabled: true, strategies: [{ name: 'default' }], dependencies: [{ feature: 'hidden' }] },
  { name: '7', enabled: true, strategies: [] },
  { name: '1', enabled: true, strategies: [] },
]
const isListed = ({ name }: { readonly name?: unknown }) => name !== 'hidden' && name !== '1'

describe.each<[string, CompileOptions]>([
  ['compiled', { isListed }],
  ['plain', { isListed, caches: false }],
])('%s', (_name, options) => {
  const { engine } = compile({ features }, options)

  test('they are not listed, however one asks', () => {
    expect(engine.names).toEqual(['7', 'child'])
    expect([engine.indexOf('hidden'), engine.indexOf('1')]).toEqual([-1, -1])
    expect(engine.evaluateAll({ userId: 'u' }).map(({ name }) => name)).toEqual(['7', 'child'])
    const unknown = { enabled: false, known: false, impressionData: undefined }
    expect(engine.evaluate('hidden', { userId: 'u' })).toMatchObject(unknown)
    expect(engine.explain('hidden', { userId: 'u' })).toEqual({ ...engine.explain('nobody', {}), name: 'hidden' })
  })

  test.each([
    ['u', true],
    ['v', false],
  ])('they decide: user %s %s', (userId, enabled) => {
    expect(engine.evaluate('child', { userId }).enabled).toBe(enabled)
    expect(engine.explain('child', { userId }).isEnabled).toBe(enabled)
    expect([...engine.decideAll({ userId })].slice(0, 2)).toEqual([1, Number(enabled)])
  })
})

test('a flag becomes hidden, and is listed again, though nothing else of it changes', () => {
  const all = compile({ features }).engine
  const some = compile({ features }, { isListed }, all).engine
  const again = compile({ features }, {}, some).engine
  expect([all, some, again].map(({ names }) => names)).toEqual([
    ['1', '7', 'hidden', 'child'],
    ['7', 'child'],
    ['1', '7', 'hidden', 'child'],
  ])
  expect([some, again].map((engine) => engine.evaluate('child', { userId: 'u' }).enabled)).toEqual([true, true])
  expect(again.evaluate('hidden', { userId: 'u' }).enabled).toBe(true)
})
