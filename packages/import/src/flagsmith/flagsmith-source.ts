import { isObject } from '@burgee/kit/input/is-object'
import type { Note } from '../model/fidelity.ts'
import { type ImportSource, SourceRefused } from '../model/source.ts'
import { createFlag } from '../model/source-defaults.ts'
import { createInTest } from '../rules/attribute-tests.ts'
import { ALWAYS } from '../rules/condition.ts'
import { createOnOutcome, OFF, type OrderedRule, type Outcome } from '../rules/ordered-rules.ts'
import { buildRulesInstallation } from '../rules/rules-installation.ts'
import { compileState } from '../rules/rules-state.ts'
import { toVariant } from '../rules/typed-values.ts'
import { readObject } from '../unleash/documents/read-document.ts'
import { createFileSource, createOrigin, type EnvironmentFile } from '../unleash/documents/unleash-files.ts'
import { findUnreadKey, toObjects, toSegmentCondition } from './segment-rules.ts'

type Json = Readonly<Record<string, unknown>>

const WHOLE = 100
const LAST_PRIORITY = 1_000_000

/** Creates a source for Flagsmith: the environment document that its SDKs evaluate locally. */
export function createFlagsmithSource(place: EnvironmentFile, clock: () => number): ImportSource {
  const { path, project, environment } = place
  return createFileSource(async () => {
    const document = await readObject(place, ['flagsmith'])
    if (!Array.isArray(document.feature_states)) {
      throw new SourceRefused(
        `${path} has no list "feature_states": is it the document of an environment of Flagsmith?`,
      )
    }
    requireWhole(document, path)
    const notes: Note[] = []
    const flags = toObjects(document.feature_states).map((state) => {
      const flag = getFeatureName(state)
      if (flag === undefined) throw new SourceRefused(`a state of ${path} has no feature`)
      const rules = [
        ...listIdentityRules(document, flag),
        ...listSegmentRules(document, flag),
        { when: ALWAYS, gives: toOutcome(state) },
      ]
      const made = compileState({ flag, environment, rules })
      notes.push(...made.notes, ...listStateNotes(document, state, `${flag} in ${environment}`))
      return createFlag({ name: flag, project, createdAt: clock(), states: [made.state] })
    })
    return buildRulesInstallation(createOrigin('document of Flagsmith', path, clock), {
      flags,
      segments: [],
      notes,
      environments: [environment],
    })
  })
}

function getFeatureName({ feature }: Json): string | undefined {
  return isObject(feature) && typeof feature.name === 'string' ? feature.name : undefined
}

/** Returns the overrides of single identities, which take precedence. */
function listIdentityRules(document: Json, flag: string): OrderedRule[] {
  return toObjects(document.identity_overrides).flatMap((identity) =>
    toObjects(identity.identity_features)
      .filter((state) => getFeatureName(state) === flag)
      .map((state) => ({
        when: createInTest('userId', [identity.identifier]),
        gives: toOutcome(state),
        title: 'identity override',
      })),
  )
}

/** Returns the segment overrides, in priority order: the lowest number first. */
function listSegmentRules(document: Json, flag: string): OrderedRule[] {
  const segments = toObjects(isObject(document.project) ? document.project.segments : [])
  const found = segments.flatMap((segment) =>
    toObjects(segment.feature_states)
      .filter((state) => getFeatureName(state) === flag)
      .map((state) => ({ segment, state })),
  )
  return found
    .sort((a, b) => getPriority(a.state) - getPriority(b.state) || Number(a.segment.id) - Number(b.segment.id))
    .map(({ segment, state }) => ({
      when: toSegmentCondition(segment),
      gives: toOutcome(state),
      title: `segment ${String(segment.name)}`,
    }))
}

function getPriority({ feature_segment: place }: Json): number {
  return isObject(place) ? Number(place.priority ?? LAST_PRIORITY) : LAST_PRIORITY
}

/**
 * Converts a feature state. Each option gets its percentage, and the value of the state itself gets the remainder of
 * 100 %.
 */
function toOutcome(state: Json): Outcome {
  if (state.enabled !== true) return OFF
  let left = WHOLE
  const options = sortOptions(toObjects(state.multivariate_feature_state_values)).map((option) => {
    const share = Math.min(left, Math.max(0, Number(option.percentage_allocation) || 0))
    left -= share
    return {
      value: isObject(option.multivariate_feature_option) ? option.multivariate_feature_option.value : null,
      share,
    }
  })
  const taken = options.reduce((sum, { share }) => sum + share, 0)
  const parts = [...options, { value: state.feature_state_value, share: Math.max(0, WHOLE - taken) }].filter(
    ({ share }) => share > 0,
  )
  const [only] = parts
  // Flagsmith applies options to identities only
  const missing = createOnOutcome(toOptionalVariant(state.feature_state_value))
  if (only !== undefined && parts.length === 1)
    return { ...createOnOutcome(toOptionalVariant(only.value)), stickiness: 'userId', missing }
  const merged = new Map(parts.map(({ value }) => [JSON.stringify(value ?? null), { value, share: 0 }]))
  for (const { value, share } of parts) {
    const own = merged.get(JSON.stringify(value ?? null))
    if (own !== undefined) own.share += share
  }
  return {
    on: [...merged.values()].map(({ value, share }) => ({
      variant: toOptionalVariant(value) ?? toVariant({ name: 'no value', value: '' }, 0),
      share,
    })),
    offShare: 0,
    stickiness: 'userId',
    missing,
  }
}

/** Sorts options by id if all have an id. The order matters, because options beyond a total of 100 % are ignored. */
function sortOptions(options: readonly Json[]): readonly Json[] {
  const haveIds = options.every(({ id }) => typeof id === 'number')
  return haveIds ? options.toSorted((a, b) => Number(a.id) - Number(b.id)) : options
}

function toOptionalVariant(value: unknown): ReturnType<typeof toVariant> | undefined {
  if (value === null || value === undefined || value === '') return undefined
  return toVariant({ name: typeof value === 'string' ? value : JSON.stringify(value), value }, 0)
}

const STATE_KEYS = [
  ...['feature', 'enabled', 'feature_state_value', 'multivariate_feature_state_values', 'feature_segment'],
  ...['featurestate_uuid', 'django_id', 'id', 'identity', 'identity_id', 'environment', 'environment_id', 'uuid'],
  ...['created_at', 'updated_at', 'live_from', 'version'],
]

/** Throws SourceRefused if a property that affects evaluation is missing from the document. */
function requireWhole(document: Json, path: string): void {
  const { project, identity_overrides: overrides = [] } = document
  if (!isObject(project) || !Array.isArray(project.segments))
    throw new SourceRefused(`"project" of ${path} has no list "segments"`)
  if (!Array.isArray(overrides)) throw new SourceRefused(`"identity_overrides" of ${path} is not a list`)
  const states = [
    document.feature_states,
    ...toObjects(project.segments).map((segment) => segment.feature_states ?? []),
    ...toObjects(overrides).map((identity) => identity.identity_features ?? []),
  ]
  for (const list of states) {
    if (!Array.isArray(list) || !list.every((one) => isObject(one) && typeof one.enabled === 'boolean'))
      throw new SourceRefused(`a state of ${path} has no "enabled"`)
  }
  const all = [...project.segments, ...overrides]
  if (!all.every(isObject)) throw new SourceRefused(`a segment or an identity of ${path} is not an object`)
}

function listStateNotes(document: Json, state: Json, name: string): Note[] {
  const note = (words: string): Note => ({ kind: 'flag', name, fidelity: 'approximated', words })
  const feature = getFeatureName(state)
  const all = [
    state,
    ...[document.identity_overrides, isObject(document.project) ? document.project.segments : []]
      .flatMap(toObjects)
      .flatMap((owner) => [...toObjects(owner.identity_features), ...toObjects(owner.feature_states)])
      .filter((one) => getFeatureName(one) === feature),
  ]
  const unread = all.map((one) => findUnreadKey(one, STATE_KEYS)).find((key) => key !== undefined)
  // a disabled flag has no value here
  const hasDarkValue = all.some(
    ({ enabled, feature_state_value: value }) =>
      enabled !== true && value !== null && value !== undefined && value !== '',
  )
  return [
    ...(unread === undefined ? [] : [note(`"${unread}" of its state is ignored`)]),
    ...(hasDarkValue
      ? [
          note(
            'it is disabled with a value, which Flagsmith returns nevertheless: here, a flag that is off has no value',
          ),
        ]
      : []),
  ]
}
