/** Part of a line; changed parts differ between the two sides. */
export interface LinePart {
  readonly text: string
  readonly isChanged: boolean
}

/** Maximum length, in words, of texts that are compared word by word. Longer texts are marked as a whole. */
const MAX_WORDS = 400

/** Marks the words that differ between two texts, based on the texts' longest common subsequence. */
export function markDifferences(before: string, after: string): { before: LinePart[]; after: LinePart[] } {
  const [old, next] = [splitWords(before), splitWords(after)]
  if (old.length > MAX_WORDS || next.length > MAX_WORDS) {
    return { before: [{ text: before, isChanged: true }], after: [{ text: after, isChanged: true }] }
  }
  const lengths = measureCommon(old, next)
  const [oldKept, nextKept] = [new Set<number>(), new Set<number>()]
  let [i, j] = [0, 0]
  while (i < old.length && j < next.length) {
    if (old[i] === next[j]) {
      oldKept.add(i++)
      nextKept.add(j++)
    } else if ((lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)) i++
    else j++
  }
  return { before: joinParts(old, oldKept), after: joinParts(next, nextKept) }
}

const splitWords = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_.-]+|[^\s\p{L}\p{N}]/gu) ?? []

/** Returns a table with the lengths of the longest common subsequences of all pairs of suffixes. */
function measureCommon(old: readonly string[], next: readonly string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(next.length + 1).fill(0))
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = next.length - 1; j >= 0; j--) {
      const [row, below] = [lengths[i] ?? [], lengths[i + 1] ?? []]
      row[j] = old[i] === next[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return lengths
}

function joinParts(words: readonly string[], kept: ReadonlySet<number>): LinePart[] {
  const parts: LinePart[] = []
  for (const [index, text] of words.entries()) {
    const isChanged = !kept.has(index)
    const last = parts.at(-1)
    if (last?.isChanged === isChanged) parts[parts.length - 1] = { text: last.text + text, isChanged }
    else parts.push({ text, isChanged })
  }
  return parts
}
