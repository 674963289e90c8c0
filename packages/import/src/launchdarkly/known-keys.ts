import type { Condition } from '../rules/condition.ts'

type Json = Readonly<Record<string, unknown>>

/** Known keys of LaunchDarkly documents, by part. Keys that begin with `_` are metadata. */
const KNOWN = {
  flag: [
    ...['key', 'version', 'on', 'variations', 'offVariation', 'targets', 'contextTargets', 'rules', 'fallthrough'],
    ...['prerequisites', 'salt', 'sel', 'deleted', 'archived', 'trackEvents', 'trackEventsFallthrough'],
    ...['debugEventsUntilDate', 'clientSide', 'clientSideAvailability', 'samplingRatio', 'migration'],
    ...['excludeFromSummaries', 'lastModified', 'migrationSettings'],
  ],
  rule: ['id', 'ref', 'description', 'clauses', 'variation', 'rollout', 'trackEvents', 'disabled'],
  clause: ['attribute', 'op', 'values', 'negate', 'contextKind'],
  rollout: ['kind', 'variations', 'bucketBy', 'contextKind', 'seed', 'experimentAllocation'],
  target: ['values', 'variation', 'contextKind'],
  prerequisite: ['key', 'variation'],
  segment: [
    ...['key', 'name', 'description', 'tags', 'version', 'included', 'excluded', 'includedContexts'],
    ...['excludedContexts', 'rules', 'salt', 'unbounded', 'unboundedContextKind', 'generation', 'deleted'],
    ...['creationDate', 'lastModifiedDate'],
  ],
  'rule of a segment': ['id', 'clauses', 'weight', 'bucketBy', 'rolloutContextKind', 'description'],
} as const satisfies Record<string, readonly string[]>

/**
 * Returns an unknown condition that names the first unknown key, or undefined if all keys are known. An unknown key
 * could restrict the audience.
 */
export function findUnreadKey(part: keyof typeof KNOWN, json: Json): { readonly unknown: string } | undefined {
  const known: readonly string[] = KNOWN[part]
  const key = Object.keys(json).find((name) => !name.startsWith('_') && !known.includes(name))
  return key === undefined
    ? undefined
    : ({ unknown: `a ${part} has "${key}", which is not supported` } satisfies Condition)
}
