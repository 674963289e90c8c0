/** Part of a text: plain words or a web address. */
export interface TextPart {
  readonly text: string
  /** Web address of the part; undefined if the part is not an address. */
  readonly url?: string
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"“”„«»]+/giu
/**
 * Characters at the end of an address that do not belong to it: punctuation, and a closing bracket whose opening
 * bracket precedes the address.
 */
const END = /[.,;:!?'’*_)\]}]$/u
const OPENING_BRACKETS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** Splits a text into words and addresses, in order. Only `http` and `https` addresses become links. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = trimPunctuation(found)
    if (URL.parse(address) === null) continue
    if (index > from) parts.push({ text: text.slice(from, index) })
    parts.push({ text: address, url: address })
    from = index + address.length
  }
  return from < text.length ? [...parts, { text: text.slice(from) }] : parts
}

function trimPunctuation(found: string): string {
  let address = found
  while (END.test(address)) {
    const last = address.at(-1) ?? ''
    const opening = OPENING_BRACKETS[last]
    // Preserves balanced brackets, as in https://en.wikipedia.org/wiki/Flag_(disambiguation)
    if (opening !== undefined && countOccurrences(address, opening) >= countOccurrences(address, last)) break
    address = address.slice(0, -1)
  }
  return address
}

const countOccurrences = (text: string, one: string): number => text.split(one).length - 1
