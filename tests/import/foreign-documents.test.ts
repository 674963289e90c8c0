import { createFlagdSource } from '@burgee/import/flagd/flagd-source'
import { createFlagsmithSource } from '@burgee/import/flagsmith/flagsmith-source'
import { createLaunchDarklySource } from '@burgee/import/launchdarkly/launchdarkly-source'
import type { Installation } from '@burgee/import/model/installation'
import {
  createClientFeaturesSource,
  createUnleashExportSource,
  createUnleashStateSource,
} from '@burgee/import/unleash/documents/unleash-files'
import { describe, expect, test } from 'vitest'
import { readAs } from './asked.ts'

/** Every importer, by the name of its option. */
const IMPORTERS: Record<string, (document: unknown) => Promise<Installation>> = {
  '--from-unleash-state': (document) =>
    readAs(({ path }, clock) => createUnleashStateSource({ path }, clock), document),
  '--from-unleash-export': (document) => readAs(createUnleashExportSource, document),
  '--from-client-features': (document) => readAs(createClientFeaturesSource, document),
  '--from-launchdarkly': (document) => readAs(createLaunchDarklySource, document),
  '--from-flagd': (document) => readAs(createFlagdSource, document),
  '--from-flagsmith': (document) => readAs(createFlagsmithSource, document),
}

const STRATEGY = { name: 'default', constraints: [], parameters: {} }
const FEATURE = { name: 'a', type: 'release', project: 'default', stale: false }
const DOWNLOADED = { ...FEATURE, enabled: true, strategies: [STRATEGY], variants: [] }
const LINKS = {
  featureStrategies: [
    { id: '1', featureName: 'a', environment: 'production', strategyName: 'default', parameters: {}, constraints: [] },
  ],
  featureEnvironments: [{ featureName: 'a', environment: 'production', enabled: true }],
}
const EXPORTED = {
  featureStrategies: [{ id: '1', featureName: 'a', name: 'default', parameters: {}, constraints: [] }],
  featureEnvironments: [{ featureName: 'a', name: 'a', environment: 'production', enabled: true }],
}
const STATE_LISTS = {
  strategies: [],
  projects: [{ id: 'default', name: 'Default' }],
  tagTypes: [],
  tags: [],
  featureTags: [],
}
const VARIATIONS = { variations: [true, false], offVariation: 1 }
const TARGETED = { on: true, fallthrough: { variation: 0 }, targets: [], rules: [], prerequisites: [] }
const LD_FLAG = { key: 'a', version: 1, salt: 's', ...VARIATIONS, ...TARGETED }
const LD_ITEM = {
  key: 'a',
  name: 'A',
  variations: [{ value: true }, { value: false }],
  environments: { production: { ...TARGETED, offVariation: 1, _summary: {} } },
}

/** Documents, the option that reads each of them, and its name in error messages. */
const DOCUMENTS: Record<string, { document: unknown; option?: string; name: string }> = {
  'a state of version 1': {
    document: { version: 1, features: [DOWNLOADED], ...STATE_LISTS },
    option: '--from-unleash-state',
    name: 'the state of an Unleash server',
  },
  'a state of version 4': {
    document: { version: 4, features: [FEATURE], ...LINKS, ...STATE_LISTS, segments: [] },
    option: '--from-unleash-state',
    name: 'the state of an Unleash server',
  },
  'an export': {
    document: { features: [FEATURE], ...EXPORTED, contextFields: [], segments: [], tagTypes: [], dependencies: [] },
    option: '--from-unleash-export',
    name: 'an export of an Unleash server',
  },
  'a download': {
    document: { version: 2, features: [DOWNLOADED], segments: [], query: { environment: 'production' }, meta: {} },
    option: '--from-client-features',
    name: 'a download of Unleash SDKs',
  },
  'a list of downloaded flags': {
    document: [DOWNLOADED],
    option: '--from-client-features',
    name: 'a download of Unleash SDKs',
  },
  'the backup of an edge': {
    document: [['production', { version: 2, features: [DOWNLOADED] }]],
    option: '--from-client-features',
    name: 'the backup of an edge',
  },
  'a file of LaunchDarkly': {
    document: { flags: { a: LD_FLAG }, segments: {} },
    option: '--from-launchdarkly',
    name: 'a file of LaunchDarkly',
  },
  'values of LaunchDarkly': {
    document: { flagValues: { a: true } },
    option: '--from-launchdarkly',
    name: 'a file of LaunchDarkly',
  },
  'a payload of SDKs of LaunchDarkly': {
    document: { path: '/', data: { flags: { a: LD_FLAG }, segments: {} } },
    option: '--from-launchdarkly',
    name: 'flag data of LaunchDarkly SDKs',
  },
  'a list of the API of LaunchDarkly': {
    document: { items: [LD_ITEM], totalCount: 1, _links: { self: {} } },
    option: '--from-launchdarkly',
    name: 'a list of the API of LaunchDarkly',
  },
  flagd: {
    document: { flags: { a: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } } },
    option: '--from-flagd',
    name: 'a file of flagd',
  },
  Flagsmith: {
    document: {
      project: { id: 1, segments: [] },
      feature_states: [{ feature: { id: 1, name: 'a' }, enabled: true, feature_state_value: null }],
    },
    option: '--from-flagsmith',
    name: 'the document of an environment of Flagsmith',
  },
  'a manifest in a file': {
    document: { flags: { a: { flagType: 'boolean', defaultValue: true, description: '' } } },
    name: 'a manifest of OpenFeature',
  },
  'a manifest of the API': {
    document: { flags: [{ key: 'a', type: 'boolean', defaultValue: true }] },
    name: 'a manifest of OpenFeature',
  },
}

const OWN = Object.entries(DOCUMENTS).filter(([, { option }]) => option !== undefined)
const FOREIGN = Object.keys(IMPORTERS).flatMap((importer) =>
  Object.entries(DOCUMENTS)
    .filter(([, { option }]) => option !== importer)
    .map(([title]) => [importer, title] as const),
)

describe('documents', () => {
  test.each(OWN.map(([title, { option = '' }]) => [option, title] as const))('%s reads %s', async (option, title) => {
    const read = await IMPORTERS[option]?.(DOCUMENTS[title]?.document)
    expect(read?.flags.map(({ name }) => name)).toEqual(['a'])
    expect(read?.flags[0]?.states[0]?.enabled).toBe(true)
  })

  test.each(FOREIGN)('%s refuses %s, and names the format and what reads it', async (importer, title) => {
    const { document, option = 'openfeature push', name } = DOCUMENTS[title] ?? { document: {}, name: '' }
    const refused = IMPORTERS[importer]?.(document)
    await expect(refused).rejects.toThrow(`looks like ${name}: `)
    await expect(refused).rejects.toThrow(`\`${option}\``)
  })
})

describe('lists of LaunchDarkly that are not whole', () => {
  const summary = { on: true, archived: false, version: 1, _summary: { variations: {}, prerequisites: 0 } }
  test.each<[what: string, document: unknown, says: RegExp]>([
    [
      'summaries, as they come by default',
      { items: [{ ...LD_ITEM, environments: { production: summary } }] },
      /flag a of .* in production is a summary without its rules: request the list with summary=0/,
    ],
    ['flags without environments', { items: [{ key: 'a', variations: [] }] }, /has no "environments".*summary=0/],
    [
      'the first of several pages',
      { items: [LD_ITEM], totalCount: 2 },
      /one page with 1 of 2 entries: .*limit and offset/,
    ],
    ['a page that names the next one', { items: [LD_ITEM], _links: { next: { href: '/x' } } }, /limit and offset/],
    [
      'a page of segments',
      { items: [LD_ITEM], segments: { production: { items: [], totalCount: 3 } } },
      /segments of production in .* is one page with 0 of 3 entries/,
    ],
    ['a flag twice', { items: [LD_ITEM, LD_ITEM] }, /has the flag "a" more than once/],
    [
      'rules that are not a list',
      { flags: { a: { ...LD_FLAG, rules: {} } } },
      /"rules" of flags\.a of .* is not a list/,
    ],
    ['a flag that is neither on nor off', { flags: { a: { ...LD_FLAG, on: 1 } } }, /"on" of flags\.a of .* must be/],
    [
      'a segment whose keys are not a list',
      { flags: {}, segments: { s: { excluded: 'a' } } },
      /"excluded" of segments\.s/,
    ],
  ])('%s are refused', async (_, document, says) => {
    await expect(readAs(createLaunchDarklySource, document)).rejects.toThrow(says)
  })

  test('deleted items become neither flags nor segments', async () => {
    const deleted = { key: 'b', version: 2, deleted: true }
    const read = await readAs(createLaunchDarklySource, { flags: { a: LD_FLAG, b: deleted }, segments: { s: deleted } })
    expect([read.flags.map(({ name }) => name), read.segments]).toEqual([['a'], []])
  })
})
