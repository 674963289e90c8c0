import { parseAddress } from '@burgee/protocol/address'
import { parseSemver } from '@burgee/protocol/semver'

type Raw = Readonly<Record<string, unknown>>

const MAX_VALUES = 20
const SMALL = 0.001
const SECOND_MS = 1000
/** Value that is unlikely to occur in any rule. */
const OTHER = 'something-else'

/**
 * Returns values of a context field just below, at and above every bound of a constraint, where such values exist. For
 * a long list, returns only some values at the start and the end of the list. Dates are ISO 8601 strings.
 */
export function listValuesAround(constraint: Raw): string[] {
  const { operator, value, values } = constraint
  const list = Array.isArray(values) ? values.map((one) => String(one).trim()).filter((one) => one !== '') : []
  const some = list.length > MAX_VALUES ? [...list.slice(0, MAX_VALUES / 2), ...list.slice(-MAX_VALUES / 2)] : list
  const text = value === undefined || value === null ? '' : String(value)
  const kind = String(operator)
  if (kind === 'IN' || kind === 'NOT_IN') return [...some, ...some.slice(0, 1).map((one) => `${one}x`), OTHER]
  if (kind.startsWith('STR_')) return [...some.flatMap(varyText), OTHER]
  if (kind.startsWith('NUM_')) return [...varyNumber(text), OTHER]
  if (kind.startsWith('DATE_')) return varyTime(text)
  if (kind.startsWith('SEMVER_')) return [...varyVersion(text), OTHER]
  if (kind === 'IN_CIDR') return [...some.flatMap(varyNetwork), OTHER]
  if (kind === 'REGEX') return [...varyPattern(text), OTHER]
  return [text, OTHER]
}

function varyText(text: string): string[] {
  return [text, `${text}x`, `x${text}`, `x${text}x`, text.slice(0, -1), swapCase(text)]
}

function swapCase(text: string): string {
  const upper = text.toUpperCase()
  return upper === text ? text.toLowerCase() : upper
}

function varyNumber(text: string): string[] {
  const bound = Number(text)
  if (text.trim() === '' || !Number.isFinite(bound)) return []
  return [bound, bound - 1, bound + 1, bound - SMALL, bound + SMALL].map(String)
}

function varyTime(text: string): string[] {
  const bound = Date.parse(text)
  if (Number.isNaN(bound)) return []
  const moments = [bound, bound - 1, bound + 1, bound - SECOND_MS, bound + SECOND_MS]
  return moments.filter((ms) => !Number.isNaN(new Date(ms).getTime())).map((ms) => new Date(ms).toISOString())
}

function varyVersion(text: string): string[] {
  const version = parseSemver(text)
  if (version === undefined) return []
  const [major, minor, patch] = version.numbers
  const core = `${major}.${minor}.${patch}`
  const lower = patch > 0 ? [`${major}.${minor}.${patch - 1}`] : []
  return [text, core, `${core}-0`, `${core}-zz`, `${major}.${minor}.${patch + 1}`, '0.0.0', ...lower]
}

function varyNetwork(text: string): string[] {
  const [base = text] = text.split('/')
  const parts = base.split('.').map(Number)
  if (parts.length !== 4 || parts.some(Number.isNaN)) return parseAddress(base) === undefined ? [] : [base, '::1']
  const bits = text.includes('/') ? Number(text.split('/')[1]) : 32
  const size = 2 ** (32 - bits)
  const number = parts.reduce((sum, part) => sum * 256 + part, 0)
  const first = Math.floor(number / size) * size
  const around = [first - 1, first, number, first + size - 1, first + size]
  return around.filter((one) => one >= 0 && one < 2 ** 32).map(formatAddress)
}

function formatAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')
}

/**
 * Returns strings made of the literal characters of a pattern, because the strings that match a pattern cannot be
 * enumerated.
 */
function varyPattern(pattern: string): string[] {
  const plain = pattern.replace(/\\[dw]/g, '7').replace(/[\^$()*+?[\]{}|\\]/g, '')
  const choices = pattern.split('|').map((one) => one.replace(/[\^$()*+?[\]{}|\\]/g, ''))
  return [...new Set([plain, plain.replaceAll('.', 'x'), `${plain}x`, `x${plain}`, ...choices.slice(0, MAX_VALUES)])]
}
