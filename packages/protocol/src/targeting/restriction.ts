/**
 * Options of the schema of a flag, strategy, constraint, variant or segment: properties that restrict who gets a flag are never
 * ignored. Where the schema does not declare one of these names, a body that has it is rejected.
 */
export const NO_IGNORED_RESTRICTION = {
  'x-never-ignored': [
    ...['segments', 'segmentIds', 'featureStrategySegments', 'constraints', 'conditions', 'rules', 'targeting'],
    ...['dependencies', 'dependency', 'parents', 'parent', 'prerequisites'],
    ...['disabled', 'archived', 'archivedAt', 'stickiness', 'overrides', 'parameters', 'rollout', 'percentage'],
    ...['contextName', 'operator', 'inverted', 'caseInsensitive'],
  ],
} as const
