import { expect } from 'vitest'

/**
 * Type of a field for a statically typed client: `text`, `int`, `number`, `flag`, `time` (RFC 3339), or a list or
 * object of these. A key that ends with `?` may be missing; with `|null` it may also be null.
 */
export type Field = 'text' | 'int' | 'number' | 'flag' | 'time' | readonly [Field] | Shape
/** Fields of an object by name. Additional fields are ignored. */
export interface Shape {
  readonly [key: string]: Field
}

const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  int: (value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31,
  number: (value) => typeof value === 'number',
  flag: (value) => typeof value === 'boolean',
  time: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value),
}

/** Checks a reply like a client with fixed types: no missing, null or mistyped fields. */
export function expectDecoded(what: string, value: unknown, field: Field): void {
  expect(faults(value, field, what)).toEqual([])
}

function faults(value: unknown, field: Field, at: string): string[] {
  if (typeof field === 'string')
    return SCALARS[field]?.(value) ? [] : [`${at}: ${field} wanted, ${JSON.stringify(value)}`]
  if (Array.isArray(field)) {
    if (!Array.isArray(value)) return [`${at}: list wanted, ${JSON.stringify(value)}`]
    return value.flatMap((one, index) => faults(one, field[0] as Field, `${at}[${index}]`))
  }
  if (typeof value !== 'object' || value === null) return [`${at}: object wanted, ${JSON.stringify(value)}`]
  return Object.entries(field).flatMap(([written, inner]) => {
    const [, key = '', optional, nullable] = /^(\w+)(\?)?(\|null)?$/.exec(written) ?? []
    const found = (value as Record<string, unknown>)[key]
    if (found === undefined) return optional === undefined ? [`${at}.${key}: missing`] : []
    if (found === null) return nullable === undefined ? [`${at}.${key}: null`] : []
    return faults(found, inner as Field, `${at}.${key}`)
  })
}
