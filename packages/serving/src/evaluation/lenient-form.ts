import { isObject } from '@burgee/kit/input/is-object'
import type { ContextBody } from '@burgee/protocol/evaluation'
import { MAX_NAMES } from '@burgee/protocol/evaluation'
import Type from 'typebox'
import type { ContextForm } from './evaluation-routes.ts'

/**
 * Format that accepts any context, either within `context` or next to the other properties of the body. Numbers and
 * booleans become strings; values that are not scalars are treated as missing. Source: wire protocol, section
 * "Endpoints Edge serves".
 */
export const LENIENT_FORM: ContextForm = {
  body: Type.Object(
    {
      context: Type.Optional(Type.Unknown()),
      toggles: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_NAMES })),
    },
    { additionalProperties: true, 'x-null-is-absent': true },
  ),
  getContext: ({ toggles: _names, context, ...own }) =>
    toContextBody(isObject(context) ? context : { ...own, context }),
}

function toContextBody(sent: Readonly<Record<string, unknown>>): ContextBody {
  const { properties, ...fields } = sent
  return { ...extractScalars(fields), properties: isObject(properties) ? extractScalars(properties) : {} }
}

/** Converts scalars to strings and drops other values; `__proto__` is allowed as a name. */
function extractScalars(sent: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(sent).flatMap(([name, value]) => {
    const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    return isScalar ? [[name, String(value)] as const] : []
  })
  return Object.fromEntries(texts)
}
