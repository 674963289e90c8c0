import { expect, test } from 'vitest'
import { parseBootstrap } from './bootstrap-file.ts'

const short = (name: string, enabled: boolean, variants: object[] = []) => ({
  name,
  enabled,
  variants,
  type: 'release',
  project: 'default',
  strategies: [{ name: 'default' }],
})
const variant = (name: string) => ({ name, weight: 1000, weightType: 'fix', stickiness: 'default' })
const FLAG = { name: 'f', enabled: true, strategies: [], project: 'p', more: 1 }

test.each<[string, unknown, unknown[]]>([
  [
    'the short form',
    { a: { enabled: true, variant: 'v1' }, b: { enabled: false } },
    [short('a', true, [variant('v1')]), short('b', false)],
  ],
  ['no variant by null', { a: { enabled: true, variant: null } }, [short('a', true)]],
  ['a flag of any name', { features: { enabled: true } }, [short('features', true)]],
  ['no flag at all', {}, []],
  ['what SDKs download', { version: 2, features: [FLAG], query: {} }, [FLAG]],
])('%s', (_name, file, features) => {
  expect(parseBootstrap(JSON.stringify(file), 'yggdrasil').features).toEqual(features)
})

test.each<[string, string, string]>([
  ['no JSON', '{"a":', 'The file is not JSON'],
  ['a list', '[]', 'not a JSON object'],
  ['a short form with something else', '{"a":{"enabled":true},"b":{"enabled":"yes"}}', 'no list "features"'],
  ['a variant that is no name', '{"a":{"enabled":true,"variant":{"name":"v"}}}', 'no list "features"'],
  ['a flag without a name', '{"features":[{"enabled":true}]}', 'features[0]'],
])('not %s', (_name, text, message) => {
  expect(() => parseBootstrap(text, 'yggdrasil')).toThrow(message)
})
