/** Letters and digits that nobody takes for one another; as many as five bits tell apart. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 5

/** A password of a hundred random bits, easy to read out. */
export function makePassword(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): string {
  const bytes = random(new Uint8Array(GROUPS * GROUP_LENGTH))
  const letters = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH),
  ).join('-')
}
