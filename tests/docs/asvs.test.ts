import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/**
 * Ids of the requirements of levels 1 and 2, by section. Source: OWASP ASVS 5.0.0. Requirements of level 3 are omitted.
 */
const REQUIREMENTS: Readonly<Record<string, string>> = {
  'V1.1': '1-2',
  'V1.2': '1-9',
  'V1.3': '1-11',
  'V1.4': '1-3',
  'V1.5': '1-2',
  'V2.1': '1-3',
  'V2.2': '1-3',
  'V2.3': '1-4',
  'V2.4': '1',
  'V3.2': '1-2',
  'V3.3': '1-4',
  'V3.4': '1-6',
  'V3.5': '1-5',
  'V3.7': '1-2',
  'V4.1': '1-3',
  'V4.2': '1',
  'V4.3': '1-2',
  'V4.4': '1-4',
  'V5.1': '1',
  'V5.2': '1-3',
  'V5.3': '1-2',
  'V5.4': '1-3',
  'V6.1': '1-3',
  'V6.2': '1-12',
  'V6.3': '1-4',
  'V6.4': '1-4',
  'V6.5': '1-5',
  'V6.6': '1-3',
  'V6.8': '1-4',
  'V7.1': '1-3',
  'V7.2': '1-4',
  'V7.3': '1-2',
  'V7.4': '1-5',
  'V7.5': '1-2',
  'V7.6': '1-2',
  'V8.1': '1-2',
  'V8.2': '1-3',
  'V8.3': '1',
  'V8.4': '1',
  'V9.1': '1-3',
  'V9.2': '1-4',
  'V10.1': '1-2',
  'V10.2': '1-2',
  'V10.3': '1-4',
  'V10.4': '1-11',
  'V10.5': '1-5',
  'V10.6': '1-2',
  'V10.7': '1-3',
  'V11.1': '1-2',
  'V11.2': '1-3',
  'V11.3': '1-3',
  'V11.4': '1-4',
  'V11.5': '1',
  'V11.6': '1',
  'V12.1': '1-3',
  'V12.2': '1-2',
  'V12.3': '1-4',
  'V13.1': '1',
  'V13.2': '1-5',
  'V13.3': '1-2',
  'V13.4': '1-5',
  'V14.1': '1-2',
  'V14.2': '1-4',
  'V14.3': '1-3',
  'V15.1': '1-3',
  'V15.2': '1-3',
  'V15.3': '1-7',
  'V16.1': '1',
  'V16.2': '1-5',
  'V16.3': '1-4',
  'V16.4': '1-3',
  'V16.5': '1-3',
  'V17.1': '1',
  'V17.2': '1-4',
  'V17.3': '1-2',
}
const COUNT = 253

const IDS = Object.entries(REQUIREMENTS).flatMap(([section, range]) => {
  const [first = 1, last = first] = range.split('-').map(Number)
  return Array.from({ length: last - first + 1 }, (_, index) => `${section}.${first + index}`)
})

interface Row {
  readonly id: string
  readonly requirement: string
  readonly status: string
  readonly evidence: string
}
const ROW = /^\| (V[\d.]+) \| (.+?) \| (.+?) \| (.*) \|$/
const PAGE = read('docs/asvs.md')
const ROWS: readonly Row[] = PAGE.split('\n').flatMap((line) => {
  const [, id = '', requirement = '', status = '', evidence = ''] = ROW.exec(line) ?? []
  return id === '' ? [] : [{ id, requirement, status, evidence }]
})
const PATH = /`((?:packages|tests|docs|bin|scripts|deploy)\/[^`\s]+|[A-Z]+\.md)`(?: "([^"]+)")?/g
const LINK = /\]\(([a-z-]+)\.md(?:#([a-z0-9-]+))?\)/g

/**
 * Returns true if the title is at the beginning of a quoted string in the source code. A title that occurs only inside
 * of another string proves nothing.
 */
function startsText(source: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) => source.includes(quote + title))
}

describe('the page of ASVS requirements', () => {
  test('has every requirement of level 1 and 2 once, in order', () => {
    expect(IDS.length).toBe(COUNT)
    expect(ROWS.map(({ id }) => id)).toEqual(IDS)
  })

  test('gives each requirement pass, fail or not applicable, with a reason', () => {
    const odd = ROWS.filter(({ status, evidence }) => {
      return !['pass', 'fail', 'not applicable'].includes(status) || evidence.trim().length < 5
    })
    expect(odd).toEqual([])
  })

  test('counts its own rows', () => {
    const count = (status: string) => ROWS.filter((row) => row.status === status).length
    expect(PAGE).toContain(
      `${count('pass')} pass, ${count('fail')} fail, ${count('not applicable')} are not applicable.`,
    )
  })

  test('names the plan for each failure', () => {
    expect(ROWS.filter(({ status, evidence }) => status === 'fail' && !/Plan: |as 1\d/.test(evidence))).toEqual([])
  })

  test('paraphrases in twelve words at most', () => {
    expect(ROWS.filter(({ requirement }) => requirement.split(' ').length > 12)).toEqual([])
  })

  test.each(ROWS.filter(({ status }) => status === 'pass'))('shows $id by what there is', ({ evidence }) => {
    const shown = [...evidence.matchAll(PATH)]
    const links = [...evidence.matchAll(LINK)]
    expect(shown.length + links.length).toBeGreaterThan(0)
    for (const [, path = '', title] of shown) {
      expect(existsSync(join(ROOT, path)), path).toBe(true)
      if (title === undefined) continue
      const found = path.includes('.test.') ? startsText(read(path), title) : read(path).includes(title)
      expect(found, `${path} has the title "${title}"`).toBe(true)
    }
    for (const [, page = '', anchor = ''] of links) {
      const headings = [...read(`docs/${page}.md`).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-'),
      )
      if (anchor !== '') expect(headings, evidence).toContain(anchor)
    }
  })
})

/** Files that store UI preferences, filters, and names of recently opened flags, but no credentials. */
const STORING = [
  'packages/admin-ui/src/connect/sdks.ts',
  'packages/admin-ui/src/flag/code/typed/code-languages.ts',
  'packages/admin-ui/src/flag/environments/chosen-environment.ts',
  'packages/admin-ui/src/flag/flag-page.tsx',
  'packages/admin-ui/src/flag/testing/saved-people.ts',
  'packages/admin-ui/src/flags/hidden-columns.ts',
  'packages/admin-ui/src/flags/scroll-position.ts',
  'packages/admin-ui/src/flags/views/saved-views.ts',
  'packages/admin-ui/src/shell/frame.tsx',
  'packages/admin-ui/src/shell/project/last-project.ts',
  'packages/admin-ui/src/shell/recent-flags.ts',
  'packages/admin-ui/src/shell/session/session-mark.ts',
  'packages/admin-ui/src/text/texts.tsx',
  'packages/admin-ui/src/ui/loading/load-part.ts',
  'packages/admin-ui/src/ui/style/theme-contrast.ts',
]

/** Code that runs on servers and in browsers, without tests. */
const SOURCES = globSync('{packages/*/src,bin/src}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
  (path) => !path.endsWith('.test.ts') && !path.endsWith('.test.tsx'),
)
const withPattern = (pattern: RegExp, paths = SOURCES): string[] =>
  paths.filter((path) => pattern.test(read(path))).sort()

describe('claims of the page about the code', () => {
  test('request-handling code starts no programs and evaluates no text as code', () => {
    expect(SOURCES.length).toBeGreaterThan(800)
    const answering = SOURCES.filter((path) => !path.startsWith('bin/'))
    expect(withPattern(/child_process|\beval\(|new Function\(/, answering)).toEqual([])
  })

  test('no page inserts text as HTML', () => {
    expect(withPattern(/dangerouslySetInnerHTML|\.innerHTML\b|insertAdjacentHTML|document\.write/)).toEqual([])
  })

  test('the inventory names every hash and cipher of the code', () => {
    const inventory = read('docs/security.md').toLowerCase()
    const used = new Set<string>()
    for (const path of SOURCES) {
      for (const [, name = ''] of read(path).matchAll(/\b(?:hash|createHash|createHmac|hkdf\w*)\('([\w-]+)'/g))
        used.add(name)
      for (const [, name = ''] of read(path).matchAll(/\b(scrypt|pbkdf2|argon2)\w*\b.*from 'node:crypto'/g))
        used.add(name)
      for (const [, name = ''] of read(path).matchAll(/'(aes-[\w-]+|chacha20-[\w-]+)'/g)) used.add(name)
    }
    expect(used.size).toBeGreaterThan(2)
    const named = (name: string) => inventory.includes(name.replace(/^sha(\d)/, 'sha-$1'))
    expect([...used].filter((name) => !named(name))).toEqual([])
  })

  test('only these files of the admin UI use storage of the browser', () => {
    expect(withPattern(/localStorage|sessionStorage|indexedDB/)).toEqual(STORING)
  })
})
