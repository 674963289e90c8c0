import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Links of the Markdown files, as resolved in the repository: the files and headings exist. */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
// the README of the published package (bin/README.md) is next to other files there; tests/packaging checks it
const FILES = globSync(['*.md', '{docs,examples,deploy}/**/*.md', 'packages/*/{*,src/**/*}.md'], { cwd: ROOT })
  .filter((path) => !path.includes('['))
  .sort()

/** Returns the anchor of a heading, as code hosts generate it. */
const slug = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
const prose = (text: string): string =>
  text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ''))
const headings = (path: string): string[] =>
  [...prose(readFileSync(path, 'utf8')).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => slug(heading))

function faultsOf(path: string): string[] {
  const links = [...prose(readFileSync(join(ROOT, path), 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)]
  return links.flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return []
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? join(ROOT, path) : resolve(ROOT, dirname(path), file)
    // URLs of the documentation site itself, on its landing page
    if (file.startsWith('/')) return []
    // pages that are generated when the site is built
    if (/docs\/api\/(server|proxy|edge)\.md$/.test(target)) return []
    if (!existsSync(target)) return [`${link} is not there`]
    return anchor === undefined || headings(target).includes(anchor) ? [] : [`${link}: no such heading`]
  })
}

test('there are files to look at', () => {
  expect(FILES.length).toBeGreaterThan(60)
})

test.each(FILES)('%s', (path) => {
  expect(faultsOf(path)).toEqual([])
})
