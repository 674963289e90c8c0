import type { ScimPatch } from '@burgee/protocol/administration/scim'
import { parseQuoted } from './scim-filter.ts'
import { scimInvalid } from './scim-problem.ts'

/**
 * Step of a patch: an attribute in lower case with its subattribute, the value that a filter selects, and the new
 * value.
 */
export interface ScimStep {
  readonly op: 'add' | 'replace' | 'remove'
  /** Name such as `active`, `name.givenname` or `members`; attributes of other schemas have their full name. */
  readonly attribute: string
  /** Value that a filter compares with, as in `members[value eq "7"]`. */
  readonly selected?: string | undefined
  readonly value: unknown
}

const OPS = ['add', 'replace', 'remove'] as const
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/i
const PATH = /^([\w$:.-]+?)(?:\[\s*([\w.]+)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*\])?(?:\.(\w+))?$/i

/**
 * Parses a patch into steps. Accepts the variants that directories send: operations with a path, operations without a
 * path whose value is an object of attributes, keys with dots, and capitalized operation names. Throws ValidationError.
 */
export function parseSteps({ Operations: operations }: ScimPatch): ScimStep[] {
  return operations.flatMap(({ op: word, path, value }) => {
    const op = OPS.find((one) => one === word.toLowerCase())
    if (op === undefined)
      throw scimInvalid('invalidSyntax', `There is no operation "${word}"; there are ${OPS.join(', ')}.`)
    if (path !== undefined && path !== '') return [parseStep(op, path, value)]
    if (op === 'remove') throw scimInvalid('noTarget', 'An operation "remove" requires a path.')
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw scimInvalid('invalidValue', 'Without a path the value must be an object of attributes.')
    }
    return Object.entries(value).flatMap(([key, inner]) => splitAttribute(op, key, inner))
  })
}

/** Splits an attribute in an operation without a path: `name` is split into its subattributes. */
function splitAttribute(op: ScimStep['op'], key: string, value: unknown): ScimStep[] {
  if (key.toLowerCase() !== 'name' || typeof value !== 'object' || value === null) return [parseStep(op, key, value)]
  return Object.entries(value).map(([part, inner]) => parseStep(op, `name.${part}`, inner))
}

function parseStep(op: ScimStep['op'], path: string, value: unknown): ScimStep {
  const [, name, , selected, part] = PATH.exec(path.replace(CORE, '')) ?? []
  if (name === undefined) throw createInvalidPath(path)
  const attribute = [name, ...(part === undefined ? [] : [part])].join('.').toLowerCase()
  return { op, attribute, selected: unquote(selected, path), value }
}

function unquote(selected: string | undefined, path: string): string | undefined {
  if (selected?.startsWith('"') !== true) return selected
  const text = parseQuoted(selected)
  if (text === undefined) throw createInvalidPath(path)
  return text
}

function createInvalidPath(path: string) {
  return scimInvalid('invalidPath', `The path "${path.slice(0, 100)}" cannot be read.`)
}
