import { createRequire } from 'node:module'

/**
 * Passwords that the list of leaked passwords lacks: variations on the names of the product, and well-known phrases.
 */
const ADDITIONAL_PASSWORDS = [
  ...['burgee', 'unleash', 'unleash4all', 'feature', 'features', 'featureflag', 'featureflags', 'featuretoggle'],
  ...['changeit', 'default', 'helloworld', 'letmeinplease', 'linkedin', 'opensesame', 'root', 'rootroot', 'superuser'],
  ...['thisisapassword', 'correcthorse', 'correcthorsebatterystaple', 'thequickbrownfox', 'abc', 'p@ssword'],
  ...['0987654321', 'zaq12wsxcde', 'asdfghjkl;', 'qwe123asd456'],
]

let listed: ReadonlySet<string> | undefined

/**
 * Returns true if a lower-case word is one of the 49,000 most frequently leaked passwords. The list comes from the
 * package `@zxcvbn-ts/language-common`. The list is loaded on first use (about 4 MB), because most processes never need
 * it.
 */
export function isCommonPassword(word: string): boolean {
  listed ??= new Set([...loadLeakedPasswords(), ...ADDITIONAL_PASSWORDS])
  return listed.has(word)
}

function loadLeakedPasswords(): readonly string[] {
  const load = createRequire(import.meta.url)
  const { dictionary } = load('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common')
  return dictionary['passwords-common']
}
