/** Key rows from top to bottom. Each key row is offset by about half a key from the row above. */
const LAYOUTS = [
  ['1234567890-=', 'qwertyuiop[]', "asdfghjkl;'", 'zxcvbnm,./'],
  ['1234567890ß´', 'qwertzuiopü+', 'asdfghjklöä', 'yxcvbnm,.-'],
  ['1234567890°+', 'azertyuiop^$', 'qsdfghjklmù', 'wxcvbn,;:!'],
]
/** Shifted characters of the digit row. */
const SHIFTED = '!@#$%^&*()'
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

const KEY_STEPS = buildKeySteps()
const NO_STEPS: ReadonlySet<string> = new Set()

/**
 * Counts the characters of a lower-case text that do not continue a run, so that a run counts as one character. A run
 * consists of equal characters, consecutive letters or digits, or a keyboard walk in one direction or in two
 * alternating directions (`1q2w3e`).
 */
export function countFreeCharacters(text: string): number {
  const chars = [...text].map(unshift)
  const steps = chars.slice(1).map((char, at) => stepsBetween(chars[at] ?? '', char))
  const following = new Set<number>()
  steps.forEach((step, at) => {
    for (const before of [at - 1, at - 2]) {
      const earlier = steps[before] ?? NO_STEPS
      if (![...step].some((kind) => earlier.has(kind))) continue
      following.add(before).add(at)
    }
  })
  return chars.length - following.size
}

/** Returns the shortest period of a text. The last repetition can be incomplete. */
export function getPeriod(text: string): number {
  const borders = [0]
  for (let at = 1; at < text.length; at += 1) {
    let border = borders[at - 1] ?? 0
    while (border > 0 && text[at] !== text[border]) border = borders[border - 1] ?? 0
    borders.push(text[at] === text[border] ? border + 1 : border)
  }
  return text.length - (borders.at(-1) ?? 0)
}

/**
 * Returns the kinds of run that two successive characters can belong to: `same`, a sequence, or a direction on the
 * keyboard.
 */
function stepsBetween(before: string, after: string): ReadonlySet<string> {
  if (before === after) return new Set(['same'])
  const keys = KEY_STEPS.get(before + after) ?? NO_STEPS
  const difference = after.charCodeAt(0) - before.charCodeAt(0)
  const isOrdered = Math.abs(difference) === 1 && LETTER_OR_DIGIT.test(before) && LETTER_OR_DIGIT.test(after)
  return isOrdered ? new Set([...keys, `order ${difference}`]) : keys
}

function unshift(char: string): string {
  const digit = SHIFTED.indexOf(char)
  return digit < 0 ? char : String((digit + 1) % 10)
}

/** Maps each pair of neighbouring keys to the directions that lead from the first key to the second. */
function buildKeySteps(): ReadonlyMap<string, ReadonlySet<string>> {
  const pairs = new Map<string, Set<string>>()
  const note = (from: string, to: string | undefined, direction: string): void => {
    if (to === undefined) return
    pairs.set(from + to, (pairs.get(from + to) ?? new Set()).add(direction))
    pairs.set(to + from, (pairs.get(to + from) ?? new Set()).add(`back ${direction}`))
  }
  for (const rows of LAYOUTS) {
    rows.forEach((row, number) => {
      const below = rows[number + 1] ?? ''
      for (const [column, key] of [...row].entries()) {
        note(key, row[column + 1], 'right')
        note(key, below[column], 'down')
        note(key, below[column - 1], 'down left')
      }
    })
  }
  return pairs
}
