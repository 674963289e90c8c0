/** Letters with a case or without one, and digits: what identifiers of all our languages may have. */
const WORDS = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{Nd}]+/gu
const OTHERS = /[^\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{Nd}]|[\u{10000}-\u{10FFFF}]/gu
const HUMPS = /(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})/u

/** `new-checkout` as `NewCheckout`. Begins with a capital letter: with `first` where it otherwise would not. */
export function pascalCase(text: string, first: string): string {
  const name = clean(
    wordsOf(text)
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(''),
  )
  return /^\p{Lu}/u.test(name) ? name : first + name
}

/** `new-checkout` as `newCheckout`. */
export function camelCase(text: string, first: string): string {
  const name = pascalCase(text, first)
  return clean(name.charAt(0).toLowerCase() + name.slice(1))
}

/** `new-checkout` as `NEW_CHECKOUT`. */
export function upperSnakeCase(text: string, first: string): string {
  const name = wordsOf(text)
    .map((word) => clean(word.toUpperCase()))
    .filter((word) => word !== '')
    .join('_')
  return /^\p{Lu}/u.test(name) ? name : [first.toUpperCase(), name].filter((part) => part !== '').join('_')
}

/**
 * Gives names that are all different, also for who does not look at case (files of classes on some disks): what is reserved,
 * or there already, gets a number.
 */
export function createNames(reserved: Iterable<string> = []): (wanted: string) => string {
  const taken = new Set([...reserved].map(folded))
  return (wanted) => {
    let name = wanted
    for (let number = 2; taken.has(folded(name)); number++) name = `${wanted}_${number}`
    taken.add(folded(name))
    return name
  }
}

const folded = (name: string) => name.toUpperCase().toLowerCase()

function wordsOf(text: string): string[] {
  const words = text.normalize('NFKC').match(WORDS) ?? []
  return words.flatMap((word) => word.split(HUMPS))
}

/** A change of case may bring marks, which not every language allows; Python compares names normalised. */
function clean(text: string): string {
  const once = text.normalize('NFKC').replace(OTHERS, '').normalize('NFKC')
  return once.replace(OTHERS, '')
}
