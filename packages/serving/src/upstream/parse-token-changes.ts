import { TokenChanges } from '@burgee/protocol/token-changes'
import { Compile } from 'typebox/compile'

const schema = Compile(TokenChanges)

/** Parses the data of a token event. If the data cannot be parsed, returns a request to revalidate every token. */
export function parseTokenChanges(data: string): TokenChanges {
  try {
    const read: unknown = JSON.parse(data)
    if (schema.Check(read)) return read
  } catch {
    // data that is not JSON is treated like any other malformed data
  }
  return { revoked: [], changed: [], all: true }
}
