import { createRequire } from 'node:module'

/** What people make of the names around this product, and phrases that every guesser knows; no list has them. */
const BESIDES = [
  ...['burgee', 'unleash', 'unleash4all', 'feature', 'features', 'featureflag', 'featureflags', 'featuretoggle'],
  ...['changeit', 'default', 'helloworld', 'letmeinplease', 'linkedin', 'opensesame', 'root', 'rootroot', 'superuser'],
  ...['thisisapassword', 'correcthorse', 'correcthorsebatterystaple', 'thequickbrownfox', 'abc', 'p@ssword'],
  ...['0987654321', 'zaq12wsxcde', 'asdfghjkl;', 'qwe123asd456'],
]

let listed: ReadonlySet<string> | undefined

/**
 * Whether a word in small letters is one of the 49,000 passwords that leaked most often. The list comes from the
 * package `@zxcvbn-ts/language-common` and takes about 4 MB from the first question on; most processes never ask.
 */
export function isCommonPassword(word: string): boolean {
  listed ??= new Set([...leaked(), ...BESIDES])
  return listed.has(word)
}

function leaked(): readonly string[] {
  const load = createRequire(import.meta.url)
  const { dictionary } = load('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common')
  return dictionary['passwords-common']
}
