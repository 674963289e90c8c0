import { compileValidator } from '@burgee/kit/input/validation'
import { RESTRICTIONS } from '@burgee/protocol/targeting/restriction'
import type { Static, TSchema } from 'typebox'

const compiled = new WeakMap<TSchema, (value: unknown) => unknown>()

/**
 * Validates a body that results from a patch, using the same rules as for bodies that clients send. Throws
 * InvalidRequest.
 */
export function checkBody<S extends TSchema>(schema: S, value: unknown): Static<S> {
  const validate = compiled.get(schema) ?? compileValidator(schema, 'body', RESTRICTIONS)
  compiled.set(schema, validate)
  return validate(value) as Static<S>
}
