import { list, type Parser } from '@burgee/kit/options/parsers'

/** Forms in which code may give tags. */
export type GivenTags =
  | string
  | readonly (
      | string
      | { readonly name: string; readonly value: string }
      | { readonly type: string; readonly value: string }
    )[]

/**
 * The tags that fetched features must have: `type:value` pairs, comma-separated or as a list, in code also objects
 * `{name, value}`. A value may hold further colons. Throws an Error for an item that is no pair.
 */
export const tagList: Parser<readonly { readonly type: string; readonly value: string }[]> = {
  expects: 'a list of tagName:tagValue',
  parse: (value) =>
    list.parse(Array.isArray(value) ? value.map(tagText) : value).map((item) => {
      const colon = item.indexOf(':')
      if (colon < 1 || colon === item.length - 1) throw new Error('no tag')
      return { type: item.slice(0, colon).trim(), value: item.slice(colon + 1).trim() }
    }),
}

function tagText(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item
  const { name, type, value } = item as { name?: unknown; type?: unknown; value?: unknown }
  const kind = type ?? name
  if (!isWord(kind) || !isWord(value)) throw new Error('no tag')
  return `${kind}:${value}`
}

/** True for what a tag may consist of; `null` and `undefined` would be read as words of these names. */
function isWord(value: unknown): value is string | number {
  return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number'
}
