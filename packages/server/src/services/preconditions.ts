import { matchesEtag, weakEtag } from '@burgee/kit/http/etag'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '../store/database.ts'
import { type Actor, requireRight } from './access/rights/rights.ts'
import type { Change } from './execute.ts'

/**
 * Makes a change only of what the caller has seen: `ifMatch` is the header `If-Match`, `show` reads what a GET of the
 * same resource replies with. Both happen in the change's own transaction, so that nobody comes between. Tags are
 * compared weakly, as that is what replies carry; `*` is any state. Without the header the change is made as it is.
 *
 * Throws PreconditionFailedError when the tag is another one, else what `show` and the change throw. Source: RFC 9110
 * §13.1.1.
 */
export function ifUnchanged<I, O>(
  ifMatch: string | undefined,
  show: (reader: Reader, input: I) => Promise<unknown>,
  change: Change<I, O>,
): Change<I, O> {
  if (ifMatch === undefined) return change
  return async (tx, input, moment) => {
    const etag = weakEtag(JSON.stringify(await show(tx, input)))
    if (!matchesEtag(ifMatch, etag)) throw new Problem('PreconditionFailedError', CHANGED)
    return change(tx, input, moment)
  }
}

const CHANGED = 'Somebody has changed this in the meantime. Nothing was saved: read it again, then make your change.'

/** A right, who must have it, and where: of what is there before the change, and of what will be there after it. */
export interface RightIn<I> {
  readonly actor: Pick<Actor, 'grants'>
  readonly permission: string
  /** Projects that the change concerns, null for what belongs to none: the right must hold for each. */
  readonly projectsOf: (tx: Tx, input: I) => Promise<readonly (string | null)[]>
}

/**
 * Makes a change only for somebody who has a right in every project that it concerns, which the path does not name.
 * Read in the change's own transaction, so that nothing moves in between. Throws NoAccessError, else what `projectsOf`
 * and the change throw.
 */
export function ifAllowed<I, O>({ actor, permission, projectsOf }: RightIn<I>, change: Change<I, O>): Change<I, O> {
  return async (tx, input, moment) => {
    for (const project of await projectsOf(tx, input)) requireRight(actor, permission, { project })
    return change(tx, input, moment)
  }
}
