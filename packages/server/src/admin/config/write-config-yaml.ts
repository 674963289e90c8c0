import { compareText } from '@burgee/kit/compare-text'
import { escapeUnprintable } from '../transfer/yaml-text.ts'

type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value | undefined }

/**
 * Matches strings that both YAML 1.2 and YAML 1.1 parse as strings without quotes. Such a string contains neither colon
 * nor number sign.
 */
const PLAIN = /^[A-Za-z_][\w.,/()' -]*$/
const NOT_TEXT = /^(?:true|false|null|yes|no|on|off|y|n)$/i
/** Keys that come first, in this order; all other keys follow alphabetically. */
const FIRST_KEYS = ['kind', 'name']

/**
 * Serializes a value to block-style YAML with sorted keys. Equal values always give the same text. This is faster than
 * the YAML library, which matters because an export writes thousands of files.
 */
export function writeConfigYaml(value: unknown): string {
  return `${writeBlock(value as Value, '').trimStart()}\n`
}

/** Returns a value in block style. The text begins with a line break unless it is a scalar or empty. */
function writeBlock(value: Value, indent: string): string {
  if (typeof value !== 'object' || value === null) return writeScalar(value)
  if (isList(value)) {
    if (value.length === 0) return '[]'
    return value.map((item) => `\n${indent}- ${writeBlock(item, `${indent}  `).trimStart()}`).join('')
  }
  const entries = Object.entries(value).filter((entry): entry is [string, Value] => entry[1] !== undefined)
  if (entries.length === 0) return '{}'
  return entries
    .sort(([a], [b]) => compareKeys(a, b))
    .map(([key, inner]) => {
      const text = writeBlock(inner, `${indent}  `)
      return `\n${indent}${writeScalar(key)}:${text.startsWith('\n') ? '' : ' '}${text}`
    })
    .join('')
}

const isList = (value: object): value is readonly Value[] => Array.isArray(value)

function compareKeys(a: string, b: string): number {
  const rank = (key: string) => {
    const at = FIRST_KEYS.indexOf(key)
    return at < 0 ? FIRST_KEYS.length : at
  }
  return rank(a) - rank(b) || compareText(a, b)
}

function writeScalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value)
  const isPlain = PLAIN.test(value) && !NOT_TEXT.test(value) && !value.endsWith(' ')
  return isPlain ? value : escapeUnprintable(JSON.stringify(value))
}
