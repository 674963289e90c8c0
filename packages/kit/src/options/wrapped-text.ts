/**
 * Wraps text into lines of the given width. A word that is longer than the width gets its own line. Blank text results
 * in one empty line.
 */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line === '') line = word
    else if (line.length + 1 + word.length <= width) line += ` ${word}`
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}

/**
 * Formats two columns. The texts in the right column are wrapped and placed beside the left text, or below the left
 * text if it is too wide.
 */
export function formatTwoColumns(
  left: string,
  right: readonly string[],
  { leftWidth, width }: { readonly leftWidth: number; readonly width: number },
): string[] {
  const indent = ' '.repeat(leftWidth)
  const [first = '', ...more] = right.flatMap((text) => wrapText(text, Math.max(width - leftWidth, 1)))
  const below = more.map((line) => `${indent}${line}`)
  return left.length < leftWidth
    ? [`${left.padEnd(leftWidth)}${first}`.trimEnd(), ...below]
    : [left, `${indent}${first}`, ...below]
}
