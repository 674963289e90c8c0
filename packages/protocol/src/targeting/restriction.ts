/**
 * Names of properties that restrict who gets a flag, in this server's API and those of other services. A body is
 * rejected if it has one that its schema does not declare. Ignoring it would turn the flag on for more users than
 * intended.
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

/** Schema option for a flag, strategy, constraint, variant or segment: rejects undeclared RESTRICTIONS. */
export const NO_IGNORED_RESTRICTION = { 'x-never-ignored': RESTRICTIONS } as const
