import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { toYaml } from './yaml-text.ts'

const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/

describe('a document as YAML', () => {
  test.each([
    ['plain text'],
    ['a: b # c'],
    ['delete \u007f'],
    ['\u0080 to \u009f'],
    ['next line \u0085'],
    ['\ufffe and \uffff'],
    ['several\nlines\u0090\n'],
    ['a \\ and "quotes" \u007f'],
    ['\u0007'],
    ['😀'],
  ])('holds %j without a character that YAML forbids', (text) => {
    const document = { [text]: [text, { description: text }] }
    const yaml = toYaml(document)
    expect(yaml).not.toMatch(FORBIDDEN)
    expect(parse(yaml)).toEqual(document)
  })
})
