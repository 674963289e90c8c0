import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '@burgee/kit/input/is-object'
import type { ChangeRow } from '@burgee/storage/queries/change-requests/changes'
import type { RequestRow } from '@burgee/storage/queries/change-requests/requests'

/** Proposed change in the form used in events. */
interface EventChange {
  readonly changeId: number
  readonly action: string
  readonly payload?: unknown
}

/** Maximum length of a payload, as JSON, that an event contains in full. */
const MAX_CHARACTERS = 4000

/**
 * Returns a change as it was before and after an edit. Short payloads are included in full. For long payloads, only the
 * properties that differ are included, with digests in place of long values. Edit events must stay small, because
 * events are permanent and the number of edits is unlimited.
 */
export function toEditEvent(
  before: EventChange,
  after: EventChange,
): { preData: EventChange; data: EventChange & Record<string, unknown> } {
  if (isShort(before.payload) && isShort(after.payload)) return { preData: before, data: { ...after } }
  const [preData, data] = [before, after].map((one, at) => {
    const other = at === 0 ? after : before
    return { ...one, payload: shortenValue(withoutEqual(one.payload, other.payload)) }
  }) as [EventChange, EventChange]
  return { preData, data: { ...data } }
}

/** Returns a change with a digest in place of a long payload. */
export function shorten(change: EventChange): EventChange {
  return isShort(change.payload) ? change : { ...change, payload: shortenValue(change.payload) }
}

function withoutEqual(value: unknown, other: unknown): unknown {
  if (!isObject(value) || !isObject(other)) return value
  const differing = Object.entries(value).filter(([name, own]) => !isDeepStrictEqual(own, other[name]))
  return Object.fromEntries(differing.map(([name, own]) => [name, isShort(own) ? own : digest(own)]))
}

function shortenValue(value: unknown): unknown {
  return isShort(value) ? value : digest(value)
}

/** Returns the length and the SHA-256 of a value as JSON, with which a copy of the value can be verified. */
function digest(value: unknown): { readonly sha256: string; readonly characters: number } {
  const json = JSON.stringify(value)
  return { sha256: hash('sha256', json), characters: json.length }
}

function isShort(value: unknown): boolean {
  return (JSON.stringify(value) ?? '').length <= MAX_CHARACTERS
}

/**
 * Returns a change in the form used in events. The payload is omitted for drafts, because only the author may see
 * drafts.
 */
export function toEventChange(
  { state }: Pick<RequestRow, 'state'>,
  { id, action, payload }: Pick<ChangeRow, 'id' | 'action' | 'payload'>,
) {
  return { changeId: id, action, ...(state === 'Draft' ? {} : { payload }) }
}
