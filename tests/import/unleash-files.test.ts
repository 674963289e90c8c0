import {
  createClientFeaturesSource,
  createUnleashExportSource,
  createUnleashStateSource,
} from '@burgee/import/unleash/documents/unleash-files'
import { listDefinitionDifferences } from '@burgee/import/verify/definition-difference'
import { buildSourceDocument } from '@burgee/import/verify/source-document'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { asker, PLACE, readAs } from './asked.ts'

const AGE = { contextName: 'age', operator: 'NUM_GTE', value: '18' }
const ROLLOUT = { rollout: 40, groupId: 'shop', stickiness: 'default' }
const VARIANT = { name: 'red', weight: 1000, weightType: 'variable', stickiness: 'default' }
const state = (place: { readonly path: string }, clock: () => number) => createUnleashStateSource(place, clock)
const adult = { userId: '1', properties: { age: '18' } }

const VERSION_4 = {
  version: 4,
  features: [
    { name: 'shop', project: 'web', type: 'experiment', stale: true },
    { name: 'old', archived: true },
  ],
  environments: [{ name: 'production', type: 'production', enabled: true }],
  projects: [{ id: 'web', name: 'Web' }],
  featureEnvironments: [{ featureName: 'shop', environment: 'production', enabled: true, variants: [VARIANT] }],
  featureStrategies: [
    { id: 'a', featureName: 'shop', environment: 'production', strategyName: 'default', constraints: [AGE] },
    {
      id: 'b',
      featureName: 'shop',
      environment: 'production',
      strategyName: 'flexibleRollout',
      parameters: ROLLOUT,
      disabled: true,
    },
  ],
  segments: [{ id: 7, name: 'eu', constraints: [{ contextName: 'country', operator: 'IN', values: ['DE'] }] }],
  featureStrategySegments: [{ featureStrategyId: 'a', segmentId: 7 }],
  featureTags: [{ featureName: 'shop', tagType: 'simple', tagValue: 'blue' }],
}

describe('state of an Unleash server', () => {
  test.each([
    ['JSON', JSON.stringify(VERSION_4)],
    ['YAML', stringify(VERSION_4)],
  ])('version 4 as %s', async (_, text) => {
    const read = await readAs(state, text)
    expect(
      read.flags.map(({ name, project, type, stale, archivedAt }) => [name, project, type, stale, archivedAt !== null]),
    ).toEqual([
      ['shop', 'web', 'experiment', true, false],
      ['old', 'default', 'release', false, true],
    ])
    const [shop] = read.flags
    expect(
      shop?.states[0]?.strategies.map(({ disabled, parameters, segments }) => ({ disabled, parameters, segments })),
    ).toEqual([
      { disabled: false, parameters: {}, segments: [7] },
      { disabled: true, parameters: { rollout: '40', groupId: 'shop', stickiness: 'default' }, segments: [] },
    ])
    expect(shop?.tags).toEqual([{ type: 'simple', value: 'blue' }])
    expect(read.segments.map(({ id, name }) => [id, name])).toEqual([[7, 'eu']])
    expect(read.projects.map(({ id }) => id)).toEqual(['web', 'default'])
    expect(read.contextFields.map(({ name }) => name)).toEqual(['age', 'country'])
    const { answer } = asker(read)
    expect(answer('shop', { ...adult, properties: { age: '18', country: 'DE' } })).toBe('on')
    expect(answer('shop', adult)).toBe('off')
  })

  test('versions 1 and 2: the only environment', async () => {
    const read = await readAs(state, {
      version: 1,
      features: [{ name: 'a', enabled: true, strategies: [{ name: 'default' }] }],
    })
    expect(read.environments.map(({ name }) => name)).toEqual(['default'])
    expect(asker(read, 'default').answer('a', {})).toBe('on')
  })

  test('a strategy whose segment is missing is disabled, with a note', async () => {
    const read = await readAs(state, { ...VERSION_4, segments: [] })
    expect(asker(read).answer('shop', adult)).toBe('off')
    expect(read.flags[0]?.states[0]?.strategies[0]?.disabled).toBe(true)
    expect(read.notes.map(({ words }) => words).join()).toMatch(/does not contain the definitions of its segments/)
  })

  test.each<[what: string, document: unknown, says: RegExp]>([
    ['another version', { version: 5 }, /document of version 5: versions 1 to 4/],
    ['features that are not a list', { features: {} }, /"features" of .* is not a list/],
    ['a feature without a name', { features: [{}] }, /features\[0\] of .* has no name/],
    [
      'segments in a strategy of version 2',
      { version: 2, features: [{ name: 'a', strategies: [{ name: 'default', segments: [1] }] }] },
      /features\/0\/strategies\/0 of .* must not have segments/,
    ],
    [
      'parents in version 1',
      { version: 1, features: [{ name: 'a', dependencies: [{ feature: 'b' }] }] },
      /dependencies/,
    ],
    [
      'segments in a strategy of version 4',
      { features: [{ name: 'a' }], featureStrategies: [{ featureName: 'a', segments: [1] }] },
      /featureStrategies\/0 of .* must not have segments/,
    ],
    [
      'what SDKs download',
      { features: [{ name: 'a', enabled: true, strategies: [{ name: 'default' }] }] },
      /--from-client-features/,
    ],
    [
      'a segment of a strategy that is not there',
      { featureStrategySegments: [{ featureStrategyId: 'gone', segmentId: 1 }] },
      /"gone" that the document does not have/,
    ],
    ['a row that is not an object', { featureStrategies: [1] }, /featureStrategies\[0\] of .* is not an object/],
    ['a list', [], /does not contain an object/],
    ['nothing', '', /does not contain an object/],
    ['no YAML', 'a: [', /neither JSON nor YAML/],
  ])('%s', async (_, document, says) => {
    await expect(readAs(state, document)).rejects.toThrow(says)
  })

  test('no file', async () => {
    await expect(createUnleashStateSource({ path: '/nowhere/state.json' }, Date.now).read()).rejects.toThrow(
      'Cannot read /nowhere/state.json (ENOENT)',
    )
  })
})

describe('export of flags of an Unleash server', () => {
  const exported = {
    features: [{ name: 'shop', project: 'elsewhere' }, { name: 'child' }],
    featureEnvironments: [
      { name: 'shop', environment: 'test', enabled: true },
      { name: 'child', featureName: 'child', environment: 'test', enabled: true },
    ],
    featureStrategies: [
      { name: 'default', featureName: 'shop', segments: [3] },
      { name: 'default', featureName: 'shop', constraints: [AGE] },
      { name: 'default', featureName: 'child' },
    ],
    segments: [{ id: 3, name: 'eu' }],
    dependencies: [{ feature: 'child', dependencies: [{ feature: 'shop', enabled: true, variants: [] }] }],
  }

  test('into a project and an environment; segments of which it has the names alone open nothing', async () => {
    const read = await readAs(createUnleashExportSource, exported)
    expect(read.flags.map(({ project, states }) => [project, states.map(({ environment }) => environment)])).toEqual([
      [PLACE.project, [PLACE.environment]],
      [PLACE.project, [PLACE.environment]],
    ])
    const { answer } = asker(read)
    expect([answer('shop', {}), answer('shop', adult), answer('child', {}), answer('child', adult)]).toEqual([
      'off',
      'on',
      'off',
      'on',
    ])
    expect(read.notes.map(({ name }) => name)).toContain('shop in production')
  })
})

describe('a download of SDKs', () => {
  const download = {
    version: 2,
    features: [
      {
        name: 'shop',
        enabled: true,
        type: 'experiment',
        strategies: [{ name: 'flexibleRollout', parameters: ROLLOUT, segments: [3], variants: [VARIANT] }],
      },
      {
        name: 'child',
        enabled: true,
        strategies: [{ name: 'default', constraints: [AGE] }],
        dependencies: [{ feature: 'shop', variants: ['red'] }],
      },
      { name: 'dark', enabled: false, strategies: [{ name: 'default' }], impressionData: true },
    ],
    segments: [{ id: 3, constraints: [{ contextName: 'country', operator: 'IN', values: ['DE'] }] }],
  }

  test('means the same as before', async () => {
    const read = await readAs(createClientFeaturesSource, download)
    const documents = { a: download as never, b: buildSourceDocument(read, PLACE.environment) }
    expect(listDefinitionDifferences(documents, { a: 'before', b: 'after' })).toEqual([])
  })

  test.each<[what: string, document: unknown, says: RegExp]>([
    ['answers of a front end', { toggles: [] }, /no list "features"/],
    ['a feature without a name', { features: [{}] }, /without a name at features\[0\]/],
  ])('%s', async (_, document, says) => {
    await expect(readAs(createClientFeaturesSource, document)).rejects.toThrow(says)
  })
})
