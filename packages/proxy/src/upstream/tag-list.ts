import { list, type Parser } from '@burgee/kit/options/parsers'

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
  return `${String(type ?? name)}:${String(value)}`
}
