/** A right; without project it holds everywhere, without environment (or with '*') in all environments. */
export interface Grant {
  readonly permission: string
  readonly project?: string
  readonly environment?: string
}

/** What a right is asked for. */
export interface Place {
  /** Left out: is there any project where the right holds? Null: for what belongs to no project, but to all. */
  readonly project?: string | null | undefined
  readonly environment?: string | undefined
}

/**
 * Rights of everywhere that do not reach into projects: for what belongs to a project there is a right of that project
 * instead. Somebody who may change the segments that all share may not, by that, change what one project made its own.
 */
const OF_PROJECT: Readonly<Record<string, string>> = {
  CREATE_SEGMENT: 'UPDATE_PROJECT_SEGMENT',
  UPDATE_SEGMENT: 'UPDATE_PROJECT_SEGMENT',
  DELETE_SEGMENT: 'UPDATE_PROJECT_SEGMENT',
}

/** Names of the rights each of which is enough at a place. */
function enough(permission: string, project: Place['project']): readonly string[] {
  const own = Object.hasOwn(OF_PROJECT, permission) ? OF_PROJECT[permission] : undefined
  if (own === undefined || project === null) return [permission]
  return project === undefined ? [permission, own] : [own]
}

/** The name of the right that is missing at a place, for the person who lacks it. */
export function rightNeeded(permission: string, { project }: Place): string {
  return enough(permission, project)[0] ?? permission
}

/** Whether rights reach: for a place that names no project, whether anywhere. ADMIN is enough for everything. */
export function isGranted(grants: readonly Grant[], permission: string, { project, environment }: Place = {}): boolean {
  const names = enough(permission, project)
  return grants.some(
    (grant) =>
      grant.permission === 'ADMIN' ||
      (names.includes(grant.permission) &&
        (!grant.project || project === undefined || grant.project === project) &&
        (!grant.environment ||
          grant.environment === '*' ||
          environment === undefined ||
          grant.environment === environment)),
  )
}
