const PLAIN: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
/** Invisible characters, direction marks, and line ends of any language. */
const UNSEEN = /["\\\p{C}\p{Zl}\p{Zp}]/gu

/**
 * Writes a literal in double quotes. `escaped` writes a code point that must not appear as it is. Lone surrogates
 * become U+FFFD.
 */
export function stringLiteral(text: string, escaped: (codePoint: number) => string): string {
  const whole = text.replaceAll(/\p{Cs}/gu, '\uFFFD')
  return `"${whole.replace(UNSEEN, (char) => PLAIN[char] ?? escaped(char.codePointAt(0) ?? 0))}"`
}

/** Escapes a code point as `\u0001` or `\U0001F3FB`, for Go, Python and C#. */
export const longEscape = (codePoint: number): string =>
  codePoint > 0xffff ? `\\U${hex(codePoint, 8)}` : `\\u${hex(codePoint, 4)}`

/** Escapes a code point as `\ud83c\udffb`, with surrogate halves where needed. */
export const halvedEscape = (codePoint: number): string =>
  [...String.fromCodePoint(codePoint)]
    .flatMap((char) => char.split(''))
    .map((half) => `\\u${hex(half.charCodeAt(0), 4)}`)
    .join('')

const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0')
