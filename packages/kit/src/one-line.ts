/** Line breaks and separators, other control characters, and characters that change the direction of text. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu

/** Returns a text in one line that shows all its characters: invisible ones become spaces. */
export function toOneLine(text: string): string {
  return text.replaceAll(INVISIBLE, ' ').toWellFormed()
}
