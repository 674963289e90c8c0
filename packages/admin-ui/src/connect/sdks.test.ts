import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { fillSampleCode } from './sdk.ts'
import { SDKS } from './sdks.ts'

const DOCS = fileURLToPath(new URL('../../../../docs/sdks/', import.meta.url))
const PAGES = { servers: 'servers', web: 'web', phones: 'mobile' } as const
const page = (group: keyof typeof PAGES) => readFileSync(`${DOCS}${PAGES[group]}.md`, 'utf8')

/** Returns the headings of a page with the text and code below each. */
function sections(group: keyof typeof PAGES) {
  return page(group)
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n')
      const text = lines.join('\n').replaceAll('https://flags.example.com', 'http://localhost:4242')
      const code = [...text.matchAll(/^```[^\n]*\n([\s\S]*?)\n```$/gm)].map(([, block]) => block)
      return { heading: heading.trim(), text: text.replaceAll(/\s+/g, ' '), code }
    })
}

describe('SDKs', () => {
  test.each(Object.keys(PAGES) as (keyof typeof PAGES)[])('%s match the documentation, including its code', (group) => {
    const documented = sections(group)
    const own = SDKS.filter((sdk) => sdk.group === group)
    expect(own.map(({ files }) => files.map(({ code }) => code))).toEqual(documented.map(({ code }) => code))
    for (const [index, { name, install }] of own.entries()) {
      expect(name.startsWith(documented[index]?.heading ?? '?')).toBe(true)
      expect(documented[index]?.text).toContain(`\`${install}\``)
    }
  })

  test.each(SDKS)('$name has a place for the address, and for a token of its kind', ({ kind, files }) => {
    const address = 'https://flags.example.org/base'
    const filled = files
      .map(({ code }) =>
        fillSampleCode(code, { address, flag: "a'b", appName: 'shop', token: { kind, secret: 'SECRET' } }),
      )
      .join('\n')
    expect(filled).toContain(`${address}/api`)
    expect(filled).toContain('SECRET')
    expect(filled).not.toContain(`<${kind} token>`)
    expect(filled).not.toMatch(/localhost:4242|my-(service|page|app)|new-checkout/)
    expect(filled).toMatch(/a\\'b|"a'b"/)
  })

  test('an unknown token leaves its placeholder as documented', () => {
    const [node] = SDKS
    const code = node?.files[0]?.code ?? ''
    expect(fillSampleCode(code, { address: 'http://localhost:4242' })).toBe(code)
  })
})
