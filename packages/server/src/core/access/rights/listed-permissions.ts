import type { Actor } from './rights.ts'

/**
 * Returns an actor's grants in their wire format. A grant for all environments is listed once for each environment of
 * its project or, without a project, once for each environment of the installation. Source: wire protocol
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
