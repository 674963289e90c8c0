import { describe, expect, test } from 'vitest'
import { SDKS } from '../../../connect/sdks.ts'
import { CODE_LANGUAGES, findCodeLanguage } from './code-languages.ts'
import { toTypedFlag } from './typed-flag.ts'

const json = (value: unknown) => ({ type: 'json', value: JSON.stringify(value) })
const flagWith = (name: string, variants: { name: string; payload?: { type: string; value: string } }[]) =>
  toTypedFlag({ name, environments: [{ variants, strategies: [] }] })
const FLAG = flagWith('new-checkout', [
  { name: 'blue', payload: json({ size: 3, 'max-items': [1], class: 'x', inner: { on: true } }) },
  { name: 'red', payload: json({ size: 4, 'max-items': [2], class: 'y' }) },
])

/** Lines required in each language, ignoring spaces. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  typescript: ['readonly size: number', 'readonly "max-items": readonly number[]', 'readonly inner?: {'],
  java: [
    'public final class NewCheckoutFlag {',
    'BLUE("blue"),',
    'public double size;',
    'public java.util.List<Double> maxItems;',
    'public String class_2;',
    'public PayloadInner inner; // may be missing',
    'public boolean on;',
  ],
  go: [
    'const NewCheckout = "new-checkout"',
    'NewCheckoutVariantBlue NewCheckoutVariant = "blue"',
    'Size float64 `json:"size"`',
    'MaxItems []float64 `json:"max-items"`',
    'Inner *NewCheckoutPayloadInner `json:"inner"`',
    'On bool `json:"on"`',
  ],
  python: [
    'NEW_CHECKOUT = "new-checkout"',
    'BLUE = "blue"',
    '"max-items": list[float],',
    '"inner": NotRequired[NewCheckoutPayloadInner | None],',
    'from typing import NotRequired, TypedDict',
  ],
  dotnet: [
    'public const string Name = "new-checkout";',
    'public const string Blue = "blue";',
    'public double Size { get; set; }',
    'public System.Collections.Generic.List<double> MaxItems { get; set; } = default!;',
    'public PayloadInner? Inner { get; set; }',
  ],
}
/** Patterns of declared names in all languages. */
const TYPES = /(?:class |enum |^type )(\w+)|^(\w+) = TypedDict/gm
const CONSTANTS = /^\t(\w+) +\w+ = "|^ +(?:public const string )?(\w+)(?: = |\()"/gm

const linesOf = (code: string) => code.split('\n').map((line) => line.trim().replaceAll(/ +/g, ' '))

describe.each(CODE_LANGUAGES.map((language) => [language.name, language] as const))(
  'typed code in %s',
  (_name, language) => {
    test('has the name, the variants and the payloads', () => {
      expect(linesOf(language.code(FLAG))).toEqual(expect.arrayContaining([...(LINES[language.id] ?? ['?'])]))
    })

    test('omits variants and payloads for a flag without variants', () => {
      const code = language.code(flagWith('plain', []))
      expect(code).toContain('"plain"')
      expect(code.toLowerCase()).not.toMatch(/variant|payload/)
      expect(language.use(flagWith('plain', [])).toLowerCase()).not.toMatch(/variant|payload/)
    })

    test('uses the calls of the official SDK', () => {
      const sdk = SDKS.find(({ id }) => id === (language.id === 'typescript' ? 'node' : language.id))
      const [call] = /\w+\.is_?enabled/i.exec(sdk?.files[0]?.code ?? '') ?? ['?']
      const use = language.use(flagWith('plain', []))
      // TypeScript code wraps the call in a generated function.
      if (language.id !== 'typescript') expect(use).toContain(call)
      expect(language.use(FLAG)).toMatch(/payload/)
    })

    test('has no two names alike for what differs in signs or case only', () => {
      const twins = flagWith('payload', [
        { name: 'a-b', payload: json({ 'x-y': 1, x_y: 2, xY: { a: 1 }, payload: { flag: { z: 1 } } }) },
        { name: 'a_b' },
        { name: 'A b' },
        { name: 'Disabled' },
        { name: 'disabled' },
        { name: '😀' },
        { name: '👍' },
      ])
      const code = language.code(twins)
      for (const declared of [TYPES, CONSTANTS]) {
        const names = [...code.matchAll(declared)].map((found) => found.slice(1).join('').toLowerCase())
        if (language.id !== 'typescript') expect(names.length).toBeGreaterThan(3)
        expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
      }
    })
  },
)

test('a language that there is not is none', () => {
  expect(findCodeLanguage('cobol')).toBeUndefined()
})
