import type { ChangeRequest } from '@burgee/protocol/administration/change-request'

type UserRequests = readonly Pick<ChangeRequest, 'state' | 'environment' | 'features'>[]

/** Returns the names of the flags that the user's draft for an environment changes. */
export function listDraftedFlags(requests: UserRequests, environment: string): ReadonlySet<string> {
  const drafts = requests.filter((one) => one.state === 'Draft' && one.environment === environment)
  const changed = drafts.flatMap(({ features }) => features).filter(({ changes }) => changes.length > 0)
  return new Set(changed.map(({ name }) => name))
}
