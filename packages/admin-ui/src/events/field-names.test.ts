import { CreateFeature } from '@burgee/protocol/admin-feature'
import { LinkInput, LinkTemplateInput } from '@burgee/protocol/administration/feature-link'
import { GroupInput } from '@burgee/protocol/administration/group'
import { IntegrationInput } from '@burgee/protocol/administration/integration'
import { PrometheusSettings } from '@burgee/protocol/administration/prometheus-source'
import { ProgressionInput, ReleasePlanInput, ReleaseTemplateInput } from '@burgee/protocol/administration/release-plan'
import { RoleInput } from '@burgee/protocol/administration/role'
import { SafeguardInput } from '@burgee/protocol/administration/safeguard'
import { ScimSettings } from '@burgee/protocol/administration/scim'
import { OidcSettings } from '@burgee/protocol/administration/single-sign-on'
import { CreateEnvironment } from '@burgee/protocol/environment'
import { CreateProject } from '@burgee/protocol/project'
import { CreateContextField } from '@burgee/protocol/targeting/context-field'
import { SegmentInput } from '@burgee/protocol/targeting/segment'
import { StrategyInput } from '@burgee/protocol/targeting/strategy'
import { CreateStrategyType } from '@burgee/protocol/targeting/strategy-type'
import { VariantInput } from '@burgee/protocol/targeting/variant'
import { expect, test } from 'vitest'
import { FIELD_NAMES, nameField } from './field-names.ts'

/** Resources whose fields events contain, before and after a change. */
const RESOURCES = {
  CreateContextField,
  CreateEnvironment,
  CreateFeature,
  CreateProject,
  CreateStrategyType,
  GroupInput,
  IntegrationInput,
  LinkInput,
  LinkTemplateInput,
  OidcSettings,
  ProgressionInput,
  PrometheusSettings,
  ReleasePlanInput,
  ReleaseTemplateInput,
  RoleInput,
  SafeguardInput,
  ScimSettings,
  SegmentInput,
  StrategyInput,
  VariantInput,
}

/** Fields of responses that no event contains. */
const NOT_IN_EVENTS = ['isSetByEnvironment', 'isTested']

/** Returns the names of all properties of a schema, at every depth. */
function listProperties(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, items, anyOf = [] } = schema as { properties?: object; items?: unknown; anyOf?: unknown[] }
  return [
    ...Object.entries(properties).flatMap(([name, inner]) => [name, ...listProperties(inner)]),
    ...[items, ...anyOf].flatMap(listProperties),
  ]
}

test.each(Object.entries(RESOURCES))('all fields of %s have a readable name in every language', (_name, schema) => {
  const fields = listProperties(schema).filter((field) => !NOT_IN_EVENTS.includes(field))
  expect(fields).not.toEqual([])
  for (const names of [FIELD_NAMES.en, FIELD_NAMES.de]) {
    expect(fields.filter((field) => field !== 'parameters' && !Object.hasOwn(names, field))).toEqual([])
  }
})

test('the fields of a safeguard are named by words', () => {
  expect(nameField('safeguards.0.triggerCondition.threshold', FIELD_NAMES.en)).toBe(
    'Safeguard 1 · Condition · Threshold',
  )
})
