import type { EventType } from '@burgee/protocol/event'

/** Event types written by operations on agents and their limits, keyed by method and path. */
export const AGENT_EVENTS: Readonly<Record<string, readonly EventType[]>> = {
  'PUT /api/admin/agents/limits/:environment': ['environment-updated'],
  'POST /mcp': [
    'change-added',
    'change-discarded',
    'change-edited',
    'change-request-comment-added',
    'change-request-created',
    'change-request-sent-to-review',
    'feature-created',
    'feature-environment-disabled',
    'feature-environment-enabled',
    'feature-link-added',
    'feature-strategy-add',
    'feature-strategy-remove',
    'feature-strategy-update',
    'release-plan-milestone-started',
    'release-plan-progressions-paused',
    'release-plan-progressions-resumed',
  ],
}
