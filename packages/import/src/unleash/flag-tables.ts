/** Table that links strategies to the segments they use. */
export const SEGMENTS_OF_STRATEGIES = {
  name: 'feature_strategy_segment',
  columns: { feature_strategy_id: 'text', segment_id: 'number' },
  order: 'feature_strategy_id, segment_id',
} as const

/** Parents of flags. */
export const DEPENDENCIES = {
  name: 'dependent_features',
  columns: { parent: 'text', child: 'text', enabled: 'yes', variants: 'json' },
  order: 'child, parent',
} as const
