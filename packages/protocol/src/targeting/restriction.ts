/**
 * Names of properties that restrict the audience of a flag, in the API of this server and of other services. A request
 * body that contains a property with one of these names is rejected if its schema does not declare the property. If the
 * property were ignored instead, the flag would be on for more users than intended.
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

/**
 * Schema option for a flag, strategy, constraint, variant or segment that makes it reject the RESTRICTIONS that it does
 * not declare.
 */
export const NO_IGNORED_RESTRICTION = { 'x-never-ignored': RESTRICTIONS } as const
