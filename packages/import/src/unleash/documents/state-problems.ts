import type { StateDocument } from '@burgee/protocol/administration/state'

/** A part of a document that would be ignored although it restricts somebody. */
export interface DocumentProblem {
  /** Place in the document, as in `features/0`. */
  readonly path: string
  readonly message: string
}

const FIRST_WITH_ENVIRONMENTS = 3
const NEWEST = 4

/** Finds what a document says where its version is not read, and references that lead nowhere. Nothing of it may be ignored. */
export function findStateProblems(document: StateDocument): DocumentProblem[] {
  const isOld = (document.version ?? NEWEST) < FIRST_WITH_ENVIRONMENTS
  return [...(isOld ? listProblems(document) : featureProblems(document)), ...linkProblems(document)]
}

/** Versions 1 and 2 keep strategies in their flags. */
function listProblems(document: StateDocument): DocumentProblem[] {
  const lists = ['featureStrategies', 'featureEnvironments', 'featureStrategySegments', 'segments'] as const
  return lists
    .filter((name) => (document[name] ?? []).length > 0)
    .map((name) => ({ path: name, message: `"${name}" counts from version 3 on, and the document is of an older one` }))
}

/** From version 3 on, strategies stand beside flags; a flag that holds them itself is of what SDKs download. */
function featureProblems({ features = [] }: StateDocument): DocumentProblem[] {
  return features.flatMap(({ name, enabled, strategies = [] }, index) =>
    enabled === true || strategies.length > 0
      ? [
          {
            path: `features/${index}`,
            message: `flag "${name}" holds its own state and strategies, which versions 1 and 2 alone do. What SDKs download is imported by \`burgee import --from-client-features\``,
          },
        ]
      : [],
  )
}

function linkProblems({ featureStrategies = [], featureStrategySegments = [] }: StateDocument): DocumentProblem[] {
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
