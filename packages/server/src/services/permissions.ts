import type { Actor } from './access.ts'

/** An actor's rights as the wire lists them: those per environment once for each environment. Source: wire protocol */
export function permissionsOf(
  actor: Actor,
  environments: readonly string[],
): { permission: string; project?: string; environment?: string }[] {
  return actor.grants.flatMap((grant) => {
    if (grant.environment !== '*') return [{ ...grant }]
    return environments.map((environment) => ({ ...grant, environment }))
  })
}
