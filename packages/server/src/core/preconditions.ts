import { computeWeakEtag, matchesEtag } from '@burgee/kit/http/etag'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import { type Rights, requirePermission } from './access/rights/rights.ts'
import type { Change } from './execute.ts'

/**
 * Creates a change that is applied only if the resource is still in the state that the caller has seen. `ifMatch` is
 * the header `If-Match`; `show` returns the body that a GET request for the resource returns. Header and body are
 * compared in the transaction of the change, so no other change can intervene. ETags are compared weakly, because
 * responses contain weak ETags; `*` matches every state. Without the header, the change is always applied.
 *
 * Throws PreconditionFailedError if the ETag differs, and the errors that `show` and the change throw. Source: RFC 9110
 * §13.1.1.
 */
export function ifUnchanged<I, O>(
  ifMatch: string | undefined,
  show: (reader: Reader, input: I) => Promise<unknown>,
  change: Change<I, O>,
): Change<I, O> {
  if (ifMatch === undefined) return change
  return async (tx, input, context) => {
    const etag = computeWeakEtag(JSON.stringify(await show(tx, input)))
    if (!matchesEtag(ifMatch, etag)) throw new Problem('PreconditionFailedError', CHANGED)
    return change(tx, input, context)
  }
}

const CHANGED = 'This was changed in the meantime. Nothing was saved: read it again, then repeat your change.'

/** Permission that an actor needs in each project that a change concerns, both before and after the change. */
export interface RequiredPermission<I> {
  readonly actor: Rights
  readonly permission: string
  /** Returns the projects that the change concerns; null stands for a resource outside of projects. */
  readonly projectsOf: (tx: Tx, input: I) => Promise<readonly (string | null)[]>
}

/**
 * Creates a change that is applied only if the actor has a permission in every project that the change concerns.
 * Intended for routes whose path does not name the project. The projects are determined in the transaction of the
 * change, so they cannot change before the change is applied. Throws NoAccessError, and the errors that `projectsOf`
 * and the change throw.
 */
export function ifAllowed<I, O>(
  { actor, permission, projectsOf }: RequiredPermission<I>,
  change: Change<I, O>,
): Change<I, O> {
  return async (tx, input, context) => {
    for (const project of await projectsOf(tx, input)) requirePermission(actor, permission, { project })
    return change(tx, input, context)
  }
}
