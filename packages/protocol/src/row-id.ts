import Type from 'typebox'

/** Largest id that both databases can store in an integer column. */
export const MAX_ROW_ID = 2_147_483_647

/** Id of a stored object: a user, group, role, or any other object that the database numbers from 1. */
export const RowId = Type.Integer({ minimum: 1, maximum: MAX_ROW_ID })

const CANONICAL_INTEGER = /^(0|[1-9]\d{0,9})$/

/**
 * Parses an id in a path or a search condition. Accepts only the canonical decimal form, up to `MAX_ROW_ID`. Returns
 * undefined for all other text, such as `0x1`, `1e0`, `+1`, `01`, `1.0` and `-1`.
 */
export function parseRowId(text: string): number | undefined {
  const id = CANONICAL_INTEGER.test(text) ? Number(text) : Number.NaN
  return id <= MAX_ROW_ID ? id : undefined
}
