const ASCII = /^\p{ASCII}*$/u
const ENCODER = new TextEncoder()

/** Returns a string with one character per byte of the UTF-8 form of a text. An unpaired surrogate becomes U+FFFD. */
export function toUtf8Text(text: string): string {
  if (ASCII.test(text)) return text
  let bytes = ''
  for (const byte of ENCODER.encode(text)) bytes += String.fromCharCode(byte)
  return bytes
}
