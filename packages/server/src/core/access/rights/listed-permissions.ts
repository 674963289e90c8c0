import type { Actor } from './rights.ts'

/**
 * Returns an actor's grants in the wire format. A grant for all environments is listed once for each environment of its
 * project or, for a grant in all projects, once for each environment that any project uses. Source: wire protocol
 */
export function listPermissions(
  actor: Actor,
  environments: ReadonlyMap<string, readonly string[]>,
): { permission: string; project?: string; environment?: string }[] {
  return actor.grants.flatMap((grant) => {
    if (grant.environment !== '*') return [{ ...grant }]
    const own =
      grant.project === '*' ? new Set([...environments.values()].flat()) : (environments.get(grant.project ?? '') ?? [])
    return [...own].map((environment) => ({ ...grant, environment }))
  })
}
