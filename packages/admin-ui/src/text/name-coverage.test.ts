import { CHANGE_ACTIONS, CHANGE_REQUEST_STATES } from '@burgee/protocol/administration/change-request'
import { IMPACT_AGGREGATIONS } from '@burgee/protocol/administration/impact-reading'
import { PERMISSIONS } from '@burgee/protocol/administration/permission'
import { CLIENT_KINDS } from '@burgee/protocol/sdk/client-kind'
import { IMPACT_TYPES } from '@burgee/protocol/usage/impact-metrics'
import { expect, test } from 'vitest'
import { APPLICATION_TEXTS } from '../applications/texts.ts'
import { REQUEST_TEXTS } from '../change-requests/texts.ts'
import { METRIC_TEXTS } from '../metrics/texts.ts'
import { PROPOSAL_TEXTS } from '../proposals/texts.ts'
import { PERMISSION_NAMES } from '../roles/permission-names.ts'

const LANGUAGES = ['en', 'de'] as const

type Names = Readonly<Record<string, string>>
type GetNames = (language: (typeof LANGUAGES)[number]) => Names

/** Identifiers that the API can return, with the names by which screens show them. */
const CASES: readonly (readonly [what: string, identifiers: readonly string[], names: GetNames])[] = [
  ['permissions', PERMISSIONS.map(({ name }) => name), (language) => PERMISSION_NAMES[language]],
  ['actions of change requests', CHANGE_ACTIONS, (language) => REQUEST_TEXTS[language].actions],
  ['states of change requests', CHANGE_REQUEST_STATES, (language) => REQUEST_TEXTS[language].states],
  ['states of proposals', CHANGE_REQUEST_STATES, (language) => PROPOSAL_TEXTS[language].states],
  ['types of metrics', IMPACT_TYPES, (language) => METRIC_TEXTS[language].types],
  ['aggregations of metrics', IMPACT_AGGREGATIONS, (language) => METRIC_TEXTS[language].aggregations],
  ['kinds of applications', CLIENT_KINDS, (language) => APPLICATION_TEXTS[language].kinds],
]

test.each(CASES)('all %s have a readable name in every language', (_what, identifiers, getNames) => {
  expect(identifiers.length).toBeGreaterThan(2)
  for (const language of LANGUAGES) {
    const names = getNames(language)
    expect(identifiers.filter((one) => !/^\S.+/.test(names[one] ?? '') || /_/.test(names[one] ?? ''))).toEqual([])
    expect(Object.keys(names).filter((one) => !identifiers.includes(one))).toEqual([])
  }
})
