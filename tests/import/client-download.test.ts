import { createClientFeaturesSource } from '@burgee/import/unleash/documents/unleash-files'
import { describe, expect, test } from 'vitest'
import { asker, PLACE, readAs } from './asked.ts'

const flag = (more: object = {}) => ({ name: 'shop', enabled: true, strategies: [{ name: 'default' }], ...more })
const download = (more: object = {}) => ({ version: 2, features: [flag(more)], segments: [] })
const reading = (document: unknown) => readAs(createClientFeaturesSource, document)

describe('the backup of an edge', () => {
  test('gives the flags of the requested environment', async () => {
    const backup = [
      ['development', download({ enabled: false })],
      [PLACE.environment, download()],
    ]
    const { flags } = await reading(backup)
    expect(flags.map(({ name, states }) => [name, states.map(({ enabled }) => enabled)])).toEqual([['shop', [true]]])
  })

  test.each<[what: string, backup: unknown, says: RegExp]>([
    ['another environment', [['development', download()]], /has no environment "production", but development/],
    [
      'the same environment twice',
      [
        [PLACE.environment, download()],
        [PLACE.environment, download()],
      ],
      /has the environment "production" 2 times/,
    ],
    ['a pair without a download', [[PLACE.environment, null]], /without a name at features\[0\]/],
  ])('fails to import with %s', async (_, backup, says) => {
    await expect(reading(backup)).rejects.toThrow(says)
  })
})

describe('a property that restricts and would be ignored is rejected by name', () => {
  test.each<[where: string, document: unknown, says: string]>([
    ['a flag', download({ parents: ['other'] }), 'features/0 of .* must not have parents'],
    [
      'a strategy',
      download({ strategies: [{ name: 'default', rollout: '5' }] }),
      'features/0/strategies/0 of .* must not have rollout',
    ],
    [
      'a constraint',
      download({
        strategies: [{ name: 'default', constraints: [{ contextName: 'a', operator: 'IN', segments: [1] }] }],
      }),
      'features/0/strategies/0/constraints/0 of .* must not have segments',
    ],
    [
      'a variant',
      download({ variants: [{ name: 'v', weight: 1000, constraints: [{}] }] }),
      'features/0/variants/0 of .* must not have constraints',
    ],
    [
      'a segment',
      { ...download(), segments: [{ id: 1, constraints: [], rules: [{}] }] },
      'segments/0 of .* must not have rules',
    ],
  ])('within %s', async (_, document, says) => {
    await expect(reading(document)).rejects.toThrow(new RegExp(says))
  })
})

test.each<[what: string, document: unknown, says: RegExp]>([
  ['a flag', { features: [flag(), flag({ strategies: [] })] }, /has the flag "shop" more than once/],
  [
    'a segment',
    {
      ...download(),
      segments: [
        { id: 1, constraints: [] },
        { id: 1, constraints: [] },
      ],
    },
    /has the segment 1 more than once/,
  ],
])('%s that is given twice is rejected', async (_, document, says) => {
  await expect(reading(document)).rejects.toThrow(says)
})

describe('a flag that is on', () => {
  test('stays on for everyone with an empty list of strategies, as in SDKs', async () => {
    const { flags } = await reading(download({ strategies: [] }))
    expect(flags[0]?.states).toMatchObject([{ enabled: true, strategies: [] }])
  })

  test('becomes off without a list of strategies, and the report names it', async () => {
    const read = await reading({ features: [{ name: 'shop', enabled: true }] })
    expect(asker(read).answer('shop', {})).toBe('off')
    expect(read.notes.find(({ name }) => name === 'shop in production')).toMatchObject({ fidelity: 'approximated' })
  })
})

test('the download itself is what SDKs get there', async () => {
  const source = createClientFeaturesSource({ path: 'file', content: JSON.stringify(download()), ...PLACE }, () => 0)
  await source.read()
  expect(await source.served?.(PLACE.environment)).toEqual({ document: download(), projects: ['*'] })
})
