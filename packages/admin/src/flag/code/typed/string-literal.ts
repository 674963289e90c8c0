const PLAIN: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
/** What nobody sees, what turns the direction of text, and what ends lines somewhere. */
const UNSEEN = /["\\\p{C}\p{Zl}\p{Zp}]/gu

/** A literal in double quotes; `escaped` writes one code point that is not shown as it is. Half a surrogate pair is U+FFFD. */
export function stringLiteral(text: string, escaped: (codePoint: number) => string): string {
  const whole = text.replaceAll(/\p{Cs}/gu, '\uFFFD')
  return `"${whole.replace(UNSEEN, (char) => PLAIN[char] ?? escaped(char.codePointAt(0) ?? 0))}"`
}

/** `\u0001` and `\U0001F3FB`, as Go, Python and C# write them. */
export const longEscape = (codePoint: number): string =>
  codePoint > 0xffff ? `\\U${hex(codePoint, 8)}` : `\\u${hex(codePoint, 4)}`

/** `\ud83c\udffb`: in halves where it has to be. */
export const halvedEscape = (codePoint: number): string =>
  [...String.fromCodePoint(codePoint)]
    .flatMap((char) => char.split(''))
    .map((half) => `\\u${hex(half.charCodeAt(0), 4)}`)
    .join('')

const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0')
