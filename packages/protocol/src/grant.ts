/** A right; without project (or with '*') it holds in all, without environment (or with '*') in all environments. */
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

/** Rights of which a larger one is enough as well: whoever may change a project may do each part of that. */
const PARTS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ['USER_ACCESS', 'DEFAULT_STRATEGY', 'CHANGE_REQUEST', 'SETTINGS'].flatMap((part) => {
    const [read, write] = [`PROJECT_${part}_READ`, `PROJECT_${part}_WRITE`]
    return [
      [read, [read, write, 'UPDATE_PROJECT']],
      [write, [write, 'UPDATE_PROJECT']],
    ]
  }),
)

/** Names of the rights each of which is enough at a place. */
function enough(permission: string, project: Place['project']): readonly string[] {
  if (Object.hasOwn(PARTS, permission)) return PARTS[permission] ?? []
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
        (!grant.project || grant.project === '*' || project === undefined || grant.project === project) &&
        (!grant.environment ||
          grant.environment === '*' ||
          environment === undefined ||
          grant.environment === environment)),
  )
}

/**
 * Whether rights are enough to propose changes in a project: in an open one they always are, for somebody else approves; in
 * another one any right in it.
 */
export function mayPropose(
  grants: readonly Grant[],
  { project, mode }: { readonly project: string; readonly mode: string },
): boolean {
  return mode === 'open' || isGranted(grants, 'ADMIN') || grants.some((grant) => grant.project === project)
}

/** Whether rights hold all that a right holds: to give it to somebody gives them nothing that its giver has not. */
export function covers(grants: readonly Grant[], { permission, project, environment }: Grant): boolean {
  // what holds in all projects, or environments, is held by what does too; no project or environment has this name
  return isGranted(grants, permission, {
    project: project === '*' ? '' : (project ?? null),
    ...(environment === undefined ? {} : { environment: environment === '*' ? '' : environment }),
  })
}
