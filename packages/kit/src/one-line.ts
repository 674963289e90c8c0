/** Line breaks and line separators, other control characters, and characters that change the direction of text. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu

/** Returns a text as one line in which nothing is hidden: each run of invisible characters becomes a space. */
export function toOneLine(text: string): string {
  return text.replaceAll(INVISIBLE, ' ').toWellFormed()
}
