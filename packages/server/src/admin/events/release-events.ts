import type { EventType } from '@burgee/protocol/event'

const TEMPLATE = '/api/admin/release-plan-templates/:templateId'
const FLAG = '/api/admin/projects/:projectId/features/:featureName'
const ENVIRONMENT = `${FLAG}/environments/:environment`
const CHARTED = ['impact-metric-created', 'impact-metric-updated'] as const
const EDITED = ['release-plan-template-updated'] as const
const ADDED = ['release-plan-added', 'feature-strategy-add'] as const
const REMOVED = ['release-plan-removed', 'feature-strategy-remove', 'feature-environment-disabled'] as const

/** Event types about release plans that applying a change request can write. */
export const REQUESTED_RELEASE_EVENTS = [
  'release-plan-added',
  'release-plan-removed',
  'release-plan-milestone-started',
  'release-plan-progressions-resumed',
  'milestone-progression-created',
  'milestone-progression-updated',
  'milestone-progression-deleted',
  'safeguard-changed',
  'safeguard-deleted',
] as const satisfies readonly EventType[]

/** Event types written by operations on release templates and plans, keyed by method and path. */
export const RELEASE_EVENTS: Readonly<Record<string, readonly EventType[]>> = {
  'POST /api/admin/impact-metrics/config': CHARTED,
  'DELETE /api/admin/impact-metrics/config/:id': ['impact-metric-deleted'],
  [`POST ${FLAG}/impact-metrics/config`]: CHARTED,
  [`DELETE ${FLAG}/impact-metrics/config/:id`]: ['impact-metric-deleted'],
  'PUT /api/admin/impact-metrics/prometheus': ['setting-created', 'setting-updated'],
  'POST /api/admin/release-plan-templates': ['release-plan-template-created'],
  'POST /api/admin/release-plan-templates/archive/:templateId': ['release-plan-template-archived'],
  [`PUT ${TEMPLATE}`]: EDITED,
  [`DELETE ${TEMPLATE}`]: ['release-plan-template-deleted'],
  [`POST ${TEMPLATE}/milestones`]: EDITED,
  [`PUT ${TEMPLATE}/milestones/:milestoneId`]: EDITED,
  [`DELETE ${TEMPLATE}/milestones/:milestoneId`]: EDITED,
  [`POST ${TEMPLATE}/milestones/:milestoneId/strategies`]: EDITED,
  [`PUT ${TEMPLATE}/milestones/:milestoneId/strategies/:strategyId`]: EDITED,
  [`DELETE ${TEMPLATE}/milestones/:milestoneId/strategies/:strategyId`]: EDITED,
  [`POST ${ENVIRONMENT}/release-plans`]: ADDED,
  [`POST ${ENVIRONMENT}/release_plans`]: ADDED,
  [`DELETE ${ENVIRONMENT}/release-plans/:planId`]: REMOVED,
  [`DELETE ${ENVIRONMENT}/release_plans/:planId`]: REMOVED,
  [`POST ${ENVIRONMENT}/release-plans/:planId/milestones/:milestoneId/start`]: [
    'release-plan-milestone-started',
    'feature-strategy-add',
    'feature-strategy-remove',
  ],
  [`PUT ${ENVIRONMENT}/progressions/:sourceMilestoneId`]: [
    'milestone-progression-created',
    'milestone-progression-updated',
  ],
  [`DELETE ${ENVIRONMENT}/progressions/:sourceMilestoneId`]: ['milestone-progression-deleted'],
  'POST /api/admin/signal-endpoints': ['signal-endpoint-created'],
  'DELETE /api/admin/signal-endpoints/:name': ['signal-endpoint-deleted'],
  'POST /api/signal-endpoint/:name': [
    'safeguard-tripped',
    'feature-environment-disabled',
    'release-plan-progressions-paused',
    'release-plan-milestone-started',
    'feature-strategy-add',
    'feature-strategy-remove',
  ],
  [`PUT ${ENVIRONMENT}/safeguards`]: ['safeguard-changed'],
  [`DELETE ${ENVIRONMENT}/safeguards/:safeguardId`]: ['safeguard-deleted'],
  [`PUT ${ENVIRONMENT}/release-plans/:planId/safeguards`]: ['safeguard-changed'],
  [`DELETE ${ENVIRONMENT}/release-plans/:planId/safeguards/:safeguardId`]: ['safeguard-deleted'],
  [`POST ${ENVIRONMENT}/progressions/:planId/pause`]: ['release-plan-progressions-paused'],
  [`POST ${ENVIRONMENT}/progressions/:planId/resume`]: ['release-plan-progressions-resumed'],
}
