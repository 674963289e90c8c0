import { readFileSync, writeFileSync } from 'node:fs'

const PAGE = new URL('../docs/benchmarks.md', import.meta.url)

/**
 * Puts a section (a heading of the second level with all that follows up to the next) in the place of the one with that
 * heading, or behind all others.
 */
export function withSection(page: string, heading: string, text: string): string {
  const section = `## ${heading}\n\n${text.trim()}\n`
  const parts = page.split(/^(?=## )/m)
  const index = parts.findIndex((part) => part.startsWith(`## ${heading}\n`))
  if (index === -1) return `${page.trimEnd()}\n\n${section}`
  const isLast = index === parts.length - 1
  return parts.with(index, isLast ? section : `${section}\n`).join('')
}

/** The section with that heading, without the heading; undefined where the page has none. */
export function sectionOf(page: string, heading: string): string | undefined {
  const part = page.split(/^(?=## )/m).find((one) => one.startsWith(`## ${heading}\n`))
  return part?.slice(part.indexOf('\n')).trim()
}

/**
 * A page with the sections of another one that it has not, in their order, behind its own: those that were measured by
 * themselves.
 */
export function withSectionsOf(page: string, other: string): string {
  const headings = [...other.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading)
  return headings
    .filter((heading) => sectionOf(page, heading) === undefined)
    .reduce((text, heading) => withSection(text, heading, sectionOf(other, heading) ?? ''), page)
}

/** The page of measured figures as it stands. */
export function readPage(): string {
  return readFileSync(PAGE, 'utf8')
}

/** Writes the page. */
export function writePage(text: string): void {
  writeFileSync(PAGE, text)
}
