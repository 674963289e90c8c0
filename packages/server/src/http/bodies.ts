import { compileValidator } from '@burgee/kit/input/validation'
import { RESTRICTIONS } from '@burgee/protocol/targeting/restriction'
import type { Static, TSchema } from 'typebox'

const compiled = new WeakMap<TSchema, (value: unknown) => unknown>()

/** Validates a body that a patch produced, as if it had been sent. Throws InvalidRequest. */
export function checkBody<S extends TSchema>(schema: S, value: unknown): Static<S> {
  const validate = compiled.get(schema) ?? compileValidator(schema, 'body', RESTRICTIONS)
  compiled.set(schema, validate)
  return validate(value) as Static<S>
}
