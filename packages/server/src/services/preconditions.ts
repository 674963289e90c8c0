import { matchesEtag, weakEtag } from '@burgee/kit/etag'
import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '../store/database.ts'
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
