/** Compares strings by UTF-16 code units. The result does not depend on the machine's locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/**
 * Compares strings in natural order, in which x-2 comes before x-10. Numbers within the strings are compared by value,
 * all other characters by UTF-16 code units.
 */
export function compareNatural(a: string, b: string): number {
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    if (isDigit(a, i) && isDigit(b, j)) {
      const [endA, endB] = [findNumberEnd(a, i), findNumberEnd(b, j)]
      const [numberA, numberB] = [stripLeadingZeros(a, i, endA), stripLeadingZeros(b, j, endB)]
      const difference = numberA.length - numberB.length || compareText(numberA, numberB)
      if (difference !== 0) return difference
      i = endA
      j = endB
    } else {
      const difference = a.charCodeAt(i) - b.charCodeAt(j)
      if (difference !== 0) return difference
      i += 1
      j += 1
    }
  }
  // the strings are equal except for leading zeros, or one string is a prefix of the other
  return a.length - i - (b.length - j) || compareText(a, b)
}

const [ZERO, NINE] = [48, 57]

function isDigit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= ZERO && unit <= NINE
}

function findNumberEnd(text: string, from: number): number {
  let end = from
  while (isDigit(text, end)) end += 1
  return end
}

/** Returns the digits without leading zeros; empty for zero. */
function stripLeadingZeros(text: string, from: number, end: number): string {
  let start = from
  while (start < end && text.charCodeAt(start) === ZERO) start += 1
  return text.slice(start, end)
}
