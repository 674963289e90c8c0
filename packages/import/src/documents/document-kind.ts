import { isObject } from '@burgee/kit/input/is-object'
import { SourceRefused } from '../model/source.ts'

type Json = Readonly<Record<string, unknown>>

/** Kind of a document that contains feature flags. */
export type DocumentKind = keyof typeof KINDS

interface Shape {
  /** Description for users. */
  readonly name: string
  /** Hint for users, usually which import command reads this kind. */
  readonly read: string
  /** Returns true for a value with the shape of this kind, even if the value is otherwise invalid. */
  readonly matches: (value: unknown) => boolean
}

/** Names of the lists that, besides flags, appear only in admin exports of an Unleash server. */
const STATE_LISTS = ['projects', 'tagTypes', 'strategies', 'environments', 'tags']
const LINK_LISTS = ['featureStrategies', 'featureEnvironments', 'featureStrategySegments']

/** Properties by which each kind of document is recognized, and the import that reads the kind. */
const KINDS = {
  state: {
    name: 'the state of an Unleash server',
    read: '`--from-unleash-state` reads it',
    matches: (value) =>
      isObject(value) &&
      !hasQueryEcho(value) &&
      !hasDownloadSegments(value) &&
      ('version' in value ? hasFeatures(value) : isUnversionedState(value)),
  },
  export: {
    name: 'an export of an Unleash server',
    read: '`--from-unleash-export` reads it',
    matches: (value) =>
      isObject(value) && !('version' in value) && LINK_LISTS.some((name) => Array.isArray(value[name])),
  },
  download: {
    name: 'a download of Unleash SDKs',
    read: '`--from-client-features` reads it',
    matches: (value) =>
      Array.isArray(value) ? value.length > 0 && isDownload({ features: value }) : isDownload(value),
  },
  backup: {
    name: 'the backup of an edge',
    read: '`--from-client-features` reads it',
    matches: (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((pair) => Array.isArray(pair) && pair.length === 2 && isObject(pair[1])),
  },
  launchdarkly: {
    name: 'a file of LaunchDarkly',
    read: '`--from-launchdarkly` reads it',
    matches: (value) =>
      isObject(value) && (isObject(value.flagValues) || hasFlags(value, ['variations', 'fallthrough', 'offVariation'])),
  },
  'launchdarkly payload': {
    name: 'flag data of LaunchDarkly SDKs',
    read: '`--from-launchdarkly` reads it',
    matches: (value) => isObject(value) && isObject(value.data) && isObject(value.data.flags),
  },
  'launchdarkly list': {
    name: 'a list of the API of LaunchDarkly',
    read: '`--from-launchdarkly` reads it',
    matches: (value) => isObject(value) && Array.isArray(value.items),
  },
  flagd: {
    name: 'a file of flagd',
    read: '`--from-flagd` reads it',
    matches: (value) =>
      isObject(value) && ('$evaluators' in value || hasFlags(value, ['state', 'defaultVariant', 'targeting'])),
  },
  flagsmith: {
    name: 'the document of an environment of Flagsmith',
    read: '`--from-flagsmith` reads it',
    matches: (value) => isObject(value) && Array.isArray(value.feature_states),
  },
  manifest: {
    name: 'a manifest of OpenFeature',
    read: 'it has no rules to import, and `openfeature push` adds its flags',
    matches: (value) => isObject(value) && (hasFlags(value, ['flagType']) || isManifestList(value.flags)),
  },
} as const satisfies Record<string, Shape>

/**
 * Throws SourceRefused for a document that is clearly of a kind the caller does not accept. Accepts a document of an
 * accepted kind, and a document whose kind cannot be recognized. The import source then validates the document.
 */
export function requireKind(value: unknown, wanted: readonly DocumentKind[], path: string): void {
  const found = (Object.keys(KINDS) as DocumentKind[]).filter((kind) => KINDS[kind].matches(value))
  const [first] = found
  if (first === undefined || found.some((kind) => wanted.includes(kind))) return
  const { name, read } = KINDS[first]
  throw new SourceRefused(`${path} looks like ${name}: ${read}`)
}

function hasFeatures({ features }: Json): boolean {
  return Array.isArray(features)
}

/**
 * Returns true for an exported state without a version. Without a version, the state is recognized by its lists of
 * links between objects. Unlike an export, such a state has no `contextFields`.
 */
function isUnversionedState(value: Json): boolean {
  return LINK_LISTS.some((name) => Array.isArray(value[name])) && !('contextFields' in value)
}

/** Returns true for an SDK download, which repeats the query. */
function hasQueryEcho(value: Json): boolean {
  return 'query' in value || 'meta' in value
}

/**
 * Returns true if a document has a list of segments, and its flags contain their strategies. Exported states of
 * versions 1 and 2 have no segments.
 */
function hasDownloadSegments(value: Json): boolean {
  return Array.isArray(value.segments) && hasStrategies(value)
}

function hasStrategies({ features }: Json): boolean {
  const list: readonly unknown[] = Array.isArray(features) ? features : []
  return list.some((one) => isObject(one) && (Array.isArray(one.strategies) || typeof one.enabled === 'boolean'))
}

function isDownload(value: unknown): boolean {
  if (!isObject(value) || !hasFeatures(value)) return false
  if (LINK_LISTS.some((name) => name in value) || STATE_LISTS.some((name) => name in value)) return false
  return hasQueryEcho(value) || hasStrategies(value) || (Array.isArray(value.features) && value.features.length === 0)
}

function hasFlags({ flags }: Json, names: readonly string[]): boolean {
  if (!isObject(flags)) return false
  return Object.values(flags).some((flag) => isObject(flag) && names.some((name) => name in flag))
}

function isManifestList(flags: unknown): boolean {
  return Array.isArray(flags) && flags.some((flag) => isObject(flag) && 'key' in flag && 'defaultValue' in flag)
}
