/** Lines of words that are at most so wide, as far as single words are; a blank text is one empty line. */
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

/** Two columns: what stands left, and beside it (below it, where it is too wide) what stands right, wrapped. */
export function twoColumns(
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
