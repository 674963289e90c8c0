import { expect, test } from 'vitest'
import { checkSecretKey } from './option-checks.ts'

test.each([
  [undefined, 'warn'],
  ['a key', 'ok'],
])('servers on PostgreSQL with the key %j: %s, and the finding names the variable', (secretKey, status) => {
  expect(checkSecretKey({ secretKey })).toEqual({ status, detail: expect.stringContaining('BURGEE_SECRET_KEY') })
})
