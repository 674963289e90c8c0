import { list, type Parser } from '@burgee/kit/options/parsers'

/** Forms in which tags can be given in code. */
export type TagsInput =
  | string
  | readonly (
      | string
      | { readonly name: string; readonly value: string }
      | { readonly type: string; readonly value: string }
    )[]

/**
 * Parses the tags that fetched features must have. Accepts `type:value` pairs, comma-separated or as an array. In code,
 * also accepts objects `{name, value}` or `{type, value}`. A value can contain colons. Throws an Error for an item in
 * any other form.
 */
export const tagList: Parser<readonly { readonly type: string; readonly value: string }[]> = {
  expects: 'a list of tagName:tagValue',
  parse: (value) =>
    list.parse(Array.isArray(value) ? value.map(formatTag) : value).map((item) => {
      const colon = item.indexOf(':')
      if (colon < 1 || colon === item.length - 1) throw new Error('no tag')
      return { type: item.slice(0, colon).trim(), value: item.slice(colon + 1).trim() }
    }),
}

function formatTag(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item
  const { name, type, value } = item as { name?: unknown; type?: unknown; value?: unknown }
  const kind = type ?? name
  if (!isWord(kind) || !isWord(value)) throw new Error('no tag')
  return `${kind}:${value}`
}

/**
 * Returns true if a value can be the type or the value of a tag. Rejects `null` and `undefined`, which would otherwise
 * become the strings "null" and "undefined".
 */
function isWord(value: unknown): value is string | number {
  return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number'
}
