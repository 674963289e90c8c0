import type { Touch } from '@burgee/serving/document/touch-log'
import type { StoredEvent } from '../../store/events/events.ts'
import { readsAfter } from './pending-reads.ts'

/**
 * Returns the flags and projects that an event affects, and whether it affects single flags, segments or everything.
 */
export function touchOf(event: StoredEvent): Touch {
  const { id, featureName: flag, project, data, preData } = event
  const projects = [project, ...projectsIn(data), ...projectsIn(preData)].filter((one) => typeof one === 'string')
  const { flags, segments } = readsAfter(event)
  const touched = new Map(flag === null ? [] : [[flag, projects]])
  return { id, flags: touched, reach: flags === 'all' ? 'all' : segments ? 'segments' : 'flags' }
}

/** Returns the projects named in an event's state; for a flag moved between projects, includes the previous project. */
function projectsIn(state: unknown): unknown[] {
  if (typeof state !== 'object' || state === null) return []
  return ['oldProject', 'newProject', 'project'].map((key) => (state as Record<string, unknown>)[key])
}
