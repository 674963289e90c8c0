import type { StateDocument } from '@burgee/protocol/administration/state'

/** Part of a document that restricts the audience, but that an import would ignore. */
export interface DocumentProblem {
  /** Path in the document, for example `features/0`. */
  readonly path: string
  readonly message: string
}

const FIRST_WITH_ENVIRONMENTS = 3
const NEWEST = 4

/**
 * Finds parts that the document's version does not support, and references to objects that the document does not
 * contain. An import that would ignore such a part must fail.
 */
export function findStateProblems(document: StateDocument): DocumentProblem[] {
  const isOld = (document.version ?? NEWEST) < FIRST_WITH_ENVIRONMENTS
  const own = isOld ? findListProblems(document) : [...findFeatureProblems(document), ...findVariantProblems(document)]
  return [...own, ...findLinkProblems(document), ...findStrayProblems(document), ...findDuplicateProblems(document)]
}

/**
 * Finds lists that versions 1 and 2 do not have, and flags without strategies. In versions 1 and 2, flags contain their
 * strategies.
 */
function findListProblems(document: StateDocument): DocumentProblem[] {
  const lists = ['featureStrategies', 'featureEnvironments', 'featureStrategySegments', 'segments'] as const
  const ignored = lists
    .filter((name) => (document[name] ?? []).length > 0)
    .map((name) => ({
      path: name,
      message: `"${name}" is supported from version 3 on, but the document has an older version`,
    }))
  const incomplete = (document.features ?? []).flatMap(({ name, enabled, strategies }, index) =>
    enabled === true && strategies === undefined
      ? [
          {
            path: `features/${index}`,
            message: `flag "${name}" is on but has no list "strategies", so its users are unknown`,
          },
        ]
      : [],
  )
  return [...ignored, ...incomplete]
}

/**
 * Finds flags that contain their own state or strategies. From version 3 on, states and strategies are in separate
 * lists, so such flags come from an SDK download.
 */
function findFeatureProblems({ features = [] }: StateDocument): DocumentProblem[] {
  return features.flatMap(({ name, enabled, strategies = [] }, index) =>
    enabled === true || strategies.length > 0
      ? [
          {
            path: `features/${index}`,
            message: `flag "${name}" contains its own state and strategies, which only versions 1 and 2 support. To import what SDKs download, use \`burgee import --from-client-features\``,
          },
        ]
      : [],
  )
}

function findLinkProblems({ featureStrategies = [], featureStrategySegments = [] }: StateDocument): DocumentProblem[] {
  const known = new Set(featureStrategies.map(({ id }) => id))
  return featureStrategySegments.flatMap(({ featureStrategyId, segmentId }, index) =>
    known.has(featureStrategyId)
      ? []
      : [
          {
            path: `featureStrategySegments/${index}`,
            message: `segment ${segmentId} is of a strategy "${featureStrategyId}" that the document does not have`,
          },
        ],
  )
}

/** Finds variants of flags that would be ignored, because version 4 reads only the variants of environments. */
function findVariantProblems({
  version = NEWEST,
  features = [],
  featureEnvironments = [],
}: StateDocument): DocumentProblem[] {
  const places = Map.groupBy(featureEnvironments, ({ featureName }) => featureName)
  return features.flatMap(({ name, variants }, index) => {
    const own = places.get(name) ?? []
    const isRead = version < NEWEST || own.every((place) => !Array.isArray(place.variants))
    if ((variants ?? []).length === 0 || (isRead && own.length > 0)) return []
    const message =
      own.length === 0
        ? `flag "${name}" has variants, but no environment in "featureEnvironments" to store them in`
        : `flag "${name}" has its own variants and variants in its environments: version 4 uses only the variants of the environments`
    return [{ path: `features/${index}/variants`, message }]
  })
}

/** Finds strategies and states whose flags are missing in the document. */
function findStrayProblems({
  features = [],
  featureStrategies = [],
  featureEnvironments = [],
}: StateDocument): DocumentProblem[] {
  const known = new Set(features.map(({ name }) => name))
  const strayIn = (path: string, rows: readonly { readonly featureName: string }[]): DocumentProblem[] =>
    rows.flatMap(({ featureName }, index) =>
      known.has(featureName)
        ? []
        : [{ path: `${path}/${index}`, message: `it is of flag "${featureName}", which the document does not have` }],
    )
  return [...strayIn('featureStrategies', featureStrategies), ...strayIn('featureEnvironments', featureEnvironments)]
}

/** Finds duplicate objects, because only one of them could be imported. */
function findDuplicateProblems(document: StateDocument): DocumentProblem[] {
  const { features = [], featureEnvironments = [], featureStrategies = [], segments = [] } = document
  return [
    ...findDuplicates('features', features, ({ name }) => `flag "${name}"`),
    ...findDuplicateStates(featureEnvironments),
    ...findDuplicates('featureStrategies', featureStrategies, ({ id }) =>
      id === undefined ? undefined : `strategy "${id}"`,
    ),
    ...findDuplicates('segments', segments, ({ id }) => `segment ${id}`),
  ]
}

/**
 * Finds duplicate states by comparing flag and environment. Does not build a string key for each state, because the
 * keys of millions of states would need much memory.
 */
function findDuplicateStates(rows: NonNullable<StateDocument['featureEnvironments']>): DocumentProblem[] {
  const seen = new Map<string, Set<string>>()
  return rows.flatMap(({ featureName, environment }, index) => {
    const environments = seen.get(featureName) ?? new Set()
    seen.set(featureName, environments)
    const isKnown = environments.has(environment)
    environments.add(environment)
    if (!isKnown) return []
    const text = `the state of flag "${featureName}" in environment "${environment}"`
    return [{ path: `featureEnvironments/${index}`, message: `${text} occurs more than once` }]
  })
}

function findDuplicates<T>(
  path: string,
  rows: readonly T[],
  describe: (row: T) => string | undefined,
): DocumentProblem[] {
  const seen = new Set<string>()
  return rows.flatMap((row, index) => {
    const text = describe(row)
    if (text === undefined) return []
    if (seen.has(text)) return [{ path: `${path}/${index}`, message: `${text} occurs more than once` }]
    seen.add(text)
    return []
  })
}
