/** A part of a text: words, or the address of a page. */
export interface TextPart {
  readonly text: string
  /** Undefined where it is no address. */
  readonly url?: string
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"“”„«»]+/giu
/** What ends a sentence, or closes what was opened before the address, is no part of it. */
const END = /[.,;:!?'’*_)\]}]$/u
const OPENS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** A text as words and addresses in their order; only `http` and `https` become addresses. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = trimmed(found)
    if (URL.parse(address) === null) continue
    if (index > from) parts.push({ text: text.slice(from, index) })
    parts.push({ text: address, url: address })
    from = index + address.length
  }
  return from < text.length ? [...parts, { text: text.slice(from) }] : parts
}

function trimmed(found: string): string {
  let address = found
  while (END.test(address)) {
    const last = address.at(-1) ?? ''
    const opening = OPENS[last]
    // as in https://en.wikipedia.org/wiki/Flag_(disambiguation)
    if (opening !== undefined && countOf(address, opening) >= countOf(address, last)) break
    address = address.slice(0, -1)
  }
  return address
}

const countOf = (text: string, one: string): number => text.split(one).length - 1
