import { EVENTS, type Event } from '@burgee/protocol/event'
import { describe, expect, test } from 'vitest'
import { groupEvents } from './event-days.ts'
import { describeEvent, describeRun, joinParts } from './event-sentence.ts'
import { nameField } from './field-names.ts'
import { SENTENCE_TEXTS } from './sentence-texts.ts'
import { EVENT_TEXTS } from './texts.ts'

const LANGUAGES = ['en', 'de'] as const

const toEvent = (type: string, more: Partial<Event> = {}): Event => ({
  id: 1,
  createdAt: '2026-03-01T12:00:00.000Z',
  type,
  createdBy: 'maya',
  createdByUserId: 7,
  environment: null,
  project: null,
  featureName: null,
  data: null,
  preData: null,
  tags: [],
  ...more,
})

const getTexts = (language: (typeof LANGUAGES)[number]) => ({
  ...SENTENCE_TEXTS[language],
  types: EVENT_TEXTS[language].log.types,
})

const describeText = (event: Event, language: (typeof LANGUAGES)[number] = 'en'): string =>
  joinParts(describeEvent(event, getTexts(language), (id) => (id === 8 ? 'Lucas Moreau' : undefined)))

/** Sample event of a type, with the fields that such events have. */
function sample(type: string): { event: Event; mentions: string } {
  if (/^change-(?!request-(configuration|skipped))/.test(type)) {
    const data = { changeRequestId: 3, changeRequestTitle: 'Wallets for all' }
    return { event: toEvent(type, { project: 'shop', environment: 'production', data }), mentions: 'Wallets for all' }
  }
  if (/^change-request-/.test(type)) return at(type, { environment: 'production', project: 'shop' }, 'production')
  if (/^(project-access-user|group-user|public-signup-token-user)/.test(type)) {
    return at(type, { project: 'shop', data: { userId: 8, groupName: 'Ops', name: 'Ops' } }, 'Lucas Moreau')
  }
  if (type.startsWith('project-access-group')) return at(type, { project: 'shop', data: { groupId: 4 } }, 'shop')
  if (/^(environment|project-environment)-/.test(type))
    return at(type, { environment: 'staging', project: 'shop' }, 'staging')
  if (/^features-/.test(type))
    return at(type, { environment: 'staging', data: { count: 12, features: ['a'] } }, 'staging')
  if (type.startsWith('test-run-')) return at(type, { environment: 'staging', project: 'shop' }, 'staging')
  if (type === 'default-strategy-updated') return at(type, { environment: 'staging', project: 'shop' }, 'staging')
  if (type.startsWith('feature-dependency')) {
    const states = { data: { feature: 'parent' }, preData: { feature: 'parent' } }
    return at(type, { featureName: 'checkout', project: 'shop', ...states }, 'parent')
  }
  if (/^(feature|safeguard|strategy-order|delivery)-/.test(type) && type !== 'feature-type-updated') {
    return at(type, { featureName: 'checkout', project: 'shop', environment: 'staging' }, 'checkout')
  }
  if (type.startsWith('pat-')) return at(type, { data: { description: 'deployment' } }, 'deployment')
  if (type.startsWith('addon-')) return at(type, { data: { provider: 'slack', description: '' } }, 'slack')
  if (type === 'config-drift') {
    const data = { kind: 'Flag', name: 'checkout', repository: 'shop/flags', commit: '3f2a1c0' }
    return at(type, { data }, 'shop/flags@3f2a1c0')
  }
  if (type === 'config-applied') {
    return at(type, { data: { count: 12, repository: 'shop/flags', commit: '3f2a1c0' } }, 'shop/flags@3f2a1c0')
  }
  if (type === 'instance-imported') return at(type, { data: { source: 'Unleash' } }, 'Unleash')
  if (type.startsWith('setting-')) return at(type, { data: { id: 'another.setting' } }, 'another.setting')
  if (/^(user|service-account)-/.test(type)) return at(type, { data: { id: 8, name: 'Priya Nair' } }, 'Priya Nair')
  if (type.startsWith('tag-') && !type.startsWith('tag-type')) {
    return at(type, { data: { type: 'team', value: 'pay' } }, 'team:pay')
  }
  return at(type, { data: { name: 'the-name', tokenName: 'the-name' } }, 'the-name')
}

const at = (type: string, more: Partial<Event>, mentions: string) => ({ event: toEvent(type, more), mentions })

const TYPES = Object.keys(EVENTS).flatMap((type) => LANGUAGES.map((language) => ({ type, language })))

describe('the sentence of an event', () => {
  test.each(TYPES)('names the object of $type in $language', ({ type, language }) => {
    const { event, mentions } = sample(type)
    const sentence = describeText(event, language)
    expect(sentence).toContain(mentions)
    expect(sentence).not.toContain(type)
    expect(sentence).not.toMatch(/[{}[\]]| {2}/)
    expect(sentence).not.toContain(SENTENCE_TEXTS[language].other.split('{')[0])
  })

  test.each([
    { type: 'setting-updated', data: { id: 'auth.simple', disabled: true }, says: 'disabled password logins' },
    { type: 'setting-created', data: { id: 'auth.oidc', enabled: true }, says: 'enabled single sign-on' },
    {
      type: 'setting-updated',
      data: { id: 'auth.oidc', enabled: true, acrValues: 'x' },
      preData: { id: 'auth.oidc', enabled: true },
      says: 'changed the single sign-on settings',
    },
    { type: 'setting-updated', data: { id: 'maintenance.mode', enabled: false }, says: 'turned off maintenance mode' },
    {
      type: 'setting-updated',
      data: { id: 'scim', enabled: true, tokenChanged: true },
      says: 'created a new SCIM token',
    },
    {
      type: 'feature-strategy-update',
      featureName: 'search',
      environment: 'production',
      preData: { parameters: { rollout: '100' } },
      data: { parameters: { rollout: '5' } },
      says: 'lowered search in production from 100% to 5%',
    },
    {
      type: 'feature-strategy-update',
      featureName: 'search',
      environment: 'production',
      preData: { parameters: { rollout: '5' }, disabled: false },
      data: { parameters: { rollout: '5' }, disabled: true },
      says: 'disabled a strategy of search in production',
    },
    { type: 'user-updated', data: { name: 'Priya', resetLinkMade: true }, says: 'created a password link for Priya' },
    {
      type: 'change-request-configuration-updated',
      project: 'shop',
      environment: 'production',
      data: { changeRequestsEnabled: true },
      says: 'required change requests in production of project shop',
    },
    { type: 'feature-tagged', featureName: 'a', data: { type: 'team', value: 'pay' }, says: 'tagged a with team:pay' },
    {
      type: 'feature-project-change',
      featureName: 'a',
      data: { oldProject: 'x', newProject: 'y' },
      says: 'moved a from project x to y',
    },
    { type: 'made-by-a-later-version', featureName: 'a', says: 'made a change: made-by-a-later-version, a' },
  ])('says: $says', ({ type, says, ...more }) => {
    expect(describeText(toEvent(type, more))).toBe(says)
  })
})

describe('a run of events', () => {
  const make = (id: number, more: Partial<Event> = {}) =>
    toEvent('feature-created', { id, featureName: `flag-${id}`, createdAt: '2026-03-01T12:00:00.000', ...more })

  test('folds three or more of one type by one author on one day, and keeps the id of the oldest', () => {
    const events = [
      make(9, { createdBy: 'lucas', createdByUserId: 8 }),
      ...[8, 7, 6].map((id) => make(id)),
      ...[5, 4].map((id) => make(id, { type: 'feature-archived' })),
      ...[3, 2, 1].map((id) => make(id, { createdAt: '2026-02-28T12:00:00.000' })),
    ]
    const days = groupEvents(events).map(({ day, runs }) => [day, runs.map((run) => [run.id, run.events.length])])
    expect(days).toEqual([
      [
        '2026-03-01',
        [
          [9, 1],
          [6, 3],
          [5, 1],
          [4, 1],
        ],
      ],
      ['2026-02-28', [[1, 3]]],
    ])
  })

  test.each([
    { type: 'feature-created', en: 'created 3 flags', de: 'hat 3 Flags erstellt' },
    {
      type: 'tag-type-created',
      en: 'made 3 changes: Tag type created, flag-1',
      de: 'hat 3 Änderungen vorgenommen: Tag-Typ erstellt, flag-1',
    },
  ])('states how many $type events it has', ({ type, en, de }) => {
    const events = [1, 2, 3].map((id) => make(id, { type, featureName: 'flag-1' }))
    expect(joinParts(describeRun(events, getTexts('en')))).toBe(en)
    expect(joinParts(describeRun(events, getTexts('de')))).toBe(de)
  })
})

test.each([
  ['parameters.rollout', 'Rollout'],
  ['constraints.0.values', 'Constraint 1 · Values'],
  ['somethingNew', 'somethingNew'],
])('the path %s is named %s', (path, name) => {
  expect(nameField(path, { rollout: 'Rollout', constraints: 'Constraint', values: 'Values' })).toBe(name)
})
