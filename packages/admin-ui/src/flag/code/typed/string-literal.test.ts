import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { generateCsharp } from './csharp.ts'
import { generateGo } from './go.ts'
import { generateJava } from './java.ts'
import { generatePython } from './python.ts'
import { generateTypescript } from './typescript.ts'

const flag = (name: string) => ({ name, variants: [], json: undefined })

/** Extracts the literal of a flag's name from the code of each language. */
const LINES = {
  typescript: (name: string) => /isEnabled\((".*"), context\)$/m.exec(generateTypescript(flag(name)))?.[1],
  java: (name: string) => /NAME = (.*);$/m.exec(generateJava(flag(name)))?.[1],
  go: (name: string) => /^const \S+ = (.*)$/m.exec(generateGo(flag(name)))?.[1],
  python: (name: string) => /^\S+ = (.*)$/m.exec(generatePython(flag(name)))?.[1],
  csharp: (name: string) => /Name = (.*);$/m.exec(generateCsharp(flag(name)))?.[1],
}

const SIMPLE: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const ESCAPE = /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|U([\da-f]{8})|([0-7]{3})|(.))/gs

/** Returns the value of a literal; undefined if it is invalid or contains characters that a language forbids. */
function meaning(literal: string | undefined): string | undefined {
  const inner = /^"((?:[^"\\\p{Cc}\p{Zl}\p{Zp}]|\\.)*)"$/u.exec(literal ?? '')?.[1]
  return inner?.replaceAll(ESCAPE, (_all, braced, short, long, octal, simple) => {
    if (simple !== undefined) return SIMPLE[simple] ?? simple
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
    const code = Number.parseInt(braced ?? short ?? long, 16)
    return long === undefined && braced === undefined ? String.fromCharCode(code) : String.fromCodePoint(code)
  })
}

/** Decodes `\u` escapes as Java does before parsing. Only escapes after an even number of backslashes count. */
const readByJava = (text: string) =>
  text.replaceAll(/((?:^|[^\\])(?:\\\\)*)\\u([\da-f]{4})/g, (_all, before: string, hex: string) => {
    const char = String.fromCharCode(Number.parseInt(hex, 16))
    expect(char).not.toMatch(/["\\\r\n]/)
    return before + char
  })

describe('strings in code', () => {
  test.each([
    ['quotes', `say "hi" and 'bye'`],
    ['backslashes', '\\u0041 \\n \\'],
    ['dollars and braces', ['$x $', '{y} {z} %s `'].join('')],
    ['ends of lines', '\r\n\u0085\u2028\u2029'],
    ['what ends comments', '*/ // # """'],
    ['controls', '\0\u0001\u001b\u007f'],
    ['what turns text around', '\u202eabc\u200f\ufeff'],
    ['emoji', '😀👩\u200d💻'],
  ])('%s stay what they are', (_what, text) => {
    for (const [language, line] of Object.entries(LINES))
      expect([language, meaning(line(text))]).toEqual([language, text])
  })

  test('become one literal each, whatever they contain', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const [language, line] of Object.entries(LINES)) {
          const literal = line(text)
          expect([language, meaning(literal)]).toEqual([language, text])
          if (language === 'java') readByJava(literal ?? '')
        }
      }),
      { numRuns: 100 },
    )
  })

  test('half a pair, which no file can hold, becomes the sign for that', () => {
    for (const line of Object.values(LINES)) expect(meaning(line('a\ud800'))).toBe('a\ufffd')
  })
})
