/**
 * Names of properties that restrict who gets a flag, of this server's API and of other services'. A body that has one where
 * the schema does not declare it is rejected: it would be ignored, and the flag open for more people than its sender means.
 */
export const RESTRICTIONS = [
  ...['strategies', 'featureStrategies', 'segments', 'segment', 'segmentIds', 'featureStrategySegments'],
  ...['constraints', 'constraint', 'conditions', 'condition', 'rules', 'rule', 'targeting', 'filters', 'audiences'],
  ...['dependencies', 'dependency', 'parents', 'parent', 'prerequisites'],
  ...[
    'disabled',
    '!enabled',
    'archived',
    'archivedAt',
    'stickiness',
    'overrides',
    'parameters',
    'rollout',
    'percentage',
  ],
  ...['contextName', 'operator', 'inverted', 'caseInsensitive'],
] as const

/** Options of the schema of a flag, strategy, constraint, variant or segment: none of RESTRICTIONS is ignored in it. */
export const NO_IGNORED_RESTRICTION = { 'x-never-ignored': RESTRICTIONS } as const
