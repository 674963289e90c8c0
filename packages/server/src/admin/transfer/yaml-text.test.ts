import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { toYaml } from './yaml-text.ts'

/**
 * Returns true for characters that YAML 1.2 (5.1) does not allow (noncharacters, and controls except tab and line
 * ends), and for characters that YAML 1.1 (5.4) takes for line ends.
 */
function isForbidden(character: string): boolean {
  const code = character.charCodeAt(0)
  if (code === 0x09 || code === 0x0a || code === 0x0d) return false
  if (code === 0x2028 || code === 0x2029) return true
  return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code === 0xfffe || code === 0xffff
}

describe('a document as YAML', () => {
  test.each([
    ['plain text'],
    ['a: b # c'],
    ['delete \u007f'],
    ['\u0080 to \u009f'],
    ['next line \u0085 and again'],
    ['line \u2028 and paragraph \u2029'],
    ['\ufffe and \uffff'],
    ['several\nlines\u0090\n'],
    ['a \\ and "quotes" \u007f'],
    ['\u0007'],
    ['😀'],
  ])('holds %j without a character that YAML forbids', (text) => {
    const document = { [text]: [text, { description: text }] }
    const yaml = toYaml(document)
    expect([...yaml].filter(isForbidden)).toEqual([])
    expect(parse(yaml)).toEqual(document)
  })
})
