import { list, type Parser } from '@burgee/kit/options/parsers'

/** `type:value` pairs; a value may hold further colons. */
export const tagList: Parser<readonly { readonly type: string; readonly value: string }[]> = {
  expects: 'a list of tagName:tagValue',
  parse: (value) =>
    list.parse(Array.isArray(value) ? value.map(tagText) : value).map((item) => {
      const colon = item.indexOf(':')
      if (colon < 1 || colon === item.length - 1) throw new Error('no tag')
      return { type: item.slice(0, colon).trim(), value: item.slice(colon + 1).trim() }
    }),
}

/** In code a tag may be written `{name, value}`. */
function tagText(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item
  const { name, type, value } = item as { name?: unknown; type?: unknown; value?: unknown }
  return `${String(type ?? name)}:${String(value)}`
}

/** Paths of files, comma-separated or as a list, or the exported objects themselves, in code. */
export const plugins: Parser<readonly unknown[]> = {
  expects: 'a list of file paths',
  parse: (value) => (Array.isArray(value) ? value : list.parse(value)),
}
