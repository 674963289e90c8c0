import { TokenChanges } from '@burgee/protocol/token-changes'
import { Compile } from 'typebox/compile'

const schema = Compile(TokenChanges)

/** Reads the data of an event about tokens. What cannot be read asks for every token to be validated again. */
export function readTokenChanges(data: string): TokenChanges {
  try {
    const read: unknown = JSON.parse(data)
    if (schema.Check(read)) return read
  } catch {
    // no JSON: treated as what cannot be read
  }
  return { revoked: [], changed: [], all: true }
}
