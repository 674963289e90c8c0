import type { Event, EventType } from '@burgee/protocol/event'
import type { ChangeScope } from '../proposals/skipped-guards.ts'

/** Types of environment events for which undoing changes flag values in that environment. */
const ENVIRONMENT_EVENTS: ReadonlySet<EventType> = new Set([
  'feature-environment-enabled',
  'feature-environment-disabled',
  'feature-strategy-add',
  'feature-strategy-update',
  'feature-strategy-remove',
  'strategy-order-changed',
  'feature-environment-variants-updated',
])

/**
 * Returns the environments or projects in which undoing an event would change flag values. Used to check whether change
 * requests protect them.
 */
export function getUndoScopes({ type, project, environment, data }: Event): ChangeScope[] {
  if (project === null) return []
  if (type === 'feature-revived') return [{ project }]
  if (type === 'feature-project-change') return [{ project: (data as { oldProject: string }).oldProject }, { project }]
  return environment !== null && ENVIRONMENT_EVENTS.has(type as EventType) ? [{ project, environment }] : []
}
