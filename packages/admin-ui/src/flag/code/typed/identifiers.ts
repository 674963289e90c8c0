/** Letters and digits that identifiers of all supported languages may contain. */
const WORDS = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{Nd}]+/gu
const OTHERS = /[^\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{Nd}]|[\u{10000}-\u{10FFFF}]/gu
const HUMPS = /(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})/u

/** Converts `new-checkout` to `NewCheckout`. Prepends `first` if the result would not start with a capital letter. */
export function toPascalCase(text: string, first: string): string {
  const name = clean(
    splitWords(text)
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(''),
  )
  return /^\p{Lu}/u.test(name) ? name : first + name
}

/** Converts `new-checkout` to `newCheckout`. */
export function toCamelCase(text: string, first: string): string {
  const name = toPascalCase(text, first)
  return clean(name.charAt(0).toLowerCase() + name.slice(1))
}

/** Converts `new-checkout` to `NEW_CHECKOUT`. */
export function toUpperSnakeCase(text: string, first: string): string {
  const name = splitWords(text)
    .map((word) => clean(word.toUpperCase()))
    .filter((word) => word !== '')
    .join('_')
  return /^\p{Lu}/u.test(name) ? name : [first.toUpperCase(), name].filter((part) => part !== '').join('_')
}

/**
 * Returns a function that makes names unique by appending numbers to reserved or used names. Ignores case, because
 * class files can be stored on case-insensitive disks.
 */
export function createNameAllocator(reserved: Iterable<string> = []): (wanted: string) => string {
  const taken = new Set([...reserved].map(foldCase))
  return (wanted) => {
    let name = wanted
    for (let number = 2; taken.has(foldCase(name)); number++) name = `${wanted}_${number}`
    taken.add(foldCase(name))
    return name
  }
}

const foldCase = (name: string) => name.toUpperCase().toLowerCase()

function splitWords(text: string): string[] {
  const words = text.normalize('NFKC').match(WORDS) ?? []
  return words.flatMap((word) => word.split(HUMPS))
}

/**
 * Removes characters that identifiers must not contain. Normalizes the text first, because Python compares normalized
 * names. Case conversion can add combining marks, so characters are removed after the conversion.
 */
function clean(text: string): string {
  const once = text.normalize('NFKC').replace(OTHERS, '').normalize('NFKC')
  return once.replace(OTHERS, '')
}
