import type { Touch } from '@burgee/serving/document/touch-log'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { getReads } from './pending-reads.ts'

/** Returns the flags and projects that an event affects, and its kind: single flags, segments or everything. */
export function getTouch(event: StoredEvent): Touch {
  const { id, featureName: flag, project, data, preData } = event
  const projects = [project, ...listProjects(data), ...listProjects(preData)].filter((one) => typeof one === 'string')
  const { flags, segments } = getReads(event)
  const touched = new Map(flag === null ? [] : [[flag, projects]])
  return { id, flags: touched, scope: flags === 'all' ? 'all' : segments ? 'segments' : 'flags' }
}

/** Returns the projects named in an event's state; for a flag moved between projects, includes the previous project. */
function listProjects(state: unknown): unknown[] {
  if (typeof state !== 'object' || state === null) return []
  return ['oldProject', 'newProject', 'project'].map((key) => (state as Record<string, unknown>)[key])
}
