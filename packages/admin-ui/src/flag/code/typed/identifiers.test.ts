import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNameAllocator, toCamelCase, toPascalCase, toUpperSnakeCase } from './identifiers.ts'

describe('names in code', () => {
  test.each([
    ['new-checkout', 'NewCheckout', 'newCheckout', 'NEW_CHECKOUT'],
    ['newCheckout.v2', 'NewCheckoutV2', 'newCheckoutV2', 'NEW_CHECKOUT_V2'],
    ['1st.flag', 'Flag1stFlag', 'flag1stFlag', 'FLAG_1ST_FLAG'],
    ['class', 'Class', 'class', 'CLASS'],
    ['Größe', 'Größe', 'größe', 'GRÖSSE'],
    ['値', 'Flag値', 'flag値', 'FLAG_値'],
    ['😀', 'Flag', 'flag', 'FLAG'],
    ['²', 'Flag2', 'flag2', 'FLAG_2'],
    ['𝒳', 'X', 'x', 'X'],
    ['', 'Flag', 'flag', 'FLAG'],
  ])('%j is %s, %s and %s', (text, pascal, camel, snake) => {
    const first = 'flag'
    expect([toPascalCase(text, 'Flag'), toCamelCase(text, first), toUpperSnakeCase(text, first)]).toEqual([
      pascal,
      camel,
      snake,
    ])
  })

  test('match the identifier syntax of every language for any input', () => {
    const part = String.raw`\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{Nd}`
    const isOne = { pascal: new RegExp(`^\\p{Lu}[${part}]*$`, 'u'), snake: new RegExp(`^\\p{Lu}[${part}_]*$`, 'u') }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const [pascal, snake] = [toPascalCase(text, 'Flag'), toUpperSnakeCase(text, 'flag')]
        expect(pascal).toMatch(isOne.pascal)
        expect(snake).toMatch(isOne.snake)
        for (const name of [pascal, snake]) {
          // Python compares identifiers in normalized form. C# identifiers exclude astral characters.
          expect(name.normalize('NFKC')).toBe(name)
          expect(name).not.toMatch(/[\u{10000}-\u{10FFFF}]/u)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('differ from each other, ignoring case', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'A', 'a_2', 'A_2', 'a_3', 'class')), (wanted) => {
        const name = createNameAllocator(['class'])
        const names = wanted.map((one) => name(one).toLowerCase())
        expect(new Set([...names, 'class']).size).toBe(wanted.length + 1)
      }),
    )
  })
})
