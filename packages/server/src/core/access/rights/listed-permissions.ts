import type { Actor } from './rights.ts'

/**
 * Returns an actor's grants in their wire format. Grants for all environments are listed once per environment of the
 * project, or of all projects. Source: wire protocol
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
