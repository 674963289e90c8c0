import { Problem } from '@burgee/protocol/problem'

const LEAST_LENGTH = 10

/** What people take most often, of at least ten characters; shorter ones are refused by their length. */
const COMMON = new Set(
  `1234567890 12345678910 0123456789 0987654321 9876543210 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 123456789a a123456789
123456789q q123456789 1234567891 123qweasdzxc 1qazxsw23edc qwertyuiop qwertyuiop1 qwerty12345 qwerty1234 qwerty123456
asdfghjkl1 asdfghjkl; zaq12wsxcde abcdefghij abcdefghijk abcd123456 abc1234567 password12 password123 password1234
password12345 password123! password1! passw0rd123 p@ssw0rd123 p@ssword123 mypassword mypassword1 changeme123 changeme1234
changeme12 letmein123 letmein1234 letmein12345 welcome123 welcome1234 welcome12345 iloveyou123 iloveyou12 ihateyou123
administrator administrator1 admin12345 admin123456 adminadmin admin12345678 rootroot12 superuser1 superman123 batman12345
football123 baseball123 basketball basketball1 liverpool1 liverpool123 manchester manchester1 chelsea1234 princess123
sunshine123 sunshine12 dragon12345 monkey12345 master12345 michael1234 charlie123 jennifer123 nicholas123 alexander1
christopher christina1 elizabeth1 margaret12 computer123 internet123 samsung123 google1234 facebook123 linkedin123
microsoft1 spiderman1 spiderman123 starwars123 pokemon1234 minecraft1 minecraft123 fuckyou123 whatever123 trustno1trustno1
test123456 test1234567 testtest12 testtesttest temp123456 default123 default1234 secret1234 secret12345 qwe123asd456
unleash4all unleash123 unleash1234 featureflag featureflags feature123 burgee1234 burgee12345 burgeeburgee letmeinplease
opensesame hunter2hunter2 correcthorse correcthorsebatterystaple thisisapassword thequickbrownfox lovelylovely hello12345
helloworld helloworld1 hello123456 summer2023 summer2024 summer2025 summer2026 winter2023 winter2024 winter2025 winter2026
spring2024 spring2025 spring2026 autumn2024 autumn2025 autumn2026 january2025 monday1234 qazwsxedcrfv zxcvbnm123 zxcvbnm1234`.split(
    /\s+/,
  ),
)

/**
 * Refuses passwords that are easily guessed: short ones, common ones, one character or one short pattern repeated,
 * runs of the keyboard's order, and a person's own name. Their kinds of characters do not matter. Throws
 * PasswordWeakError.
 */
export function requireStrong(password: string, names: readonly (string | null | undefined)[] = []): void {
  const reason = weaknessOf(password, names)
  if (reason === undefined) return
  const message = `The password ${reason}.`
  throw new Problem('PasswordWeakError', message, { details: [{ message, path: 'body/password' }] })
}

function weaknessOf(password: string, names: readonly (string | null | undefined)[]): string | undefined {
  if ([...password].length < LEAST_LENGTH) return `must be at least ${LEAST_LENGTH} characters long`
  const plain = password.toLowerCase()
  if (COMMON.has(plain) || COMMON.has(plain.replace(/[!.?]+$/, ''))) return 'is one of the most common ones'
  if (/^(.{1,4})\1+.?$/su.test(plain)) return 'only repeats a few characters'
  if (isRun(plain)) return 'is a run of neighbouring characters'
  if (names.some((name) => name != null && name.toLowerCase() === plain)) return 'must not be the name of its owner'
  return undefined
}

/** Each character follows the one before it, or precedes it, as in `abcdefghijk`. */
function isRun(text: string): boolean {
  const steps = new Set([...text].slice(1).map((char, at) => char.charCodeAt(0) - text.charCodeAt(at)))
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}
