const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}
/** Invisible characters, direction marks, and the line ends that any of the languages recognizes. */
const ESCAPED_CHARACTERS = /["\\\p{C}\p{Zl}\p{Zp}]/gu

/**
 * Writes a string literal in double quotes. `escaped` returns the escape sequence for a code point that must not appear
 * literally. Lone surrogates become U+FFFD.
 */
export function toStringLiteral(text: string, escaped: (codePoint: number) => string): string {
  const whole = text.replaceAll(/\p{Cs}/gu, '\uFFFD')
  return `"${whole.replace(ESCAPED_CHARACTERS, (char) => SIMPLE_ESCAPES[char] ?? escaped(char.codePointAt(0) ?? 0))}"`
}

/** Escapes a code point as `\u0001` or `\U0001F3FB`, for Go, Python and C#. */
export const toLongEscape = (codePoint: number): string =>
  codePoint > 0xffff ? `\\U${toHex(codePoint, 8)}` : `\\u${toHex(codePoint, 4)}`

/** Escapes a code point as `\ud83c\udffb`, with surrogate halves where needed. */
export const toSurrogateEscape = (codePoint: number): string =>
  [...String.fromCodePoint(codePoint)]
    .flatMap((char) => char.split(''))
    .map((half) => `\\u${toHex(half.charCodeAt(0), 4)}`)
    .join('')

const toHex = (number: number, digits: number) => number.toString(16).padStart(digits, '0')
