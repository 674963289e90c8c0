import { invalid } from '@burgee/kit/input/refusals'
import { findExpectedPayload } from '@burgee/protocol/targeting/payload'
import type { VariantInput } from '@burgee/protocol/targeting/variant'

type Payload = VariantInput['payload']

interface WithPayload {
  readonly name: string
  readonly payload?: Payload | { readonly type: string; readonly value: string } | undefined
}

/**
 * Throws ValidationError for a payload that applications cannot parse: invalid JSON, or an invalid number. Accepts
 * invalid payloads that are already stored, so that users can edit the other variants.
 */
export function requireReadablePayloads(variants: readonly VariantInput[], stored: readonly WithPayload[] = []): void {
  const known = new Map(stored.map(({ name, payload }) => [name, payload]))
  for (const [index, { name, payload }] of variants.entries()) {
    const before = known.get(name)
    if (before?.type === payload?.type && before?.value === payload?.value) continue
    const expected = findExpectedPayload(payload)
    if (expected === undefined) continue
    throw invalid(
      `The payload of the variant "${name}" must be ${expected}, as its type says`,
      `body/variants/${index}/payload/value`,
    )
  }
}
