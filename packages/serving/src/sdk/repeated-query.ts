import { invalid } from '@burgee/kit/input/refusals'
import type { Tag } from '@burgee/protocol/event'
import Type from 'typebox'

/** A query parameter that can occur several times in a request. */
export const OneOrMore = Type.Union([Type.String(), Type.Array(Type.String())])

/** Parses `type:value`. Throws ValidationError. */
export function parseTag(text: string): Tag {
  const colon = text.indexOf(':')
  if (colon > 0 && colon < text.length - 1) return { type: text.slice(0, colon), value: text.slice(colon + 1) }
  throw invalid(`The \`tag\` parameter must look like <type>:<value>, not "${text}".`, 'query/tag')
}

/** Returns all values of a query parameter that can occur several times in a request. */
export function toList(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : value
}
