import { TokenChanges } from '@burgee/protocol/token-changes'
import { Compile } from 'typebox/compile'

const schema = Compile(TokenChanges)

/** Parses the data of a token event. Returns a request to revalidate every token if the data cannot be parsed. */
export function parseTokenChanges(data: string): TokenChanges {
  try {
    const read: unknown = JSON.parse(data)
    if (schema.Check(read)) return read
  } catch {
    // not JSON: treated like any other unreadable data
  }
  return { revoked: [], changed: [], all: true }
}
